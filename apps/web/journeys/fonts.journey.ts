import { houseFont } from '@pdf2press/pdf/testing';
import { expect } from 'playwright/test';
import { patience, signIn, test } from './house.ts';
import { looksWell, themeFollows } from './looks.ts';

const mark = Date.now().toString(36);
const sheet = (name: string, fsType = 0) => ({
  name: `${name}.ttf`,
  mimeType: 'font/ttf',
  buffer: Buffer.from(houseFont({ family: name, style: 'Bold', postScriptName: name.replaceAll(' ', ''), fsType })),
});

test('fonts are uploaded together, those that may not be embedded are told, one is found and removed', {
  tag: '@night',
}, async ({ page, context }) => {
  test.setTimeout(patience * 2);
  const [one, two, forbidden] = [`Sans ${mark}`, `Serif ${mark}`, `Restricted ${mark}`];
  await themeFollows(context);
  await signIn(page, '/fonts');
  await expect(page.getByRole('heading', { name: 'Fonts', level: 1 })).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload fonts' }).first().click();
  const broken = { name: 'letter.otf', mimeType: 'font/otf', buffer: Buffer.from('Dear printer, here is our font') };
  await (await chooser).setFiles([sheet(one), sheet(forbidden, 2), broken, sheet(two, 0x104)]);

  const refused = page.getByRole('alert').filter({ hasText: 'Not taken' });
  await expect(refused).toContainText(`Restricted${mark} forbids embedding it in files.`, { timeout: patience });
  await expect(refused).toContainText('letter.otf: This is no TrueType or OpenType font');
  const rows = page.getByRole('table', { name: 'Fonts' }).getByRole('row').filter({ hasText: mark });
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: two })).toContainText('For viewing and printing');
  await expect(rows.filter({ hasText: two })).toContainText('Only the whole font');
  await expect(rows.filter({ hasText: one })).toContainText('Not yet');
  await looksWell(page);
  await refused.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('searchbox', { name: 'Search fonts' }).fill(one);
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button', { name: new RegExp(one) }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(rows).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search fonts' }).fill(mark);
  await expect(rows).toHaveCount(1);
});
