import { expect, type Page } from 'playwright/test';
import { enter, test } from './house.ts';
import { axeFaults, isSound } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { drawn, linkFor, makeProvingWorkflow, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);
const texts = ['Cover', 'Two', 'Three', 'Four', 'Five'];
const stageOf = (reader: Page) => reader.getByRole('group', { name: /^Page \d/ });
/** The papers of the pages on the stage, from the left. */
const papers = async (reader: Page) => {
  const boxes = await reader
    .locator('[class*=sheet]')
    .evaluateAll((elements) =>
      elements
        .map((element) => element.getBoundingClientRect())
        .map(({ left, right, top, width }) => ({ left, right, top, width })),
    );
  return boxes.toSorted((a, b) => a.left - b.left);
};
const pages = (reader: Page, words: string) => expect(reader.getByText(`${words} of 5`, { exact: true })).toBeVisible();

test('a customer reads a booklet page by page, as openings and by turning its leaves; marks and tools are right on both pages', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `rita-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, { show: { separations: true } });
  const id = await submit(page, workflowId, `booklet-${mark}.pdf`, texts);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);

  await reader.getByRole('button', { name: 'View', exact: true }).click();
  await reader.getByRole('menuitemradio', { name: 'Facing pages' }).click();
  await reader.keyboard.press('Escape');
  // The first page lies alone, on the right.
  await pages(reader, '1');
  const stage = await stageOf(reader).boundingBox();
  if (!stage) throw new Error('no stage');
  const [cover] = await papers(reader);
  expect(cover?.left).toBeCloseTo(stage.x + stage.width / 2, 0);
  await reader.keyboard.press('ArrowRight');
  await pages(reader, '2–3');
  await expect(stageOf(reader)).toHaveAccessibleName(/^Page 2–3: /);
  const [left, right] = await papers(reader);
  expect(left?.right).toBeCloseTo(right?.left ?? 0, 0);
  await expect(reader.locator('img[class*=tile]').nth(1)).toBeVisible();
  await isSound(reader, 'facing');

  // What is under the pointer is read on the page that it is on; both pages are drawn by now.
  await expect(reader.getByText('The page is being rendered')).toHaveCount(0);
  await expect(reader.getByRole('button', { name: 'Inks', exact: true })).toBeEnabled();
  await reader.mouse.move((left?.left ?? 0) + 20, (left?.top ?? 0) + 200);
  const readOut = reader.locator('[class*=meter]');
  await expect(readOut).toContainText(/x [\d.]+ mm/);
  const acrossOf = async () => Number(/x ([\d.]+)/.exec((await readOut.textContent()) ?? '')?.[1]);
  const onLeft = await acrossOf();
  await reader.mouse.move((right?.right ?? 0) - 20, (right?.top ?? 0) + 200);
  await expect.poll(acrossOf).not.toBe(onLeft);
  expect((await acrossOf()) + onLeft).toBeCloseTo(148, -1);

  // A note drawn on the right page belongs to it.
  await reader.keyboard.press('n');
  const [x, y] = [(right?.left ?? 0) + (right?.width ?? 0) / 2, stage.y + stage.height / 2];
  await reader.mouse.move(x - 40, y - 30);
  await reader.mouse.down();
  await reader.mouse.move(x + 40, y + 20, { steps: 3 });
  await reader.mouse.up();
  const about = reader.getByRole('complementary', { name: 'About the proof' });
  await expect(about.getByText('Page 3, at the place you marked')).toBeVisible();
  await about.getByLabel('What should change').fill('Another picture');
  await about.getByRole('button', { name: 'Save the note' }).click();
  const pin = await reader.getByRole('button', { name: 'Note 1' }).boundingBox();
  expect(pin?.x).toBeCloseTo(x - 40, -1);
  // A line is measured across the spine: one trimmed page is 142 mm wide.
  await reader.keyboard.press('d');
  await reader.mouse.move((left?.left ?? 0) + 1, y);
  await reader.mouse.down();
  await reader.mouse.move((right?.right ?? 0) - 1, y, { steps: 3 });
  await reader.mouse.up();
  const length = Number(/^([\d.]+) mm/.exec((await reader.getByText(/^[\d.]+ mm \(/).textContent()) ?? '')?.[1]);
  expect(length).toBeGreaterThan(285);
  expect(length).toBeLessThan(292);
  await reader.keyboard.press('d');

  // By keys: the next way of reading; back at the cover, and on by turning a leaf.
  await reader.emulateMedia({ reducedMotion: 'no-preference' });
  await reader.keyboard.press('v');
  await expect(reader.getByRole('button', { name: 'View', exact: true })).toBeVisible();
  await reader.evaluate(() => {
    addEventListener('animationstart', (event) => {
      if (event.animationName.includes('turn-'))
        document.body.dataset.turned = event.animationName.replace(/.*turn-/, '');
    });
  });
  // What turns the leaves is loaded when it is first wanted; until then pages change at once.
  await expect(async () => {
    await reader.keyboard.press('ArrowLeft');
    await pages(reader, '1');
    await reader.keyboard.press('ArrowRight');
    await pages(reader, '2–3');
    await expect(reader.locator('body')).toHaveAttribute('data-turned', /^on/, { timeout: 1000 });
  }).toPass();
  await expect(reader.locator('[class*=turning]')).toHaveCount(0);
  await reader.keyboard.press('ArrowLeft');
  await expect(reader.locator('body')).toHaveAttribute('data-turned', /^back/);
  await expect(reader.locator('[class*=turning]')).toHaveCount(0);
  // Nothing moves for those who asked for that.
  await reader.emulateMedia({ reducedMotion: 'reduce' });
  await reader.evaluate(() => delete document.body.dataset.turned);
  await reader.keyboard.press('ArrowRight');
  await pages(reader, '2–3');
  await isSound(reader, 'flip');
  await expect(reader.locator('body')).not.toHaveAttribute('data-turned');

  // The rest of the booklet has the size that the cover had, and ends with a page that has a neighbour.
  await reader.keyboard.press('ArrowRight');
  await pages(reader, '4–5');
  await expect(reader.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await reader.keyboard.press('v');
  await pages(reader, '4');
  await reader.context().close();
});

test('on a phone, a finger turns openings', { tag: '@night' }, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `pia-${mark}@customer.test`;
  const id = await submit(page, await makeProvingWorkflow(page, email), `zine-${mark}.pdf`, texts);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, { width: 390, height: 844 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  await reader.getByRole('button', { name: 'View', exact: true }).click();
  await reader.getByRole('menuitemradio', { name: 'Flip through' }).click();
  await reader.keyboard.press('Escape');
  const stage = await stageOf(reader).boundingBox();
  if (!stage) throw new Error('no stage');
  const fingers = await reader.context().newCDPSession(reader);
  const y = stage.y + stage.height / 2;
  const swipe = async (from: number, to: number) => {
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: from, y }] });
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: to, y }] });
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await swipe(stage.x + 300, stage.x + 100);
  await pages(reader, '2–3');
  await isSound(reader, 'phone-flip');
  await swipe(stage.x + 100, stage.x + 300);
  await pages(reader, '1');
  await reader.context().close();

  // The house reads it in the same ways, with the findings of both pages.
  await page.goto(`/workflows/session/${id}`);
  await expect(page.getByText('1 of 5', { exact: true })).toBeVisible();
  await page.keyboard.press('v');
  await page.keyboard.press('ArrowRight');
  await pages(page, '2–3');
  await expect(page.locator('img[class*=tile]').nth(1)).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
});

test('a customer measures the screen with a card and sees the page as large as it will be, on a desktop and on a phone', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `cora-${mark}@customer.test`;
  const id = await submit(page, await makeProvingWorkflow(page, email), `card-${mark}.pdf`, ['']);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  const zoom = reader.getByRole('button', { name: /^\d+%$/ });
  const widthOf = async () => (await papers(reader))[0]?.width;
  /** An A5 sheet with 3 mm bleed, as wide as it is on a screen with so many pixels to the long side of a card. */
  const sheetWidth = (cardPixels: number) => ((419.53 / 72) * 25.4 * cardPixels) / 85.6;

  // By keys alone: nobody measured yet, so the card is asked for.
  await reader.keyboard.press('1');
  const dialog = reader.getByRole('dialog', { name: 'Measure the screen with a card' });
  await expect(dialog).toBeVisible();
  const slider = dialog.getByRole('slider', { name: 'Size of the outline' });
  await expect(slider).toHaveAttribute('aria-valuenow', '324');
  await slider.focus();
  for (let press = 0; press < 6; press += 1) await reader.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuenow', '330');
  await isSound(reader, 'card');
  await dialog.getByRole('button', { name: 'Show at true size' }).click();
  await expect(dialog).toBeHidden();
  await expect(zoom).toHaveText('100%');
  expect(await widthOf()).toBeCloseTo(sheetWidth(330), 0);

  // Known until the tab is closed; the other way is by pointer.
  await reader.reload();
  await drawn(reader);
  await expect(zoom).not.toHaveText('100%');
  await zoom.click();
  await reader.getByRole('menuitem', { name: 'True size' }).click();
  await expect(zoom).toHaveText('100%');
  expect(await widthOf()).toBeCloseTo(sheetWidth(330), 0);
  await zoom.click();
  await reader.getByRole('menuitem', { name: 'Measure the screen with a card' }).click();
  const outline = await dialog.locator('[class*=card]').boundingBox();
  if (!outline) throw new Error('no outline');
  await reader.mouse.move(outline.x + outline.width - 10, outline.y + outline.height - 10);
  await reader.mouse.down();
  await reader.mouse.move(outline.x + 400, outline.y + 100, { steps: 3 });
  await reader.mouse.up();
  await expect(slider).toHaveAttribute('aria-valuenow', '400');
  await dialog.getByRole('button', { name: 'A little smaller' }).click();
  await dialog.getByRole('button', { name: 'Show at true size' }).click();
  await expect.poll(widthOf).toBeCloseTo(sheetWidth(399), 0);
  await isSound(reader, 'true-size');
  await reader.context().close();

  // A telephone is narrower than a card is long: the card is held upright.
  const phone = await readerOf(browser, { width: 390, height: 844 });
  await phone.goto(await linkFor(page, email));
  await drawn(phone);
  await phone.getByRole('button', { name: /^\d+%$/ }).click();
  await phone.getByRole('menuitem', { name: 'Measure the screen with a card' }).click();
  const small = phone.getByRole('dialog', { name: 'Measure the screen with a card' });
  const upright = await small.locator('[class*=card]').boundingBox();
  expect((upright?.height ?? 0) / (upright?.width ?? 1)).toBeCloseTo(85.6 / 53.98, 2);
  await isSound(phone, 'phone-card');
  await small.getByRole('button', { name: 'Show at true size' }).click();
  await expect(phone.getByRole('button', { name: '100%' })).toBeVisible();
  await phone.context().close();
});

test('two versions blink, stand still for those who want that, and move apart, each with its own page', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `bert-${mark}@customer.test`;
  const id = await submit(page, await makeProvingWorkflow(page, email), `blink-${mark}.pdf`, texts);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.emulateMedia({ reducedMotion: 'no-preference' });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  await reader.getByText('Compare', { exact: true }).click();
  await reader.getByText('Blink', { exact: true }).click();
  const shown = reader.locator('[class*=shown]');
  const [before, after] = ['As you sent it', 'As it will print'];
  await expect(shown).toHaveText(after);
  await expect(shown).toHaveText(before);
  await expect(shown).toHaveText(after);
  // It is stopped by key, and goes on by hand.
  await reader.keyboard.press('b');
  await expect(reader.getByRole('button', { name: 'Blink', exact: true })).toBeVisible();
  const now = await shown.textContent();
  await reader.getByRole('button', { name: 'Show the other one' }).click();
  await expect(shown).toHaveText(now === after ? before : after);
  await expect(shown).toHaveAttribute('aria-live', 'polite');
  await isSound(reader, 'blink');
  // Where less motion is asked for it begins when it is asked to.
  await reader.getByText('Swipe', { exact: true }).click();
  await reader.getByText('Blink', { exact: true }).first().click();
  await expect(reader.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  await reader.getByRole('button', { name: 'Blink', exact: true }).click();
  await expect(reader.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();

  // Both are turned together, in every way of comparing; the divider stands upright all the same.
  const turned = reader.locator('[data-rotation="90"]');
  await reader.keyboard.press('q');
  await expect(turned).toHaveCount(1);
  await reader.getByText('Swipe', { exact: true }).click();
  await expect(turned).toHaveCount(1);
  const divider = await reader.locator('[class*=divider]').boundingBox();
  expect(divider?.height).toBeGreaterThan((divider?.width ?? 0) * 50);
  await isSound(reader, 'turned-swipe');
  await reader.getByText('Difference', { exact: true }).click();
  await expect(turned).toHaveCount(1);
  await expect(reader.getByText(/No pixel differs/)).toBeVisible();
  await reader.getByText('Side by side', { exact: true }).click();
  await expect(turned).toHaveCount(2);
  await isSound(reader, 'turned-beside');
  await reader.keyboard.press('Shift+Q');
  await expect(turned).toHaveCount(0);
  await reader.keyboard.press('ArrowRight');
  await expect(reader.getByRole('group', { name: `${before}, page 2` })).toBeVisible();
  await reader.keyboard.press('l');
  const half = (name: string) => reader.getByRole('region', { name, exact: true });
  await expect(half(before).getByText('2 of 5', { exact: true })).toBeVisible();
  await half(before).getByRole('button', { name: 'Next page' }).click();
  await reader.keyboard.press('ArrowRight');
  // Keys go to the side that was touched last, and each side has its own zoom.
  await expect(half(before).getByText('4 of 5', { exact: true })).toBeVisible();
  await expect(half(after).getByText('2 of 5', { exact: true })).toBeVisible();
  const zoomOf = (name: string) => half(name).getByRole('button', { name: /^\d+%$/ });
  const fitted = await zoomOf(after).textContent();
  await reader.keyboard.press('+');
  await expect(zoomOf(before)).not.toHaveText(fitted ?? '');
  await expect(zoomOf(after)).toHaveText(fitted ?? '');
  // Apart, each is turned by itself.
  await reader.keyboard.press('q');
  await expect(turned).toHaveCount(1);
  await expect(half(before).locator('[data-rotation="90"]')).toHaveCount(1);
  await isSound(reader, 'apart');
  // Linked again, both show the page of the file that goes to print.
  await reader.getByRole('button', { name: 'Move the two apart', pressed: true }).click();
  await expect(reader.getByRole('group', { name: `${before}, page 2` })).toBeVisible();
  await expect(reader.getByRole('group', { name: `${after}, page 2` })).toBeVisible();

  await reader.setViewportSize({ width: 390, height: 844 });
  await reader.getByRole('button', { name: 'Move the two apart' }).click();
  await half(after).getByRole('button', { name: 'Next page' }).click();
  await expect(half(after).getByText('3 of 5', { exact: true })).toBeVisible();
  await isSound(reader, 'phone-apart');
  await reader.getByText('Blink', { exact: true }).first().click();
  await expect(shown).toHaveText(after);
  await isSound(reader, 'phone-blink');
  await reader.context().close();
});

test('a booklet that is read from right to left lies and turns that way, for the customer and for the house', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `rana-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email);
  const pdf = makePdf(texts, undefined, '/ViewerPreferences<</Direction/R2L>>');
  const id = await submit(page, workflowId, `right-${mark}.pdf`, texts, pdf);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  for (const viewer of [reader, page]) {
    if (viewer === page) await page.goto(`/workflows/session/${id}`);
    await drawn(viewer);
    await viewer.getByRole('button', { name: 'View', exact: true }).click();
    await viewer.getByRole('menuitemradio', { name: 'Facing pages' }).click();
    await viewer.keyboard.press('Escape');
    await pages(viewer, '1');
    const stage = await stageOf(viewer).boundingBox();
    if (!stage) throw new Error('no stage');
    const [cover] = await papers(viewer);
    // The first page lies alone, on the left of the spine.
    expect(cover?.right).toBeCloseTo(stage.x + stage.width / 2, 0);
    await viewer.keyboard.press('ArrowLeft');
    await pages(viewer, '2–3');
    await expect.poll(async () => (await papers(viewer)).length).toBe(2);
    // A click on the page at the left opens the third, which follows the second on the right.
    const [left] = await papers(viewer);
    await viewer.mouse.click((left?.left ?? 0) + (left?.width ?? 0) / 2, (left?.top ?? 0) + 30);
    await viewer.getByRole('button', { name: 'View', exact: true }).click();
    await viewer.getByRole('menuitemradio', { name: 'Single pages' }).click();
    await viewer.keyboard.press('Escape');
    await pages(viewer, '3');
    await viewer.keyboard.press('ArrowRight');
    await pages(viewer, '4');
  }
  await reader.getByRole('button', { name: 'View', exact: true }).click();
  await reader.getByRole('menuitemradio', { name: 'Flip through' }).click();
  await reader.keyboard.press('Escape');
  await pages(reader, '4–5');
  await reader.keyboard.press('ArrowRight');
  await pages(reader, '2–3');
  await isSound(reader, 'right-to-left');
  await reader.context().close();
});
