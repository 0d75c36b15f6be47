import { readFileSync } from 'node:fs';
import { expect, type Page } from 'playwright/test';
import { administrator, ask, enter, signIn, test, tokenOf } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);
const company = `Paper and Ink ${mark}`;
const boss = { email: `boss-${mark}@example.com`, password: 'First-0ne!' };

/** The address of a company’s form, found by its name. */
async function openCompany(page: Page): Promise<void> {
  await page.goto('/host');
  await page.getByRole('searchbox', { name: 'Search companies' }).fill(mark);
  // The search is in the address a moment later.
  await expect(page).toHaveURL(new RegExp(`search=${mark}`));
  await page.getByRole('link', { name: company }).click();
  await expect(page.getByRole('heading', { level: 1, name: company })).toBeVisible();
}

/** Hands a file in as the company’s administrator, in its first workflow; resolves to the codes of a refusal. */
async function handInFile(page: Page, workflowId: string): Promise<string[]> {
  const answer = await page.request.post('/api/sessions', {
    headers: { authorization: `Bearer ${await tokenOf(page, boss)}` },
    multipart: {
      workflowId,
      file: { name: 'card.pdf', mimeType: 'application/pdf', buffer: makePdf([`${Math.random()}`]) },
    },
  });
  const { errors } = (await answer.json()) as { errors: { code: string }[] };
  return errors.map(({ code }) => code);
}

const asBoss = async <T>(page: Page, method: string, path: string, data?: object): Promise<T> => {
  const answer = await page.request.fetch(`/api${path}`, {
    method,
    headers: { authorization: `Bearer ${await tokenOf(page, boss)}` },
    ...(data && { data }),
  });
  const { success, result, errors } = (await answer.json()) as { success: boolean; result: T; errors: unknown };
  if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
  return result;
};

test('a company is made with its plan, reaches a quota, and gets a larger plan', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  await themeFollows(context);
  await enter(page, context);
  await page.goto('/host');
  await expect(page.getByRole('link', { name: 'Companies' }).first()).toBeVisible();
  await page.getByRole('link', { name: 'New company' }).click();
  await looksWellEverywhere(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Value is required').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(company);
  await page.getByRole('textbox', { name: 'Name of the plan' }).fill('Small');
  await page.getByRole('textbox', { name: 'First name' }).fill('Bo');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(boss.email);
  await page.getByRole('checkbox', { name: 'Files a month' }).check();
  await page.getByRole('textbox', { name: 'Files a month' }).fill('1');
  await page.getByRole('checkbox', { name: 'Imposition' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  const link = (await dialog.locator('pre').textContent())?.trim() ?? '';
  expect(link).toMatch(/reset-password#token=/);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('row').filter({ hasText: company })).toContainText('Active');
  await looksWellEverywhere(page);

  // The first administrator chooses a password, and sees the plan.
  const theirs = await browser.newContext();
  const there = await theirs.newPage();
  await there.goto(link);
  await there.getByLabel('New password').fill(boss.password);
  await there.getByLabel('Repeat the password').fill(boss.password);
  await there.getByRole('button', { name: 'Save the password' }).click();
  await expect(there).toHaveURL(/\/login$/);
  await signIn(there, '/impose/new', boss);
  await expect(there.getByText('This feature is not included in your current plan')).toBeVisible();
  await expect(there.getByRole('link', { name: 'Companies' })).toHaveCount(0);

  const { id: workflowId } = await asBoss<{ id: string }>(page, 'POST', '/workflows', {
    name: 'Only check',
    template: 'check',
    isPublished: true,
  });
  expect(await handInFile(page, workflowId)).toEqual([]);
  expect(await handInFile(page, workflowId)).toEqual(['quota.sessions']);
  await there.goto('/settings?tab=storage');
  await expect(there.getByText('1 of 1 · used up')).toBeVisible();
  await looksWellEverywhere(there);

  // Whoever sends a file is told in the drawer, and nothing is lost: the file is still there to be sent later.
  await there.goto('/workflows/sessions');
  await there.getByRole('button', { name: 'New session' }).first().click();
  const drawer = there.getByRole('dialog', { name: 'New session' });
  await drawer
    .locator('input[type=file]')
    .setInputFiles({ name: 'late.pdf', mimeType: 'application/pdf', buffer: makePdf(['late']) });
  await drawer.getByRole('button', { name: /^Submit/ }).click();
  await expect(there.getByText('The plan takes 1 file a month').first()).toBeVisible();

  // A larger plan with charges for storage.
  await openCompany(page);
  await expect(page.getByText('1 of 1 · used up')).toBeVisible();
  await page.getByRole('textbox', { name: 'Files a month' }).fill('100');
  await page.getByRole('checkbox', { name: 'Imposition' }).check();
  await page.getByRole('checkbox', { name: 'Included storage' }).check();
  await page.getByRole('textbox', { name: 'Price for a GB and month' }).fill('2');
  await page.getByRole('textbox', { name: 'Currency' }).fill('eur');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row').filter({ hasText: company })).toBeVisible();
  await openCompany(page);
  await expect(page.getByText('1 of 100')).toBeVisible();
  await expect(page.getByText('€2.00 for each GB')).toBeVisible();
  await looksWellEverywhere(page);
  expect(await handInFile(page, workflowId)).toEqual([]);
  await there.goto('/impose/new');
  await expect(there.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(there.getByText('This feature is not included')).toHaveCount(0);
  await there.goto('/audit?kind=subscriber');
  await expect(there.getByText('Company changed').first()).toBeVisible();

  // Suspended, nobody comes in; resumed, all is as before.
  await page.goto('/host');
  await page.getByRole('searchbox', { name: 'Search companies' }).fill(mark);
  // The search is in the address a moment later.
  await expect(page).toHaveURL(new RegExp(`search=${mark}`));
  await page.getByRole('button', { name: `Actions for ${company}` }).click();
  await page.getByRole('menuitem', { name: 'Suspend' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByRole('row').filter({ hasText: company })).toContainText('Suspended');
  const refused = await page.request.post('/api/TokenAuth/login', { data: boss });
  expect(refused.status()).toBe(401);
  await page.getByRole('button', { name: `Actions for ${company}` }).click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  await expect(page.getByRole('row').filter({ hasText: company })).toContainText('Active');
  expect((await page.request.post('/api/TokenAuth/login', { data: boss })).status()).toBe(200);
  // The own company cannot be suspended.
  const { items } = await ask<{ items: { id: string; isOwn: boolean }[] }>(
    page,
    'GET',
    '/host/subscribers?pageSize=100',
  );
  expect(items.filter(({ isOwn }) => isOwn)).toHaveLength(1);
  expect(administrator.email).not.toBe(boss.email);
  await theirs.close();
});

test('companies are sorted by every column, and exported as they are shown', async ({ page, context }) => {
  await enter(page, context);
  await page.goto('/host');
  const heads = page.getByRole('table', { name: 'Companies' }).getByRole('columnheader');
  const sorting = heads.getByRole('button');
  await expect(sorting).toHaveCount(6);
  for (const at of [1, 2, 3, 4, 5, 0]) {
    await sorting.nth(at).click();
    await expect(heads.nth(at)).toHaveAttribute('aria-sort', 'ascending');
  }
  await sorting.first().click();
  await expect(page).toHaveURL(/sort=name.*direction=desc/);
  await expect(heads.first()).toHaveAttribute('aria-sort', 'descending');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines[0]).toContain('id,name,isActive');
  expect(lines.length - 1).toBe(await page.getByRole('table', { name: 'Companies' }).locator('tbody tr').count());
});
