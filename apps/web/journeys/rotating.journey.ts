import { expect, type Page } from 'playwright/test';
import { enter, test } from './house.ts';
import { isSound, themeFollows } from './looks.ts';
import { drawn, linkFor, makeProvingWorkflow, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';

/* A page turned on the screen: what is marked, read and measured stays where it is on the page. */

const mark = Date.now().toString(36);
/** The TrimBox as it is drawn; pages that are seen together have one each. */
const trim = (page: Page, at = 0) => page.locator('[data-box="trim"]').nth(at);

async function boxOf(page: Page, at = 0) {
  const box = await trim(page, at).boundingBox();
  if (!box) throw new Error('the trimmed page is nowhere');
  return box;
}

/** Waits until the trimmed page lies across the screen, or upright. */
const lies = (page: Page, how: 'across' | 'upright') =>
  expect
    .poll(async () => {
      const { width, height } = await boxOf(page);
      return width > height ? 'across' : 'upright';
    })
    .toBe(how);

/** What is read at a place of the trimmed page, in shares from its own upper left; `rotation` is how it lies. */
async function readAt(page: Page, x: number, y: number, rotation: 0 | 90 | 180 | 270): Promise<string> {
  const { x: left, y: top, width, height } = await boxOf(page);
  const [across, down] = { 0: [x, y], 90: [1 - y, x], 180: [1 - x, 1 - y], 270: [y, 1 - x] }[rotation] as [
    number,
    number,
  ];
  await page.mouse.move(left + across * width, top + down * height);
  const meter = page.locator('[class*=meter]');
  await expect(meter).toContainText('Total');
  return (await meter.textContent()) ?? '';
}

/** Millimetres and percent that are told; places differ by less than the width of a pixel of the screen. */
const numbersIn = (told: string) => (told.match(/[\d.]+/g) ?? []).map(Number);

test('a page is turned by keys and buttons: marks, values and lengths stay right, the next page and the file stay as they are', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await themeFollows(context);
  await enter(page, context);
  const email = `rolf-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, { show: { separations: true } });
  const id = await submit(page, workflowId, `turned-${mark}.pdf`, ['Front', 'Back']);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  await expect(reader.getByText('The page is being rendered')).toHaveCount(0);
  await lies(reader, 'upright');
  await reader.getByRole('button', { name: 'Turn right' }).click();
  await lies(reader, 'across');
  await reader.keyboard.press('Shift+Q');
  await lies(reader, 'upright');
  // Orange, 72 to 272 points from the left and 200 to 320 from below.
  const upright = numbersIn(await readAt(reader, 0.4, 0.56, 0));
  expect(upright.at(-1)).toBe(120);

  for (const rotation of [90, 180, 270] as const) {
    await reader.keyboard.press('q');
    await lies(reader, rotation === 180 ? 'upright' : 'across');
    await expect(reader.getByText(`Turned by ${rotation}°`)).toBeAttached();
    await expect
      .poll(async () => {
        const told = numbersIn(await readAt(reader, 0.4, 0.56, rotation));
        return told.length === upright.length && told.every((value, at) => Math.abs(value - (upright[at] ?? 0)) < 0.6);
      })
      .toBe(true);
  }
  await reader.keyboard.press('Shift+Q');
  await reader.keyboard.press('Shift+Q');
  await lies(reader, 'across');

  // A note that is drawn on the turned page stands there however the page lies, and its number is upright.
  const box = await boxOf(reader);
  await reader.keyboard.press('n');
  await reader.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.3);
  await reader.mouse.down();
  await reader.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.7, { steps: 4 });
  await reader.mouse.up();
  const about = reader.getByRole('complementary', { name: 'About the proof' });
  await about.getByLabel('What should change').fill('Warmer');
  await about.getByRole('button', { name: 'Save the note' }).click();
  const pin = reader.getByRole('button', { name: 'Note 1', exact: true });
  await expect(pin).toBeVisible();
  await isSound(reader, 'rotated');
  const markAt = async () => {
    const at = await reader.locator('path[class*=noteBox]').boundingBox();
    const on = await boxOf(reader);
    if (!at) throw new Error('no mark');
    return [(at.x - on.x) / on.width, (at.y - on.y) / on.height, at.width / on.width, at.height / on.height];
  };
  const isAt = (wanted: readonly number[]) =>
    expect.poll(markAt).toEqual(wanted.map((share) => expect.closeTo(share, 1)));
  await isAt([0.2, 0.3, 0.2, 0.4]);

  // A line across the screen is measured across, as it is seen: the trimmed page is 204 mm high.
  await reader.keyboard.press('d');
  await reader.mouse.move(box.x + 1, box.y + box.height / 2);
  await reader.mouse.down();
  await reader.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 3 });
  await reader.mouse.up();
  const [length = 0, across = 0, down = 0] = numbersIn((await reader.getByText(/^[\d.]+ mm \(/).textContent()) ?? '');
  expect(length).toBeGreaterThan(202);
  expect(length).toBeLessThan(205);
  expect(across).toBeCloseTo(length, 0);
  expect(down).toBeLessThan(1);
  await reader.keyboard.press('d');
  await reader.keyboard.press('l');
  await reader.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.15);
  await expect(reader.locator('[class*=loupe] img[class*=tile]').first()).toBeVisible();
  await reader.screenshot({ path: test.info().outputPath('rotated-loupe.png') });
  await reader.keyboard.press('l');

  // The arrows move the crosshair as the screen shows it.
  await reader.keyboard.press('x');
  const cross = reader.getByRole('application');
  await expect(cross).toBeFocused();
  const before = numbersIn((await reader.locator('[class*=meter]').textContent()) ?? '');
  await reader.keyboard.press('ArrowDown');
  // A quarter turn to the right: down on the screen is to the right on the page.
  await expect
    .poll(
      async () => (numbersIn((await reader.locator('[class*=meter]').textContent()) ?? '')[0] ?? 0) - (before[0] ?? 0),
    )
    .toBeGreaterThan(2);
  await reader.keyboard.press('Escape');

  // What is in sight is drawn, not what would be in sight of the page as it was.
  for (let times = 0; times < 6; times += 1) await reader.keyboard.press('+');
  const stage = await reader.getByRole('group', { name: /^Page 1:/ }).boundingBox();
  if (!stage) throw new Error('no stage');
  const bare = async () => {
    const tiles = await reader
      .locator('img[class*=tile]')
      .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().toJSON() as DOMRect));
    const paper = await boxOf(reader);
    const places = [0.05, 0.5, 0.95].flatMap((x) =>
      [0.05, 0.5, 0.95].map((y) => ({ x: stage.x + x * stage.width, y: stage.y + y * stage.height })),
    );
    const onPaper = places.filter(
      ({ x, y }) => x > paper.x && x < paper.x + paper.width && y > paper.y && y < paper.y + paper.height,
    );
    expect(onPaper.length).toBeGreaterThan(5);
    // The coarsest level is below, in one tile; the finer one has to be over it.
    return onPaper.filter(
      ({ x, y }) =>
        tiles.filter((tile) => x >= tile.left && x <= tile.right && y >= tile.top && y <= tile.bottom).length < 2,
    ).length;
  };
  await expect.poll(bare).toBe(0);
  await reader.keyboard.press('0');

  // The next page lies as it is; facing pages are turned together, and the one before is remembered.
  await reader.keyboard.press('ArrowRight');
  await lies(reader, 'upright');
  await reader.keyboard.press('v');
  await expect(trim(reader, 1)).toHaveCount(0);
  await reader.keyboard.press('v');
  await reader.keyboard.press('v');
  await reader.keyboard.press('ArrowLeft');
  await lies(reader, 'across');
  await isAt([0.2, 0.3, 0.2, 0.4]);
  await reader.reload();
  await drawn(reader);
  await lies(reader, 'upright');
  await isAt([0.3, 0.6, 0.4, 0.2]);
  await reader.context().close();

  // The house has the same; where there is little room, in the menu of the zoom.
  await page.goto(`/workflows/session/${id}`);
  await drawn(page);
  await lies(page, 'upright');
  for (const [way, how] of [
    ['Turn right', 'across'],
    ['Turn left', 'upright'],
  ] as const) {
    await page.getByTitle('Zoom').click();
    await page.getByRole('menuitem', { name: way }).click();
    await lies(page, how);
  }
  await lies(page, 'upright');
  await page.keyboard.press('Shift+Q');
  await lies(page, 'across');
  await page.setViewportSize({ width: 390, height: 844 });
  await isSound(page, 'rotated-house-phone');
});
