import { oneTimeCode } from '@pdf2press/config/one-time-code';
import { expect, type Page } from 'playwright/test';
import { ask, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';
import { choosePassword, setUpSecondFactor, signInByCode, signOut } from './second-factors.ts';

const password = 'First-0ne!';
const mark = Date.now().toString(36);

/** Somebody with a role of their own, who chose the password by the link of the invitation. */
async function invite(page: Page, name: string, requiresSecondFactor: boolean) {
  const email = `${name}-${mark}@example.com`;
  const role = { name: `${name} ${mark}`, permissions: ['sessions.view', 'users.view'], requiresSecondFactor };
  const { id } = await ask<{ id: string }>(page, 'POST', '/roles', role);
  const user = { firstName: name, email, roleIds: [id], sendActivationEmail: true };
  const { activationLink } = await ask<{ activationLink: string }>(page, 'POST', '/users', user);
  await choosePassword(page, activationLink, password);
  return { email, password };
}

test('invited, a person sets up a second factor and signs in with a code, a recovery code, and after a reset without', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  const who = await invite(page, 'Nora', false);
  await signIn(page, '/user/my-profile', who);
  const card = page.getByRole('region', { name: 'Second factor', exact: true });
  await card.getByRole('button', { name: 'Set up' }).click();
  const { key, used, codes } = await setUpSecondFactor(page, page.getByRole('dialog'), password);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(card).toContainText('10 recovery codes are left.');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await axeFaults(page)).toEqual([]);
  }
  await signOut(page);

  // The code that confirmed it is used up; the app's next one counts.
  await signInByCode(page, who, used);
  await expect(page.getByRole('alert')).toContainText('This code is not right, or was used already.');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await axeFaults(page)).toEqual([]);
  }
  await page.getByLabel('Code', { exact: true }).fill(oneTimeCode(key, 1));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await signOut(page);
  await signInByCode(page, who, codes[3] ?? '');
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/user/my-profile');
  await expect(card).toContainText('9 recovery codes are left.');
  await signOut(page);

  // The phone and the codes are lost: an administrator helps.
  await signIn(page, `/user?search=${encodeURIComponent(who.email)}`);
  await page.getByRole('button', { name: 'Actions for Nora' }).click();
  await page.getByRole('menuitem', { name: 'Reset the second factor' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset the second factor' }).click();
  await expect(page.getByText('Nora signs in with the password alone.')).toBeVisible();
  await signOut(page);
  await signIn(page, '/user/my-profile', who);
  await expect(card).toContainText('Off');
});

test('whose role demands a second factor is led to its set-up and sees nothing else before', async ({ page }) => {
  const who = await invite(page, 'Rosa', true);
  await signIn(page, '/user?search=x', who);
  await expect(page.getByRole('heading', { level: 1, name: 'Second factor' })).toBeVisible();
  await page.goto('/workflows/sessions');
  await expect(page.getByText('Your role needs a second factor. Set it up to go on.')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await axeFaults(page)).toEqual([]);
  await setUpSecondFactor(page, page, password);
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();
  await page.goto('/user/my-profile');
  const card = page.getByRole('region', { name: 'Second factor', exact: true });
  await expect(card).toContainText('One of your roles needs it, so it cannot be switched off.');
  await expect(card.getByRole('button', { name: 'Switch off' })).toHaveCount(0);
});
