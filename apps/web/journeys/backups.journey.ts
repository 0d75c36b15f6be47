import { expect } from 'playwright/test';
import { enter, patience, test } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';

test('a backup is asked for, made by a worker, read back and listed; the schedule is kept', { tag: '@night' }, async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await enter(page, context);
  await page.goto('/backups');
  await expect(page.getByText('None yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'A backup is being made.' })).toBeVisible();
  const kept = page.locator('[data-backup]');
  await expect(kept).toHaveCount(1, { timeout: 3 * patience });
  await expect(kept).toContainText(/\d+ files? · read back/);
  await expect(page.getByRole('button', { name: 'Back up now' })).toBeEnabled();

  await page.getByLabel('Folder on the server').fill('backups');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Folder on the server')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Folder on the server').fill('');
  await page.getByRole('switch', { name: 'Back up every day' }).click();
  await page.getByLabel('Time').fill('03:30');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved').first()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Time')).toHaveValue('03:30');
  await expect(page.getByRole('switch', { name: 'Back up every day' })).toBeChecked();
  await looksWellEverywhere(page);
});
