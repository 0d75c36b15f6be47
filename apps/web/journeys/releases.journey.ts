import { expect } from 'playwright/test';
import { enter, test } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';

test('asking for newer versions needs an address, is kept, and says what was of no use', { tag: '@night' }, async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await enter(page, context);
  await page.goto('/releases');
  await expect(page.getByText('Not asked yet.')).toBeVisible();
  await page.getByRole('switch', { name: 'Ask once a day' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Set the address that is asked for newer versions.')).toBeVisible();
  // An address of this machine is refused before anything is asked.
  await page.getByLabel('Address that is asked').fill('https://127.0.0.1:1/releases');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved').first()).toBeVisible();
  await page.getByRole('button', { name: 'Look now' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '127.0.0.1:1 lies on a private network' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Ask once a day' })).toBeChecked();
  await looksWellEverywhere(page);
});
