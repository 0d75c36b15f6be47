import { expect } from 'playwright/test';
import { signIn, test } from './house.ts';

const mark = Date.now().toString(36);
const name = `Acme ${mark}`;

/** A picture of one red pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

test('an organization is made with its look and its page, found by sorting and filter, and deleted by its name', {
  tag: '@night',
}, async ({ page }) => {
  await signIn(page, '/organization/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  const colour = page.getByRole('textbox', { name: /^Colour/ });
  await colour.fill('#f5d90a');
  // The correction is shown while the colour is typed.
  await expect(page.getByText(/Contrast on white is only 1\.\d : 1\. We will use #/)).toBeVisible();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pixel });
  await expect(page.getByRole('img', { name: 'Logo of pages and reports' })).toBeVisible();
  // The proof is the page itself, in the look that is being made.
  await page.getByText('Proof', { exact: true }).click();
  const proof = page.frameLocator('iframe[title="Preview"]');
  await expect(proof.locator('header').first().getByText(name)).toBeVisible();
  await expect(proof.locator('header').first().locator('img')).toBeVisible();
  await page.getByText('Message', { exact: true }).click();

  // An open page needs an address and a workflow: both faults are named.
  await page.getByRole('switch', { name: 'The page is open' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('textbox', { name: /^Address/ })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('textbox', { name: /^Address/ }).fill(`acme-${mark}`);
  await page.getByRole('combobox', { name: 'Workflows' }).click();
  await page.getByRole('option').first().click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();

  await expect(page).toHaveURL(/\/organization$/);
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Public');
  await page.getByRole('button', { name: 'Created' }).click();
  await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('combobox', { name: 'Upload page' }).click();
  await page.getByRole('option', { name: 'None' }).click();
  await expect(row).toHaveCount(0);
  await expect(page).toHaveURL(/sort=createdAt.*pages=none|pages=none.*sort=createdAt/);
  await page.getByRole('option', { name: 'Public' }).click();
  await page.keyboard.press('Escape');
  await expect(row).toBeVisible();

  // What the link of a private page holds is shown once.
  await page.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'Ask for a code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link of the private page' });
  await expect(dialog.getByText(new RegExp(`/upload/acme-${mark}#code=`))).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('button', { name: 'Open without a code' })).toBeVisible();

  await page.goto('/organization');
  await row.getByRole('button', { name: new RegExp(name) }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByText(/no longer offered/)).toBeVisible();
  await question.getByRole('textbox').fill(name);
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});
