import { permissions } from '@pdf2press/contract';
import { expect, type Locator, type Page } from 'playwright/test';
import { ask, enter, patience, sampleWorkflow, signIn, test, tokenOf } from './house.ts';
import { looksWellEverywhere } from './looks.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);
const [acme, bolt] = [`Acme ${mark}`, `Bolt ${mark}`] as const;
const member = { email: `member-${mark}@example.com`, password: 'Right-0ne!' };

/** Two organizations, and somebody who sees the first of them only. */
async function makeHouse(page: Page): Promise<void> {
  const role = { name: `Members ${mark}`, permissions: permissions.filter((name) => /^(workflows|fix)\./.test(name)) };
  const { id: roleId } = await ask<{ id: string }>(page, 'POST', '/roles', role);
  const person = { ...member, firstName: 'Member', isActive: true, sendActivationEmail: false, roleIds: [roleId] };
  const { id } = await ask<{ id: string }>(page, 'POST', '/users', person);
  await ask(page, 'POST', '/organizations', { name: acme, members: [{ id, isRestricted: true }] });
  await ask(page, 'POST', '/organizations', { name: bolt });
}

/** Chooses an organization, or the house, in a field of the page or of a dialog. */
async function choose(page: Page, option: string, within: Page | Locator = page): Promise<void> {
  await within.getByRole('combobox', { name: 'Organization' }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('a workflow and a profile are made for an organization, found by it, and its members see theirs and no others', {
  tag: '@night',
}, async ({ page, context, browser }) => {
  await makeHouse(page);
  await enter(page, context);

  // A profile of each, in the form.
  for (const [name, of] of [
    [`Fix ${acme}`, acme],
    [`Fix ${bolt}`, bolt],
  ] as const) {
    await page.goto('/fix/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await expect(page.getByRole('combobox', { name: 'Organization' })).toHaveValue('Whole house');
    await choose(page, of);
    if (of === bolt) await looksWellEverywhere(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/fix$/);
  }

  // The list: its column sorts, and the filter stands in the address.
  const sorted = page.getByRole('columnheader', { name: 'Organization' });
  await sorted.getByRole('button').click();
  await expect(sorted).toHaveAttribute('aria-sort', 'ascending');
  await choose(page, bolt);
  await expect(page).toHaveURL(/organizationId=org_/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row').filter({ hasText: `Fix ${bolt}` })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: `Fix ${acme}` })).toHaveCount(0);
  await looksWellEverywhere(page);

  // A workflow, for whom it is chosen when it is made.
  await page.goto('/workflows');
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(`Flow ${mark}`);
  await choose(page, bolt, dialog);
  await looksWellEverywhere(page);
  await dialog.getByRole('button', { name: 'Create the workflow', exact: true }).click();
  await expect(page).toHaveURL(/\/workflows\/edit\//);
  await expect(page.getByText(bolt, { exact: true })).toBeVisible();

  // It is given to the other one: the profile that it was drawn with is told then.
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { items } = await ask<{ items: { id: string }[] }>(
    page,
    'GET',
    `/profiles/fix?search=${encodeURIComponent(bolt)}`,
  );
  const { draft, draftRevision, name } = await ask<{
    name: string;
    draftRevision: number;
    draft: { steps: { kind: string; settings: object }[] };
  }>(page, 'GET', `/workflows/${id}`);
  const at = { position: { x: 0, y: 200 } };
  const steps = [...draft.steps, { id: 'fix', kind: 'Fix', settings: { profileId: items[0]?.id }, ...at }];
  await ask(page, 'PUT', `/workflows/${id}`, { name, draftRevision, draft: { ...draft, steps } });
  await page.reload();
  await page.getByRole('button', { name: `Actions for Flow ${mark}` }).click();
  await page.getByRole('menuitem', { name: 'Organization…' }).click();
  await choose(page, acme, page.getByRole('dialog'));
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(acme, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /\d+ issues?$/ }).click();
  await expect(page.getByText(/This profile belongs to another organization/).first()).toBeVisible();

  // A mailbox of the other organization may not lead to it: told before it is saved.
  await page.goto('/email/new');
  await choose(page, acme);
  await page.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: `Flow ${mark}` }).click();
  const told = page.getByText('This workflow belongs to another organization');
  await expect(told).toHaveCount(0);
  await choose(page, bolt);
  await expect(told).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Workflow' })).toHaveValue(`Flow ${mark}`);
  await choose(page, acme);
  await expect(told).toHaveCount(0);

  // Its member sees it, and nothing of the other organization; what they make is theirs.
  const theirs = await browser.newContext();
  const own = await theirs.newPage();
  await signIn(own, '/workflows', member);
  await expect(own.getByRole('link', { name: `Flow ${mark}` })).toBeVisible();
  await own.goto('/fix');
  await expect(own.getByRole('link', { name: `Fix ${acme}` })).toBeVisible();
  await expect(own.getByRole('link', { name: `Fix ${bolt}` })).toHaveCount(0);
  await own.getByRole('link', { name: 'New profile' }).click();
  await expect(own.getByRole('combobox', { name: 'Organization' })).toHaveValue(acme);
  await expect(own.getByRole('combobox', { name: 'Organization' })).toBeDisabled();
  await own.getByRole('textbox', { name: 'Name', exact: true }).fill(`Own ${mark}`);
  await own.getByRole('button', { name: 'Save' }).click();
  await expect(own.getByRole('row').filter({ hasText: `Own ${mark}` })).toContainText(acme);
  await theirs.close();
});

test('somebody of several organizations says whose a file is, where the workflow does not', { tag: '@night' }, async ({
  page,
}) => {
  const several = { email: `several-${mark}@example.com`, password: 'Right-0ne!' };
  const names = [`Cedar ${mark}`, `Delta ${mark}`] as const;
  await page.goto('/login');
  const role = {
    name: `Senders ${mark}`,
    permissions: permissions.filter((name) => /^(workflows|sessions)\./.test(name)),
  };
  const { id: roleId } = await ask<{ id: string }>(page, 'POST', '/roles', role);
  const person = { ...several, firstName: 'Several', isActive: true, sendActivationEmail: false, roleIds: [roleId] };
  const { id } = await ask<{ id: string }>(page, 'POST', '/users', person);
  const readers = names.map((name) => ({ ...several, email: `of-${name.replace(' ', '-')}@example.com` }));
  for (const [at, name] of names.entries()) {
    const reader = await ask<{ id: string }>(page, 'POST', '/users', { ...person, ...readers[at] });
    const members = [id, reader.id].map((one) => ({ id: one, isRestricted: true }));
    await ask(page, 'POST', '/organizations', { name, members });
  }

  await signIn(page, '/workflows/sessions', several);
  await page.getByRole('button', { name: 'New session' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'New session' });
  const fileName = `whose-${mark}.pdf`;
  await drawer
    .locator('input[type=file]')
    .setInputFiles({ name: fileName, mimeType: 'application/pdf', buffer: makePdf([`Whose ${mark}`]) });
  await drawer.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: sampleWorkflow }).first().click();
  const send = drawer.getByRole('button', { name: /^Submit/ });
  await expect(drawer.getByRole('combobox', { name: 'Organization' })).toHaveValue('');
  await send.click();
  await expect(drawer.getByText('Choose the organization that it is for.')).toBeVisible();
  await choose(page, names[1], drawer);
  await looksWellEverywhere(page);
  await send.click();
  await expect(drawer).toBeHidden();
  await page.getByLabel('Search files and ids').fill(fileName);
  const row = page.getByRole('row').filter({ hasText: fileName });
  await expect(row).toContainText('Completed', { timeout: patience });
  await expect(row).toContainText(names[1]);

  // The list is narrowed to an organization in the address, and a saved view keeps it.
  const pick = async (name: string) => {
    await page.getByRole('button', { name: /^Organization/, expanded: false }).click();
    await page.getByRole('checkbox', { name, exact: true }).click();
    await page.keyboard.press('Escape');
  };
  await pick(names[0]);
  await expect(page).toHaveURL(/organizationId=org_/);
  await expect(row).toHaveCount(0);
  await pick(names[0]);
  await pick(names[1]);
  await expect(row).toBeVisible();
  await looksWellEverywhere(page);
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(`Of ${mark}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const view = page.getByRole('button', { name: `Of ${mark}`, exact: true });
  await expect(view).toHaveAttribute('aria-pressed', 'true');
  await page.goto('/workflows/sessions');
  await expect(row).toBeVisible();
  await view.click();
  await expect(page).toHaveURL(/organizationId=org_/);
  await expect(row).toContainText(names[1]);
  const totals: number[] = [];
  for (const reader of readers) {
    const headers = { authorization: `Bearer ${await tokenOf(page, reader)}` };
    const answer = await page.request.get('/api/sessions', { headers });
    totals.push(((await answer.json()) as { result: { total: number } }).result.total);
  }
  expect(totals).toEqual([0, 1]);
});
