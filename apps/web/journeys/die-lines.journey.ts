import { expect, type Page } from 'playwright/test';
import sharp from 'sharp';
import { enter, test } from './house.ts';
import { isSound, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { drawn, linkFor, makeProvingWorkflow, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';

/* Lines for cutting and folding are taken off the page and put back, without the separations being shown. */

const mark = Date.now().toString(36);

/** How much of what the stage shows of a page is magenta, as the line is, and how much is red, as what is printed is. */
async function colours(page: Page, no = 1): Promise<{ magenta: number; red: number }> {
  const stage = page.getByRole('group', { name: new RegExp(`^Page ${no}:`) });
  const { data, info } = await sharp(await stage.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const found = { magenta: 0, red: 0 };
  for (let at = 0; at < data.length; at += info.channels) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    if (red > 180 && green < 90 && blue > 90) found.magenta += 1;
    if (red > 180 && green >= 90 && green < 190 && blue < 170) found.red += 1;
  }
  return found;
}
const magenta = async (page: Page): Promise<number> => (await colours(page)).magenta;

async function tick(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Boxes', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Fold and die lines' }).click();
  await page.keyboard.press('Escape');
}

test('a customer and the house take the die line off the page, and put it back', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  await themeFollows(context);
  await enter(page, context);
  const email = `dora-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email);
  const pdf = makePdf(['Carton'], undefined, '', 'CutContour');
  const id = await submit(page, workflowId, `carton-${mark}.pdf`, ['Carton'], pdf);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await page.goto(`/workflows/session/${id}`);
  for (const viewer of [reader, page]) {
    await drawn(viewer);
    await expect.poll(() => magenta(viewer)).toBeGreaterThan(1000);
    await tick(viewer);
    await expect.poll(() => magenta(viewer)).toBe(0);
    await expect(viewer.locator('[data-box="trim"]')).toBeVisible();
    await isSound(viewer, viewer === reader ? 'without-lines' : 'without-lines-house');
    await tick(viewer);
    await expect.poll(() => magenta(viewer)).toBeGreaterThan(1000);
  }
  await reader.context().close();
});

test('a cut contour in process colours is taken off by its layer, called as such lines are or a processing step, and the art stays', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await enter(page, context);
  const email = `dean-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, {}, [{ key: 'PageCount', settings: { max: 2 } }]);
  const layers = [
    { name: 'Die', isStep: false },
    { name: 'Structure', isStep: true },
  ];
  const pdf = makePdf(['Lid', 'Base'], undefined, '', layers);
  const id = await submit(page, workflowId, `box-${mark}.pdf`, ['Lid', 'Base'], pdf);
  await becomes(page, id, /^OnHold$/);
  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  for (const no of [1, 2]) {
    const now = () => colours(reader, no);
    await expect.poll(async () => (await now()).magenta).toBeGreaterThan(1000);
    const { red } = await now();
    expect(red).toBeGreaterThan(5000);
    // Pixels at the edges are between the colours of what meets there.
    const artStays = async () => expect(Math.abs((await now()).red - red)).toBeLessThan(red / 100);
    await tick(reader);
    await expect.poll(async () => (await now()).magenta).toBe(0);
    await artStays();
    await isSound(reader, `without-layer-${no}`);
    await tick(reader);
    await expect.poll(async () => (await now()).magenta).toBeGreaterThan(1000);
    await artStays();
    await reader.keyboard.press('ArrowRight');
  }
  await reader.context().close();
});
