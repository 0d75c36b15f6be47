import { expect, type Page } from 'playwright/test';
import { ask, signIn, test } from './house.ts';

const first = 'First-0ne!';
const second = 'Sec0nd-one!';

/** A user with every permission, so that the administrator of the tests keeps password and language. */
async function makePerson(page: Page, name: string): Promise<{ email: string; password: string }> {
  const roles = await ask<{ id: string; isStatic: boolean }[] | { items: { id: string; isStatic: boolean }[] }>(
    page,
    'GET',
    '/roles',
  );
  const all = Array.isArray(roles) ? roles : roles.items;
  const roleIds = all.filter(({ isStatic }) => isStatic).map(({ id }) => id);
  const who = { email: `${name}-${Date.now().toString(36)}@example.com`, password: first };
  await ask(page, 'POST', '/users', { ...who, firstName: 'Pat', isActive: true, sendActivationEmail: false, roleIds });
  return who;
}
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a forgotten password: the same response for every address, and a link for one new password that meets the rules', async ({
  page,
}) => {
  const who = await makePerson(page, 'forgetful');
  for (const email of [`nobody-${who.email}`, who.email]) {
    await page.goto('/forgot-password');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByRole('status')).toHaveText(
      'If there is an account with this address, a link is on its way.',
    );
  }
  // Without a mail server the messages are kept where an administrator reads them.
  let link = '';
  await expect(async () => {
    const mails = await ask<{ to: string; text: string }[]>(page, 'GET', '/kept-mail');
    link = /https?:\S+\/reset-password#\S+/.exec(mails.find(({ to }) => to.includes(who.email))?.text ?? '')?.[0] ?? '';
    expect(link).not.toBe('');
  }).toPass();
  const { pathname, hash } = new URL(link);
  const open = async () => {
    await page.goto('about:blank');
    await page.goto(`${pathname}${hash}`);
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    expect(page.url()).not.toContain(hash.slice(1));
  };
  await open();
  const rules = page.getByRole('list', { name: 'Password requirements' }).getByRole('listitem');
  const met = rules.filter({ has: page.getByLabel('Met') });
  const [password, repeated] = [page.getByLabel('New password'), page.getByLabel('Repeat the password')];
  await expect(rules).toHaveCount(5);
  await password.fill('abc1');
  await expect(met).toHaveCount(2);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expect(page.getByText('The password needs at least 6 characters.')).toHaveCount(2);
  await password.fill(second);
  await expect(met).toHaveCount(5);
  await repeated.fill(first);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expect(page.getByText('The two passwords differ.')).toBeVisible();
  await repeated.fill(second);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, '/user/my-profile', { ...who, password: second });
  await expect(page.getByRole('heading', { name: 'My profile' })).toBeVisible();

  await open();
  await password.fill(first);
  await repeated.fill(first);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.');
});

test('my profile: name, language, shortcuts, signed-in sessions, API keys, embed tokens and the password', {
  tag: '@night',
}, async ({ page }) => {
  const who = await makePerson(page, 'profile');
  await signIn(page, '/user/my-profile', who);

  await page.getByLabel('First name').fill('Patricia');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Français' }).click();
  await card(page, 'Your data').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mon profil' })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Prénom')).toHaveValue('Patricia');
  await page.getByRole('combobox', { name: 'Langue' }).click();
  await page.getByRole('option', { name: 'English' }).click();
  await card(page, 'Vos données').getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My profile' })).toBeVisible();

  // Keys of a single letter can be switched off (WCAG 2.1.4); those with a modifier stay.
  const scheme = page.locator('html');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('t');
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('switch', { name: 'Single-letter shortcuts' }).uncheck();
  await page.keyboard.press('t');
  await page.keyboard.press('Control+k');
  await expect(page.getByPlaceholder(/^Search pages/)).toBeVisible();
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.keyboard.press('Escape');

  const elsewhere = await page.request.post('/api/TokenAuth/login', { data: who });
  const { result } = (await elsewhere.json()) as { result: { authToken: string } };
  const asElsewhere = () => page.request.get('/api/me', { headers: { authorization: `Bearer ${result.authToken}` } });
  expect((await asElsewhere()).status()).toBe(200);
  await page.reload();
  const signedIn = card(page, 'Where you are signed in').getByRole('listitem');
  await expect(signedIn).toHaveCount(2);
  await signedIn.filter({ hasNotText: 'This browser' }).getByRole('button', { name: 'Sign out' }).click();
  await expect(signedIn).toHaveCount(1);
  expect((await asElsewhere()).status()).toBe(401);

  const dialogOf = async (name: string) => {
    await page.getByRole('button', { name }).click();
    return page.getByRole('dialog', { name });
  };
  const keys = await dialogOf('New API key');
  await keys.getByRole('button', { name: 'Create the key' }).click();
  await expect(keys.getByText('Value is required')).toBeVisible();
  const name = `Shop of ${who.email}`;
  await keys.getByLabel('Name').fill(name);
  await keys.getByRole('button', { name: 'Create the key' }).click();
  const key = (await keys.locator('pre').textContent()) ?? '';
  const byKey = () => page.request.get('/api/sessions', { headers: { 'x-api-key': key } });
  expect((await byKey()).status()).toBe(200);
  await keys.getByRole('button', { name: 'Close' }).last().click();
  const own = card(page, 'API keys').getByRole('listitem').filter({ hasText: name });
  await own.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(own).toHaveCount(0);
  expect((await byKey()).status()).toBe(401);

  const tokens = await dialogOf('New embed token');
  await tokens.getByLabel('Name').fill(name);
  await tokens.getByLabel('Sites').fill('shop.example,');
  await tokens.getByRole('button', { name: 'Create the token' }).click();
  await expect(tokens.getByText('The address must begin with https:// or http://')).toBeVisible();
  await tokens.getByLabel('Sites').press('Backspace');
  await tokens.getByLabel('Sites').fill('https://shop.example/orders,');
  await tokens.getByLabel('Valid for (days)').fill('30');
  await tokens.getByRole('button', { name: 'Create the token' }).click();
  await expect(tokens.locator('pre')).toContainText('/workflows/sessions?embed=true&token=');
  await tokens.getByRole('button', { name: 'Close' }).last().click();
  await expect(card(page, 'Embed tokens').getByRole('listitem').filter({ hasText: name })).toContainText(
    'https://shop.example',
  );

  await page.getByLabel('Current password').fill(first);
  await page.getByLabel('New password').fill(second);
  await page.getByLabel('Repeat the password').fill(second);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expect(page.getByText('The password was changed.')).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, '/user/my-profile', { ...who, password: second });
  await expect(page.getByRole('heading', { name: 'My profile' })).toBeVisible();
});
