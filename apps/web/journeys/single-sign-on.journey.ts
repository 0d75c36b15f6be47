import { type IdentityProvider, startIdentityProvider } from '@pdf2press/config/identity-provider';
import { expect, type Page } from 'playwright/test';
import { administrator, ask, confirmChanges, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';

const port = Number(process.env.SIGN_ON_PORT ?? 0);
const mark = Date.now().toString(36);
const domain = `${mark}.example`;
let service: IdentityProvider;

test.use({ mayVisit: `http://127.0.0.1:${port}` });
test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ baseURL }) => {
  service = await startIdentityProvider({ port, redirect: `${baseURL}/login` });
  service.people.set('vera', {
    email: `vera@${domain}`,
    email_verified: true,
    given_name: 'Vera',
    family_name: 'Voss',
  });
  service.people.set('otto', { email: 'otto@elsewhere.example', email_verified: true });
});
test.afterAll(() => service.stop());

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
}

/** At the service: says who one is, and is led back. */
async function visitAs(page: Page, subject: string, button = 'House account'): Promise<void> {
  await page.getByRole('button', { name: button }).last().click();
  await expect(page.getByRole('heading', { name: 'The house’s service' })).toBeVisible();
  await page.getByLabel('Account').fill(subject);
  await page.getByRole('button', { name: 'Go on' }).click();
}

async function bothLooks(page: Page): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await axeFaults(page)).toEqual([]);
  }
}

test('an administrator sets up where people sign in; somebody new comes in through it, and a stranger does not', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  await signIn(page, '/settings?tab=signOn');
  await page.getByLabel('Offer it on the sign-in page').check({ force: true });
  await page.getByRole('button', { name: 'Save' }).click();
  // Switched on it needs to know where.
  await expect(page.getByText('Value is required').first()).toBeVisible();
  await page.getByLabel('Address of the service (issuer)').fill(service.issuer);
  await page.getByRole('button', { name: 'Test the service' }).click();
  await expect(page.getByText('Connected.')).toBeVisible();
  await page.getByLabel('Text of the button').fill('House account');
  await page.getByLabel('Client ID').fill(service.clientId);
  await page.getByLabel('Client secret').fill(service.clientSecret);
  await page.getByRole('combobox', { name: 'E-mail domains' }).fill(`@${domain}, `);
  await page.getByRole('combobox', { name: 'Role of new people' }).click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await bothLooks(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await confirmChanges(page);
  await expect(page.getByText('Saved', { exact: false }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText('A secret key is stored. Enter a new one to replace it.')).toBeVisible();
  await expect(page.getByLabel('Client secret')).toHaveValue('');
  const returnAddress = page.getByText(/\/login$/);
  await expect(returnAddress).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signOut(page);

  // Led to where one wanted to go, also over the other service.
  await page.goto('/workflows/sessions');
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('button', { name: 'House account' })).toBeVisible();
  await bothLooks(page);
  await visitAs(page, 'vera');
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();
  expect(page.url()).not.toContain('code=');
  await expect(page.getByRole('button', { name: 'Account of Vera Voss' })).toBeVisible();
  await signOut(page);

  await context.clearCookies();
  await page.goto('/login');
  await visitAs(page, 'otto');
  await expect(page.getByRole('alert')).toContainText('Addresses at elsewhere.example may not sign in here.');
  await bothLooks(page);
  // What was sent back is not tried once more.
  await page.reload();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByLabel('E-mail')).toBeVisible();
});

test('somebody with a password links an account whose address the service has not verified, and unlinks it', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  const settings = await ask<{ singleSignOnSettings: { allowedDomains: string[] } }>(page, 'GET', '/SystemSettings');
  const { email } = await ask<{ email: string }>(page, 'GET', '/me');
  const allowedDomains = [email.slice(email.indexOf('@') + 1)];
  const singleSignOnSettings = { ...settings.singleSignOnSettings, allowedDomains };
  await ask(page, 'PUT', '/SystemSettings', { ...settings, singleSignOnSettings });
  service.people.set('entra', {});
  await signIn(page, '/user/my-profile');
  const card = page.getByRole('region', { name: 'Sign in with another service' });
  await expect(card.getByText('Not linked.')).toBeVisible();
  await card.getByRole('button', { name: 'Link an account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(administrator.password);
  await bothLooks(page);
  // Of the two buttons, that of the dialog.
  await visitAs(page, 'entra', 'Link an account');
  await expect(page).toHaveURL(/\/user\/my-profile$/);
  await expect(card.getByText(/^linked /)).toBeVisible();
  await bothLooks(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signOut(page);

  // The service would remember who was there.
  await context.clearCookies();
  await page.goto('/login');
  await visitAs(page, 'entra');
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible();
  await page.goto('/user/my-profile');
  await card.getByRole('button', { name: /^Unlink/ }).click();
  await dialog.getByLabel('Current password').fill(administrator.password);
  await dialog.getByRole('button', { name: 'Unlink' }).click();
  await expect(card.getByText('Not linked.')).toBeVisible();
});

test('switched off, the sign-in page offers the password alone', { tag: '@night' }, async ({ page }) => {
  const { singleSignOnSettings, ...settings } = await ask<{ singleSignOnSettings: object }>(
    page,
    'GET',
    '/SystemSettings',
  );
  const signOn = { ...singleSignOnSettings, isOn: false };
  await ask(page, 'PUT', '/SystemSettings', { ...settings, singleSignOnSettings: signOn });
  await page.goto('/login');
  await expect(page.getByLabel('E-mail')).toBeVisible();
  await expect(page.getByRole('button', { name: 'House account' })).toHaveCount(0);
});
