import { expect, type Page } from 'playwright/test';
import sharp from 'sharp';
import { enter, test } from './house.ts';
import { themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { drawn, isSound, linkFor, makeProvingWorkflow, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';

/* Lines for cutting and folding are taken off the page and put back, without the separations being shown. */

const mark = Date.now().toString(36);

/** How much of what the stage shows is magenta, as the line is. */
async function magenta(page: Page): Promise<number> {
  const stage = page.getByRole('group', { name: /^Page 1:/ });
  const { data, info } = await sharp(await stage.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let found = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    if (red > 180 && green < 90 && blue > 90) found += 1;
  }
  return found;
}

async function tick(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Boxes', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Fold and die lines' }).click();
  await page.keyboard.press('Escape');
}

test('a customer and the house take the die line off the page, and put it back', async ({ page, context, browser }) => {
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
