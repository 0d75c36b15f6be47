import { encryptedPdf } from '@pdf2press/pdf/testing';
import { expect } from 'playwright/test';
import { handIn, patience, signIn, test } from './house.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);
const names = { leaflet: `leaflet-${mark}.pdf`, booklet: `booklet-${mark}.pdf`, broken: `broken-${mark}.pdf` };

test('three files are submitted, one of them broken; a finding is shown on the page; restart; delete', async ({
  page,
}) => {
  await signIn(page);
  await handIn(page, [
    { name: names.leaflet, buffer: makePdf([`Leaflet ${mark}`]) },
    { name: names.booklet, buffer: makePdf([`Booklet ${mark}`, 'Second page', 'Third page']) },
    { name: names.broken, buffer: Buffer.from(`This is no PDF at all ${mark}`) },
  ]);

  // Live updates without a reload.
  await page.getByLabel('Search files and ids').fill(mark);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const settle = async () => {
    const news = page.getByRole('button', { name: /new session/ });
    if (await news.isVisible()) await news.click();
  };
  await expect(async () => {
    await settle();
    await expect(row(names.broken)).toContainText('Failed', { timeout: 500 });
    await expect(row(names.leaflet)).toContainText('Completed', { timeout: 500 });
    await expect(row(names.booklet)).toContainText('Completed', { timeout: 500 });
  }).toPass({ timeout: patience });

  // The reason of the failure is on its page, as a sentence and a code.
  await row(names.broken).getByRole('link').click();
  await expect(page.getByRole('alert').filter({ hasText: 'PDF_NOT_PDF' })).toContainText('The file is not a PDF.');
  // The step that failed is open and leads to its line in the log, whose address opens the log again.
  await page
    .getByRole('link', { name: /^\d+:\d\d:\d\d/ })
    .last()
    .click();
  await expect(page).toHaveURL(/#event-\d+$/);
  await page.reload();
  await expect(page.getByRole('log').locator('[aria-current]')).toContainText('Failed');
  await page.getByLabel('Search the log').fill('received');
  await expect(page.getByRole('log').getByRole('listitem')).toHaveCount(1);
  await page.getByRole('link', { name: 'Sessions' }).first().click();

  // A finding leads to its place on the page.
  await page.getByLabel('Search files and ids').fill(names.booklet);
  await row(names.booklet).getByRole('link').click();
  const finding = page.getByRole('button', { name: /^The font Helvetica/ }).first();
  await finding.click();
  await expect(finding).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('rect[data-chosen]').first()).toBeVisible();
  await expect(
    page
      .getByRole('group', { name: /^Page \d/ })
      .locator('img')
      .first(),
  ).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('2 of 3')).toBeVisible();

  // Restart from the original; the previous run stays readable.
  await page.getByRole('button', { name: 'Restart' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restart' }).click();
  await expect(page.getByText('run 2')).toBeVisible();
  await expect(page.getByText('1 earlier run')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Completed', { timeout: patience });

  // Gone from the list once deleted.
  await page.getByRole('button', { name: `Actions for ${names.booklet}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/workflows\/sessions/);
  await page.getByLabel('Search files and ids').fill(names.booklet);
  await expect(page.getByText('Nothing matches')).toBeVisible();
});

test('the password of a protected file is asked for where the session says that it is needed', async ({ page }) => {
  const [name, password] = [`locked-${mark}.pdf`, 'Zitrone 7'];
  await signIn(page);
  await handIn(page, [{ name, buffer: Buffer.from(encryptedPdf(password)) }]);
  await page.getByLabel('Search files and ids').fill(name);
  await page.getByRole('row').filter({ hasText: name }).getByRole('link').click();
  const banner = page.getByRole('alert').filter({ hasText: 'PDF_ENCRYPTED' });
  await expect(banner.getByRole('button', { name: 'Replace the file' })).toBeVisible({ timeout: patience });
  await banner.getByRole('button', { name: 'Enter password' }).click();
  const dialog = page.getByRole('dialog', { name: `Open ${name}` });
  const field = dialog.getByRole('textbox', { name: 'Password of the PDF' });
  await field.fill('wrong');
  await dialog.getByRole('button', { name: 'Open the file' }).click();
  await expect(dialog.getByText('This password does not open the file. Nothing was changed.')).toBeVisible();
  await field.fill(password);
  await dialog.getByRole('button', { name: 'Open the file' }).click();
  await expect(page.getByText('run 2')).toBeVisible({ timeout: patience });
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Completed', { timeout: patience });
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.getByRole('log')).toContainText('File opened with its password');
});

test('a session is shown on its workflow, with the steps it ran', async ({ page }) => {
  const name = `shown-${mark}.pdf`;
  await signIn(page);
  await handIn(page, [{ name, buffer: makePdf([`Shown ${mark}`]) }]);
  await page.getByLabel('Search files and ids').fill(name);
  await page.getByRole('row').filter({ hasText: name }).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Completed', { timeout: patience });
  await page.getByRole('link', { name: 'Show on the workflow' }).click();
  await expect(page.getByRole('application').or(page.locator('.react-flow')).first()).toBeVisible();
  await expect(page.locator('.react-flow__node').filter({ hasText: 'Done' }).first()).toBeVisible();
});
