import { oneTimeCode } from '@pdf2press/config/one-time-code';
import { decodedMail, startMailServer, type TestMailServer } from '@pdf2press/mail/testing';
import { expect, type Page } from 'playwright/test';
import { signIn, test } from './house.ts';
import { choosePassword, setUpSecondFactor, signInByCode, signOut } from './second-factors.ts';
import { foundIn, writeThrough, writeThroughTestServer } from './written.ts';

/* By screens alone, with a mail server that takes what the house writes: invited, a second factor, locked, unlocked. */

const who = { email: `ines-${Date.now().toString(36)}@customer.test`, password: 'First-0ne!' };
/** As the settings have it. */
const mostAttempts = 5;

let mails: TestMailServer;
test.beforeAll(async () => {
  mails = await startMailServer(decodedMail);
});
test.afterAll(() => mails.stop());

/** Tries a password; resolves to the status of the answer. */
async function tryPassword(page: Page, password: string): Promise<number> {
  await page.getByLabel('E-mail').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  const [answer] = await Promise.all([
    // After the third refusal the browser solves a proof of work first.
    page.waitForResponse(/TokenAuth\/login/),
    page.getByRole('button', { name: 'Sign in', exact: true }).click(),
  ]);
  return answer.status();
}

test('invited by mail, a person chooses a password and a second factor, is locked out, and let in again', async ({
  page,
  browser,
}) => {
  await signIn(page, '/user');
  const before = await writeThroughTestServer(page, mails);
  const theirs = await browser.newContext();
  const own = await theirs.newPage();
  try {
    await page.goto('/user');
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByLabel('First name').fill('Ines');
    await page.getByRole('textbox', { name: 'E-mail' }).fill(who.email);
    await expect(page.getByRole('switch', { name: 'Send an activation e-mail' })).toBeChecked();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/user$/);

    const link = await foundIn(mails, who.email, /https?:\/\/\S+\/reset-password#[\w.=-]+/);
    await choosePassword(own, link, who.password);
    await signIn(own, '/user/my-profile', who);
    const card = own.getByRole('region', { name: 'Second factor', exact: true });
    await card.getByRole('button', { name: 'Set up' }).click();
    const { key } = await setUpSecondFactor(own, own.getByRole('dialog'), who.password);
    await own.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await expect(card).toContainText('10 recovery codes are left.');
    await signOut(own);

    await own.goto('/login');
    for (let tries = 0; tries < mostAttempts; tries += 1) {
      expect(await tryPassword(own, 'not it')).toBe(401);
      await expect(own.getByRole('alert')).toContainText('Your email or password is incorrect.');
    }
    await own.reload();
    expect(await tryPassword(own, who.password), 'the right password does not open it either').not.toBe(200);
    await expect(own).toHaveURL(/\/login/);

    await page.goto(`/user?search=${encodeURIComponent(who.email)}`);
    const row = page.getByRole('row').filter({ hasText: who.email });
    await expect(row).toContainText('Locked');
    await page.getByRole('button', { name: 'Actions for Ines' }).click();
    await page.getByRole('menuitem', { name: 'Unlock' }).click();
    await expect(page.getByText('Ines may sign in again.')).toBeVisible();
    await expect(row).toContainText('Active');

    // The password alone does not open it: the code is asked for as before.
    await signInByCode(own, who, oneTimeCode(key, 1));
    await own.waitForURL((url) => url.pathname !== '/login');
    await own.goto('/user/my-profile');
    await expect(card).toContainText('10 recovery codes are left.');
  } finally {
    await theirs.close();
    await writeThrough(page, before);
  }
});
