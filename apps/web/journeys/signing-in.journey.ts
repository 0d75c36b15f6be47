import { expect } from 'playwright/test';
import { administrator, signIn, test } from './house.ts';

test('without a token every page leads to the sign-in and back again', async ({ page }) => {
  await signIn(page, '/workflows?search=sample');
  await expect(page).toHaveURL(/\/workflows\?search=sample/);
  await expect(page.getByRole('heading', { name: 'Workflows' })).toBeVisible();
});

test('a password in the address never stays in history', async ({ page }) => {
  await page.goto('/login?email=ann%40example.com&password=secret');
  await expect(page.getByLabel('E-mail')).toHaveValue('ann@example.com');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('secret');
  expect(page.url()).not.toContain('secret');
});

test('failed sign-ins say one sentence whoever tries, and lock after five', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(`nobody-${Date.now()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('not it');
  const button = page.getByRole('button', { name: 'Sign in' });
  for (let tries = 0; tries < 6; tries += 1) {
    if (await button.isDisabled()) break;
    const [answer] = await Promise.all([page.waitForResponse(/TokenAuth\/login/), button.click()]);
    expect([401, 429]).toContain(answer.status());
    await expect(page.getByRole('alert')).toContainText(/Your email or password is incorrect|Too many requests/);
  }
});

test('two tabs share one sign-in and its refresh', async ({ page, context }) => {
  await signIn(page);
  const other = await context.newPage();
  await Promise.all([page.reload(), other.goto('/workflows')]);
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Workflows' })).toBeVisible();
  // Signing out in one is signing out in both.
  await other.getByRole('button', { name: /^Account of/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
});

test('a token that the server no longer knows leads to the sign-in with one toast', async ({ page }) => {
  await signIn(page);
  await page.route('**/api/roles', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/json',
      body: JSON.stringify({
        success: false,
        result: null,
        errors: [{ code: 'auth.tokenInvalid', message: 'Token not valid, please login.' }],
      }),
    }),
  );
  await page.getByRole('link', { name: 'Roles' }).first().click();
  await expect(page).toHaveURL(/\/login\?returnTo=%2Frole/);
  await expect(page.getByText('Token not valid, please login.')).toHaveCount(1);
});

test('an embedded page without a token says so and shows nothing else', async ({ page }) => {
  await page.goto('/workflows/sessions?embed=true');
  await expect(page.getByRole('alert')).toContainText('You do not have a valid token to access this page.');
  await expect(page.getByRole('navigation')).toHaveCount(0);
});

test('the keyboard alone signs in, moves about, changes the theme and signs out', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('E-mail').focus();
  await page.keyboard.type(administrator.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(administrator.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await expect(page.getByRole('heading', { name: 'Workflows' })).toBeVisible();
  await page.keyboard.press('t');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.keyboard.press('t');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search pages, actions, sessions, workflows').fill('roles');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Roles' })).toBeVisible();
});
