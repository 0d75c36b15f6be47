import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, enter, patience, test } from './house.ts';
import { axeFaults, looksWell, themeFollows } from './looks.ts';
import { submit } from './submit.ts';

const mark = Date.now().toString(36);
const policy = `One day ${mark}`;
const file = `Kept ${mark}.pdf`;

const phoneToo = (page: Page) => async () => expect(await axeFaults(page)).toEqual([]);

test('a policy is made, a file gets its time, is held, released, and deleted at once', { tag: '@night' }, async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await enter(page, context);
  const archiving = { name: `Far away ${mark}`, settings: {} };
  const { id: archivingPolicyId } = await ask<{ id: string }>(page, 'POST', '/profiles/archiving', archiving);
  await page.goto('/retention');
  await page.getByRole('link', { name: 'New profile' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(policy);
  await page.getByRole('textbox', { name: 'Days for the original file' }).fill('1');
  await page.getByRole('combobox', { name: 'Archiving policy' }).click();
  await page.getByRole('option', { name: archiving.name }).click();
  await looksWell(page, phoneToo(page));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row').filter({ hasText: policy })).toBeVisible();

  const { items } = await ask<{ items: { id: string; name: string }[] }>(
    page,
    'GET',
    '/profiles/retention?pageSize=100',
  );
  const profileId = items.find(({ name }) => name === policy)?.id ?? '';
  expect(await ask(page, 'GET', `/profiles/retention/${profileId}`)).toMatchObject({ settings: { archivingPolicyId } });
  const workflowId = await makePublished(page, {
    name: `Keeps ${mark}`,
    steps: [stepOf('Inject'), stepOf('Retention', { profileId }), stepOf('Complete')],
  });
  const sessionId = await submit(page, workflowId, file);
  const list = page.getByRole('table', { name: 'To be deleted in the next 30 days' });
  const row = list.getByRole('row').filter({ hasText: file });
  await expect(async () => {
    await page.goto(`/retention/details/${profileId}`);
    await expect(row).toHaveCount(1, { timeout: 2_000 });
  }).toPass({ timeout: patience });
  await expect(row).toContainText('Original file');
  await expect(row).toContainText(policy);
  await looksWell(page, phoneToo(page));

  const tick = page.getByRole('checkbox', { name: `Select ${file}` });
  await tick.check();
  await expect(page.getByRole('button', { name: 'Archive now' })).toBeVisible();
  await looksWell(page, phoneToo(page));
  await page.getByRole('button', { name: 'Legal hold' }).click();
  await expect(page.getByText('1 session is on legal hold.')).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByText('On legal hold', { exact: true }).click();
  await expect(page).toHaveURL(/held=true/);
  await tick.check();
  await page.getByRole('button', { name: 'Release' }).click();
  await expect(page.getByText('Nothing is on legal hold.')).toBeVisible();

  await page.goto('/retention');
  await expect(page.getByRole('region', { name: 'To be deleted in the next 30 days' })).toContainText('1 file');
  await looksWell(page, phoneToo(page));
  await page.getByRole('link', { name: 'Show the list' }).click();
  await tick.check();
  await page.getByRole('button', { name: 'Delete files now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete files now' }).click();
  await expect(page.getByText('The files of 1 session were removed.')).toBeVisible();
  await expect(row).toHaveCount(0);

  // The session is still there, and its history tells what became of its file.
  await page.goto(`/workflows/session/${sessionId}`);
  await expect(page.getByRole('heading', { level: 1, name: file })).toBeVisible();
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.getByText('Files removed by retention')).toBeVisible();
});
