import { expect, type Page } from 'playwright/test';
import { enter, signIn, test } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';
import { choosePassword } from './second-factors.ts';

const mark = Date.now().toString(36);
const password = 'First-0ne!';
const address = (name: string) => `${name}-${mark}@example.com`;

const choose = (page: Page, csv: string) =>
  page
    .getByRole('dialog', { name: 'Import' })
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });

test('a list of users is looked through line by line, mended and imported; a link lets one in', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  await enter(page, context);
  await page.goto('/user');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await choose(page, 'nothing;of;use\n1;2;3\n');
  await expect(dialog.getByRole('alert')).toContainText('The first row has no column email.');

  await choose(
    page,
    `\uFEFFE-Mail;Name;Roles\r\n${address('iva')};"Iva\nLind";Viewer\r\n${address('jon')};Jon;Nobody\r\nadmin@pdf2press.test;Admin;\r\n`,
  );
  const lines = dialog.getByRole('table').getByRole('row');
  await expect(lines).toHaveCount(4);
  await expect(lines.nth(1)).toContainText('There is no role Nobody.');
  await expect(lines.filter({ hasText: 'Iva Lind' })).toContainText('New');
  await expect(dialog.getByRole('button', { name: /^Import / })).toHaveCount(0);
  await looksWellEverywhere(page);

  await choose(page, `email,name,roles\n${address('iva')},Iva Lind,Viewer\n${address('jon')},Jon,Viewer\n`);
  await dialog.getByRole('button', { name: 'Import 2 users' }).click();
  await expect(page.getByText('2 users were imported.')).toBeVisible();
  await expect(dialog.getByText('No mail server is set, so no message is sent.')).toBeVisible();
  const links = (await dialog.locator('pre').textContent()) ?? '';
  const link =
    links
      .split('\n')
      .find((line) => line.startsWith(address('iva')))
      ?.split('\t')[1] ?? '';
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('searchbox', { name: 'Search users' }).fill(mark);
  await expect(page.getByRole('row').filter({ hasText: mark })).toHaveCount(2);

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await choosePassword(page, link, password);
  await signIn(page, '/workflows/sessions', { email: address('iva'), password });
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();
});
