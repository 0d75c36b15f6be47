import { readFileSync } from 'node:fs';
import { expect } from 'playwright/test';
import { ask, enter, test } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';

const email = `dora-${Date.now().toString(36)}@example.com`;

test('what is kept about somebody is found by their address, exported, and erased after it is typed again', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  await ask(page, 'POST', '/users', { firstName: 'Dora', email, sendActivationEmail: false });
  await enter(page, context);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Personal data', exact: true }).click();
  await page.getByLabel('E-mail').fill(email.toUpperCase());
  await page.getByRole('button', { name: 'Find' }).click();
  const kinds = page.getByRole('table', { name: 'What is kept' });
  await expect(kinds.getByRole('row').filter({ hasText: 'Account' })).toContainText('1 made anonymous');
  await expect(kinds.getByRole('row').filter({ hasText: 'Audit' })).toContainText(
    'evidence of who decided or did what',
  );
  await looksWellEverywhere(page);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as JSON' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`${email}.json`);
  const { kinds: read } = JSON.parse(readFileSync(await file.path(), 'utf8')) as { kinds: Record<string, object[]> };
  expect(read.account).toMatchObject([{ email, first_name: 'Dora' }]);

  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  const question = page.getByRole('dialog', { name: `Erase everything about ${email}?` });
  const sure = question.getByRole('button', { name: 'Erase', exact: true });
  await expect(sure).toBeDisabled();
  await question.getByRole('textbox').fill(email);
  await sure.click();
  await expect(page.getByRole('status').filter({ hasText: 'Done.' })).toContainText('@erased.invalid');
  await page.goto(`/user?search=${encodeURIComponent(email)}`);
  await expect(page.getByText(email)).toHaveCount(0);

  await page.goto('/persons');
  await page.getByLabel('E-mail').fill(`nobody-${email}`);
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByText('Nothing is kept about this address.')).toBeVisible();
});
