import { readFileSync } from 'node:fs';
import { expect } from 'playwright/test';
import { enter, handIn, rowWith, test } from './house.ts';
import { makePdf } from './make-pdf.ts';

const mark = `list-${Date.now().toString(36)}`;
const names = ['one', 'two', 'three'].map((word) => `${mark}-${word}.pdf`);

test('the list is searched, sorted, filtered, kept as a view, exported and acted on in bulk', async ({
  page,
  context,
}) => {
  await enter(page, context);
  await page.goto('/workflows/sessions');
  await handIn(
    page,
    names.map((name) => ({ name, buffer: makePdf([name]) })),
  );
  await page.getByLabel('Search files and ids').fill(mark);
  await expect(page).toHaveURL(new RegExp(`search=${mark}`));
  for (const name of names) await rowWith(page, name, 'Completed');

  // The sort order is in the address and in aria-sort.
  await page.getByRole('button', { name: 'File name' }).click();
  const head = page.getByRole('columnheader', { name: 'File name' });
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'File name' }).click();
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/sort=fileName/);
  await expect(page.getByRole('row').nth(1)).toContainText(names[0] ?? '');

  // Columns are the visitor's own and survive a reload.
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Source type', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Source type' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Source type' })).toHaveCount(0);
  await expect(page.getByLabel('Search files and ids')).toHaveValue(mark);

  // Filters are saved as a view under a name.
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(`Mine ${mark}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const mine = page.getByRole('button', { name: `Mine ${mark}`, exact: true });
  // Only once the view is kept does "All" leave it, and the search with it.
  await expect(mine).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'All', exact: false }).first().click();
  await expect(page).not.toHaveURL(/search/);
  await mine.click();
  await expect(page).toHaveURL(new RegExp(`search=${mark}`));
  await page.getByRole('button', { name: `Remove Mine ${mark}` }).click();
  await expect(mine).toHaveCount(0);

  // The export has the rows of the list and its visible columns.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(names.length + 1);
  // Where another test has made an organization by now, its column is there, too.
  expect(lines[0]?.replace(',organization', '')).toBe('fileName,status,errors,createdAt,workflow,source');
  expect(lines[1]).toContain(names[0]);

  // By keyboard: select a range of rows, then delete with a confirmation.
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await page.getByRole('heading', { name: 'Sessions' }).click();
  for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Nothing matches')).toBeVisible();
});
