import { expect } from 'playwright/test';
import { test, tokenOf } from './house.ts';

test('an embedded page shows its content alone, and its token stays in no address and no storage', async ({ page }) => {
  const token = await tokenOf(page);
  await page.goto(`/workflows/sessions?embed=true&lang=fr&token=${token}&expiredDate=2030-01-01`);
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Navigation' })).toHaveCount(0);
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  expect(page.url()).not.toContain('token');
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
  expect(kept).not.toContain(token);
  // Inside, one moves about without leaving the mode.
  await page.getByRole('row').nth(1).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Sessions');
  await expect(page.getByRole('banner')).toHaveCount(0);
});

test('an embedded page without a valid token says so and goes nowhere', async ({ page }) => {
  for (const query of [
    '?embed=true',
    '?embed=true&token=made.up.token',
    '?embed=true&token=x&expiredDate=2999-01-01',
  ]) {
    await page.goto('about:blank');
    await page.goto(`/workflows/sessions${query}`);
    await expect(page.getByRole('alert')).toContainText('You do not have a valid token to access this page.');
    await expect(page.getByRole('navigation')).toHaveCount(0);
    expect(new URL(page.url()).pathname).toBe('/workflows/sessions');
  }
});
