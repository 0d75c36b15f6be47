import { readFileSync } from 'node:fs';
import { expect } from 'playwright/test';
import { ask, enter, patience, test } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';

const mark = Date.now().toString(36);

test('who changed a role is found by its name, told field by field, exported, and the chain is verified', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  const before = { name: `Night shift ${mark}`, permissions: ['sessions.view', 'proofs.view'], isDefault: false };
  const { id } = await ask<{ id: string }>(page, 'POST', '/roles', before);
  await ask(page, 'PUT', `/roles/${id}`, { ...before, permissions: ['sessions.view', 'workflows.view'] });
  await enter(page, context);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await page.getByRole('button', { name: 'To what', exact: true }).click();
  await page.getByRole('searchbox', { name: 'What it was done to' }).fill(`shift ${mark}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/object=shift/);
  await page.keyboard.press('Escape');
  const table = page.getByRole('table', { name: 'Audit', exact: true });
  const opener = table.getByRole('button', { name: 'Role changed' });
  await expect(table.getByRole('button')).toHaveCount(2);
  await expect(table.getByRole('row').nth(1)).toContainText('Role changed');
  await opener.click();
  const change = table.getByRole('table', { name: 'What changed' }).getByRole('row').filter({ hasText: 'permissions' });
  await expect(change).toContainText('1 unchanged');
  await expect(change.getByRole('cell').first()).toHaveText('proofs.view');
  await expect(change.getByRole('cell').last()).toHaveText('workflows.view');

  await page.getByRole('button', { name: 'Verify the chain' }).click();
  await expect(page.getByRole('status').filter({ hasText: /^Unbroken, / })).toContainText('is the last; its hash is');
  // The worker signs what was written within a minute of the first entry of a day.
  await expect(async () => {
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await expect(page.getByRole('status').filter({ hasText: /^Unbroken, / })).toContainText('daily anchor holds', {
      timeout: 3000,
    });
  }).toPass({ timeout: patience });

  await looksWellEverywhere(page);

  const save = async (entry: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: entry }).click(),
    ]);
    return readFileSync(await file.path(), 'utf8');
  };
  const read = JSON.parse(await save('JSON that can be verified')) as { entries: { act: string; hash: string }[] };
  expect(read.entries.map(({ act }) => act)).toEqual(['role.create', 'role.update']);
  const signed = JSON.parse(await save('Signed daily anchors')) as { format: string; anchors: unknown[] };
  expect([signed.format, signed.anchors.length]).toEqual(['pdf2press-audit-anchors', 1]);
  expect((await save('CSV for spreadsheets')).trim().split('\r\n')).toHaveLength(3);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'What', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Audit exported' }).click();
  await page.keyboard.press('Escape');
  await expect(table.getByRole('button', { name: 'Audit exported' }).first()).toBeVisible();
  await expect(table.getByRole('button', { name: 'Role changed' })).toHaveCount(0);
});
