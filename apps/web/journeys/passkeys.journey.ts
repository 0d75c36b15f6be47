import { expect, type Page } from 'playwright/test';
import { ask, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';

const password = 'First-0ne!';
const mark = Date.now().toString(36);

/** Somebody with a role of their own, who chose the password by the link of the invitation. */
async function invite(page: Page, name: string, requiresSecondFactor: boolean) {
  const email = `${name}-${mark}@example.com`.toLowerCase();
  const role = { name: `${name} ${mark}`, permissions: ['sessions.view'], requiresSecondFactor };
  const { id } = await ask<{ id: string }>(page, 'POST', '/roles', role);
  await ask(page, 'POST', '/users', { firstName: name, email, roleIds: [id], password, sendActivationEmail: false });
  return { email, password };
}

/** An authenticator that the browser has, whose person is always there. */
async function plugIn(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
}

async function firstStage(page: Page, who: { email: string }): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
}

async function bothLooks(page: Page): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await axeFaults(page)).toEqual([]);
  }
}

test('a person adds a passkey, signs in with it and with a recovery code, renames and removes it', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  await plugIn(page);
  const who = await invite(page, 'Petra', false);
  await signIn(page, '/user/my-profile', who);
  const card = page.getByRole('region', { name: 'Passkeys', exact: true });
  await expect(card).toContainText('There are no passkeys yet.');
  await card.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('My laptop');
  await dialog.getByLabel('Current password').fill('wrong');
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Current password').fill(password);
  await bothLooks(page);
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(dialog.getByText('These recovery codes are shown only once.')).toBeVisible();
  const codes = ((await dialog.locator('pre').textContent()) ?? '').trim().split('\n');
  expect(codes).toHaveLength(10);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(card).toContainText('My laptop');
  await expect(card).toContainText('never used');
  await bothLooks(page);
  await signOut(page);

  await firstStage(page, who);
  await bothLooks(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/user/my-profile');
  await expect(card).toContainText('last used');
  await card.getByRole('button', { name: 'Rename My laptop' }).click();
  await dialog.getByLabel('Name').fill('Desk');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(card).toContainText('Desk');
  await signOut(page);

  await firstStage(page, who);
  await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/user/my-profile');
  await card.getByRole('button', { name: 'Remove Desk' }).click();
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(card).toContainText('There are no passkeys yet.');
  await signOut(page);
  await signIn(page, '/user/my-profile', who);
});

test('without the device the browser says so, and a passkey is enough for a role that demands a second factor', async ({
  page,
}) => {
  const who = await invite(page, 'Paul', true);
  await signIn(page, '/workflows/sessions', who);
  await expect(page.getByText('Your role needs a second factor. Set it up to go on.')).toBeVisible();
  await page.getByRole('button', { name: 'Use a passkey instead' }).click();
  await plugIn(page);
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('Name').fill('Key');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('These recovery codes are shown only once.')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();
  await signOut(page);

  await firstStage(page, who);
  // The person cancels what the browser asks.
  await page.evaluate(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException('cancelled', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('The browser made no passkey');
});
