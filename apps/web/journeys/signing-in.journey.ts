import { expect } from 'playwright/test';
import { administrator, ask, signIn, test } from './house.ts';

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

test('five wrong passwords lock the account: the right one is refused, too, until the lock ends or an administrator lifts it', async ({
  page,
}) => {
  const who = { email: `locked-${Date.now().toString(36)}@example.com`, password: 'Right-0ne!' };
  const user = { ...who, firstName: 'Lou', isActive: true, sendActivationEmail: false, roleIds: [] };
  const { id } = await ask<{ id: string }>(page, 'POST', '/users', user);
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(who.email);
  const password = page.getByLabel('Password', { exact: true });
  const button = page.getByRole('button', { name: 'Sign in' });
  await password.fill('not it');
  // After the third refusal the browser solves a proof of work with each attempt, without user interaction.
  for (let tries = 0; tries < 5; tries += 1) {
    const [answer] = await Promise.all([page.waitForResponse(/TokenAuth\/login/), button.click()]);
    expect(answer.status()).toBe(401);
    await expect(page.getByRole('alert')).toContainText('Your email or password is incorrect.');
  }
  await page.reload();
  await page.getByLabel('E-mail').fill(who.email);
  await password.fill(who.password);
  const [refused] = await Promise.all([page.waitForResponse(/TokenAuth\/login/), button.click()]);
  expect(refused.status()).not.toBe(200);
  await expect(page).toHaveURL(/\/login/);

  await ask(page, 'POST', `/users/${id}/unlock`);
  await page.reload();
  await page.getByLabel('E-mail').fill(who.email);
  await password.fill(who.password);
  await button.click();
  await expect(page).not.toHaveURL(/\/login/);
});

test('two tabs share one sign-in and its refresh', async ({ page, context }) => {
  await signIn(page);
  const other = await context.newPage();
  await Promise.all([page.reload(), other.goto('/workflows')]);
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Workflows' })).toBeVisible();
  // Signing out in one tab signs out in both.
  await other.getByRole('button', { name: /^Account of/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
});

test('a token that the server no longer knows leads to the sign-in with one toast', async ({ page }) => {
  await signIn(page);
  await page.route('**/api/roles*', (route) =>
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
  // The toast stays five seconds only: it is waited for beside the address.
  await Promise.all([
    expect(page.getByText('Token not valid, please login.')).toHaveCount(1),
    expect(page).toHaveURL(/\/login\?returnTo=%2Frole/),
    page.getByRole('link', { name: 'Roles' }).first().click(),
  ]);
  // The toast disappears; the message at the form stays.
  await expect(page.getByText('You have been signed out.')).toBeVisible();
});

test('an expired sign-in is reported at the next load; a sign-out is not', async ({ page, context }) => {
  await signIn(page, '/user/my-profile');
  await context.clearCookies();
  await page.reload();
  await expect(page).toHaveURL(/returnTo=%2Fuser%2Fmy-profile/);
  await expect(page.getByRole('status')).toContainText('You have been signed out.');
  await signIn(page, '/role');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('You have been signed out.')).toHaveCount(0);
});

test('attempts from other addresses count, too: the page solves the proof of work and the right password is accepted', async ({
  page,
}) => {
  const who = { email: `tried-${Date.now().toString(36)}@example.com`, password: 'Right-0ne!' };
  const user = { ...who, firstName: 'Tia', isActive: true, sendActivationEmail: false, roleIds: [] };
  await ask(page, 'POST', '/users', user);
  for (let tries = 0; tries < 4; tries += 1)
    await page.request.post('/api/TokenAuth/login', { data: { email: who.email, password: 'not it' } });
  await signIn(page, '/', who);
});

test('signing in, navigating, changing the theme and signing out by keyboard', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('E-mail').focus();
  await page.keyboard.type(administrator.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(administrator.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  // Two keys of a sequence must come within a second; a slow machine may need another try.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await expect(page.getByRole('heading', { name: 'Workflows' })).toBeVisible({ timeout: 2_000 });
  }).toPass();
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
