import { oneTimeCode } from '@pdf2press/config/one-time-code';
import { expect, type Locator, type Page } from 'playwright/test';

interface Account {
  email: string;
  password: string;
}

/** Password, code and recovery codes, where they are asked for; resolves to the key, the code that was used, and the recovery codes. */
export async function setUpSecondFactor(
  page: Page,
  asked: Page | Locator,
  password: string,
): Promise<{ key: string; used: string; codes: string[] }> {
  await asked.getByLabel('Current password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const key = ((await page.locator('[data-key]').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This code is not right' })).toBeVisible();
  const used = oneTimeCode(key);
  await page.getByLabel('Code', { exact: true }).fill(used);
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText('These recovery codes are shown only once.')).toBeVisible();
  const codes = ((await page.locator('pre').last().textContent()) ?? '').trim().split('\n');
  expect(codes).toHaveLength(10);
  return { key, used, codes };
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
}

/** Fills in the password, and then a code. */
export async function signInByCode(page: Page, who: Account, code: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Chooses the first password on the page that the link of an invitation leads to. */
export async function choosePassword(page: Page, link: string, password: string): Promise<void> {
  const { pathname, hash } = new URL(link);
  await page.goto(`${pathname}${hash}`);
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Repeat the password').fill(password);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expect(page).toHaveURL(/\/login$/);
}
