import { readFileSync } from 'node:fs';
import { expect, type Page } from 'playwright/test';
import sharp from 'sharp';
import { ask, enter, handIn, patience, rowWith, test } from './house.ts';
import { makePdf } from './make-pdf.ts';
import { submitToSample } from './submit.ts';

const mark = Date.now().toString(36);

test('files of others wait behind their number, and the page at which a check is stands in list and session', async ({
  page,
  context,
}) => {
  await enter(page, context);
  const [first, large] = [`others-${mark}-a.pdf`, `others-${mark}-b.pdf`];
  await submitToSample(page, first, makePdf(['']));
  await page.goto(`/workflows/sessions?search=others-${mark}`);
  await rowWith(page, first, 'Completed');

  const pages = 900;
  const id = await submitToSample(page, large, makePdf(Array.from({ length: pages }, (_, at) => `Page ${at + 1}`)));
  const news = page.getByRole('button', { name: '1 new session' });
  await expect(news).toBeVisible();
  // Nothing moved under the pointer.
  await expect(page.getByRole('row').filter({ hasText: large })).toHaveCount(0);
  await news.click();
  const told = new RegExp(`page \\d+ of ${pages}`);
  await expect(page.getByRole('row').filter({ hasText: large })).toContainText(told, { timeout: patience });
  await page.getByRole('row').filter({ hasText: large }).getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Steps' })).toContainText(told);
  // Nobody waits for its end, and it may have come meanwhile.
  await ask(page, 'POST', `/sessions/${id}/stop`).catch(() => undefined);
});

test('the results of several files come home as one ZIP, and a row offers only what can be done', async ({
  page,
  context,
}) => {
  await enter(page, context);
  const names = [`zip-${mark}-a.pdf`, `zip-${mark}-b.pdf`];
  await page.goto('/workflows/sessions');
  await handIn(
    page,
    names.map((name) => ({ name, buffer: makePdf([name]) })),
  );
  await page.getByLabel('Search files and ids').fill(`zip-${mark}`);
  for (const name of names) await rowWith(page, name, 'Completed');
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('toolbar').getByRole('button', { name: 'Download result' }).click(),
  ]);
  const bytes = readFileSync(await download.path());
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
  for (const name of names) expect(bytes.includes(name)).toBe(true);

  await page.getByRole('button', { name: `Actions for ${names[0]}` }).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Download result' })).toBeVisible();
  // It has ended.
  await expect(menu.getByRole('menuitem', { name: 'Stop' })).toHaveCount(0);
});

test('limits that contradict each other are refused where they stand', async ({ page, context }) => {
  await enter(page, context);
  await page.goto('/preflight/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Contradiction ${mark}`);
  await page.getByRole('searchbox').fill('resolution');
  await page
    .getByRole('button', { name: /^Image resolution/ })
    .first()
    .click();
  const limit = page
    .getByRole('region', { name: /^Image resolution/ })
    .getByRole('textbox', { name: 'Error up to' })
    .first();
  await limit.fill('249');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(limit).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(/^The limit of the error must not be above that of the warning/)).toBeVisible();
  await expect(page).toHaveURL(/\/preflight\/new/);
});

/** The mean colour of a part of what is seen, red, green and blue from 0 to 255. */
async function colourAt(page: Page, clip: { x: number; y: number; width: number; height: number }): Promise<number[]> {
  const { channels } = await sharp(await page.screenshot({ clip })).stats();
  return channels.slice(0, 3).map(({ mean }) => mean);
}

test('a spot colour looks the same as printed, among the inks, and alone', { tag: '@night' }, async ({
  page,
  context,
}) => {
  await enter(page, context);
  const id = await submitToSample(page, `spot-${mark}.pdf`, makePdf(['Spot'], undefined, '', 'HKS#2043'));
  await page.goto(`/workflows/session/${id}`);
  const stage = page.getByRole('group', { name: /^Page 1:/ });
  await expect(stage.locator('img[class*=tile]').first()).toBeVisible({ timeout: patience });
  const box = await stage.locator('img[class*=tile]').first().boundingBox();
  if (!box) throw new Error('the page has no box');
  // Marks of findings would lie on the colour.
  await page.keyboard.press('m');
  // On the line of the ink, which runs 40 pt inside of the sheet's edge and is 6 pt wide.
  const scale = box.width / 419.53;
  const clip = { x: box.x + 39 * scale, y: box.y + box.height / 2, width: 2 * scale, height: 20 };
  const printed = await colourAt(page, clip);
  expect(Math.min(...printed)).toBeLessThan(120);
  await page.getByRole('button', { name: 'Inks', exact: true }).click();
  const menu = page.getByRole('dialog', { name: 'Inks' });
  await menu.getByText('Separations').click();
  await menu.getByRole('checkbox', { name: 'Yellow' }).click();
  await expect(stage.locator('canvas').first()).toBeVisible();
  const among = await colourAt(page, clip);
  await menu.getByRole('button', { name: 'HKS 43 alone' }).click();
  await expect(menu.getByRole('checkbox', { checked: true })).toHaveCount(1);
  const alone = await colourAt(page, clip);
  for (const seen of [among, alone])
    for (const [at, value] of seen.entries()) expect(Math.abs(value - (printed[at] ?? 0))).toBeLessThan(6);
});
