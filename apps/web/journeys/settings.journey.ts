import { expect } from 'playwright/test';
import { ask, confirmChanges, enter, signIn, test } from './house.ts';
import { looksWell, looksWellEverywhere, themeFollows } from './looks.ts';

test('saving the settings first shows what changes, and a field goes back to what holds without it', async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await enter(page, context);
  const before = await ask<object>(page, 'GET', '/SystemSettings');
  try {
    await page.goto('/settings?tab=mail');
    await page.getByLabel('Server', { exact: true }).fill('mail.example.com');
    await page.getByLabel('Password', { exact: true }).fill('Gehe1mnis');
    await page.getByRole('tab', { name: 'General' }).click();
    await page.getByRole('combobox', { name: 'Unit of length' }).click();
    await page.getByRole('option', { name: 'Inches' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: '3 changes' });
    await expect(dialog.getByRole('listitem')).toHaveText([
      /Region and units.*Unit of length.*Millimetres → Inches/,
      /Mail server.*Server.*As the installation → mail\.example\.com/,
      /Mail server.*Password.*changed/,
    ]);
    await expect(dialog).not.toContainText('Gehe1mnis');
    await looksWell(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await ask(page, 'GET', '/SystemSettings')).toEqual(before);

    await page.getByRole('button', { name: 'Save' }).click();
    await confirmChanges(page);
    await expect(page.getByText('Saved.')).toBeVisible();
    expect(await ask(page, 'GET', '/SystemSettings')).toMatchObject({
      measurementSettings: { defaultUnit: 'Inches' },
      smtpSettings: { host: 'mail.example.com' },
    });

    await page.getByRole('button', { name: 'Reset to Millimetres – Unit of length' }).click();
    await expect(page.getByRole('combobox', { name: 'Unit of length' })).toHaveValue('Millimetres');
    await page.getByRole('tab', { name: 'E-mail' }).click();
    await page.getByRole('button', { name: 'As the installation – Server' }).click();
    await page.getByRole('button', { name: 'Clear – Password' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await confirmChanges(page);
    await expect.poll(() => ask(page, 'GET', '/SystemSettings')).toEqual(before);
  } finally {
    await ask(page, 'PUT', '/SystemSettings', before);
  }
});

test('the house’s look is everybody’s who chose no other, and the tabs of savings and captcha say what holds', {
  tag: '@night',
}, async ({ page, context }) => {
  await enter(page, context);
  const before = await ask<object>(page, 'GET', '/SystemSettings');
  try {
    await page.goto('/settings?tab=appearance');
    await page.getByRole('combobox', { name: 'Navigation' }).click();
    await page.getByRole('option', { name: 'At the top' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await confirmChanges(page);
    await expect(page.locator('[data-frame]')).toHaveAttribute('data-frame', 'horizontal');
    await page.goto('/settings?tab=savings');
    await expect(page.locator('[data-frame]')).toHaveAttribute('data-frame', 'horizontal');
    await page.getByLabel('Average prepress time per file (minutes)').fill('30');
    await page.getByLabel('Labour cost per hour').fill('40');
    await expect(page.getByText('0: calculated from time and cost per hour (20).')).toBeVisible();
    await page.getByRole('button', { name: 'Reset to 0 – Average prepress time per file (minutes)' }).click();
    await page.getByRole('button', { name: 'Reset to 0 – Labour cost per hour' }).click();
    await page.getByRole('tab', { name: 'Captcha' }).click();
    await expect(page.getByText('CAPTCHA_PROVIDER')).toBeVisible();
    await looksWellEverywhere(page);
  } finally {
    await ask(page, 'PUT', '/SystemSettings', before);
  }
});

test('the host’s values hold for a company that has none of its own, which sees where they come from', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await themeFollows(context);
  await enter(page, context);
  const mark = Date.now().toString(36);
  const boss = { email: `boss-${mark}@example.com`, password: 'First-0ne!' };
  const before = await ask<object>(page, 'GET', '/SystemSettings');
  const { activationLink } = await ask<{ activationLink: string }>(page, 'POST', '/host/subscribers', {
    name: `Company ${mark}`,
    administrator: { firstName: 'Bo', email: boss.email },
  });
  const token = activationLink.split('#token=')[1];
  const { password } = boss;
  await page.request.post('/api/TokenAuth/reset-password', {
    data: { token, password, passwordConfirmation: password },
  });
  const theirs = await browser.newContext();
  try {
    await page.goto('/settings');
    await page.getByRole('combobox', { name: 'Unit of length' }).click();
    await page.getByRole('option', { name: 'Inches' }).click();
    await page.getByRole('switch', { name: 'Also for companies that set nothing else' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await confirmChanges(page);
    await expect(page.getByText('Saved.')).toBeVisible();
    await looksWell(page);

    const there = await theirs.newPage();
    await signIn(there, '/settings', boss);
    const unit = there.getByRole('combobox', { name: 'Unit of length' });
    await expect(unit).toHaveValue('Inches');
    await expect(there.getByText('Installation', { exact: true })).toHaveCount(3);
    await expect(there.getByRole('switch', { name: 'Also for companies that set nothing else' })).toHaveCount(0);
    await unit.click();
    await there.getByRole('option', { name: 'Millimetres' }).click();
    await there.getByRole('button', { name: 'Save' }).click();
    await confirmChanges(there);
    await expect(there.getByText('Saved.')).toBeVisible();
    await there.reload();
    await expect(unit).toHaveValue('Millimetres');
    await there.getByRole('button', { name: 'Reset to Inches – Unit of length' }).click();
    await expect(unit).toHaveValue('Inches');
  } finally {
    await ask(page, 'PUT', '/SystemSettings', before);
    await theirs.close();
  }
});
