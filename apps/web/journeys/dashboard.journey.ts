import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { makeHoldingWorkflow } from './holding.ts';
import { ask, confirmChanges, enter, patience, test, tokenOf } from './house.ts';
import { axeFaults, looksWellEverywhere, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);

async function upload(page: Page, workflowId: string, name: string): Promise<void> {
  const answer = await page.request.post('/api/sessions', {
    headers: { authorization: `Bearer ${await tokenOf(page)}` },
    multipart: { workflowId, file: { name, mimeType: 'application/pdf', buffer: makePdf([name]) } },
  });
  expect(answer.status()).toBe(201);
}

test('the start page tells what came, what was saved and what waits, and leads to it', async ({ page, context }) => {
  await themeFollows(context);
  await enter(page, context);
  const workflow = `Counted ${mark}`;
  const workflowId = await makePublished(page, { name: workflow, steps: [stepOf('Inject'), stepOf('Complete')] });
  const holding = await makeHoldingWorkflow(page, `Holding ${mark}`);
  const settings = await ask<object>(page, 'GET', '/SystemSettings');
  // Set by a run before this one, where the test is tried again.
  const unset = { averagePrepressTime: 0, laborCostPerHour: 0 };
  await ask(page, 'PUT', '/SystemSettings', { ...settings, roiSettings: unset });
  for (const name of [`One ${mark}.pdf`, `Two ${mark}.pdf`]) await upload(page, workflowId, name);
  await upload(page, holding, `Held ${mark}.pdf`);

  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Busiest workflows' })).toContainText(workflow);

  // By workflow, in the address: just the two files.
  await page.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: workflow }).click();
  await expect(page).toHaveURL(new RegExp(`workflowId=${workflowId}`));
  const figure = page.getByRole('region', { name: 'Files', exact: true });
  await expect(figure).toContainText('2');
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('region', { name: 'Time per step' })).toContainText('Complete', { timeout: 2_000 });
    await expect(page.getByRole('list').filter({ hasText: 'With warnings' })).toContainText('Completed 2', {
      timeout: 500,
    });
  }).toPass({ timeout: patience });

  // What is not set is said, and where; then the sum is shown with what it is made of.
  const time = page.getByRole('region', { name: 'Time saved' });
  await expect(time).toContainText('Set how long prepress takes');
  await time.getByRole('link', { name: 'Change in the settings' }).click();
  await page.getByLabel('Average prepress time per file (minutes)').fill('30');
  await page.getByLabel('Labour cost per hour').fill('40');
  await page.getByRole('button', { name: 'Save' }).click();
  await confirmChanges(page);
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.goto(`/dashboard?workflowId=${workflowId}`);
  await expect(time).toContainText('1 h');
  await expect(time).toContainText('2 completed files × 30 min');
  const cost = page.getByRole('region', { name: 'Labour cost saved' });
  await expect(cost).toContainText('40');
  await expect(cost).toContainText('2 completed files × 20 each');

  // As a table, for another period, and as a file.
  await page.getByRole('button', { name: 'As a table: Files per day' }).click();
  await expect(page.getByRole('table', { name: 'Files per day' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'This year' }).click();
  await expect(page).toHaveURL(/period=thisYear/);
  await expect(page.getByRole('table', { name: 'Files per month' })).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^dashboard-thisYear-.*\.csv$/);

  // A busy worker comes to the held file later, and the figures are read anew once a minute only.
  await expect(async () => {
    await page.goto('/dashboard');
    await expect(page.getByRole('region', { name: 'Waiting for people' })).toContainText(/[1-9]/, { timeout: 2_000 });
  }).toPass({ timeout: patience });
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(page.getByRole('region', { name: 'Busiest workflows' })).toBeVisible();
    expect(await axeFaults(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  // The cards find their places a moment after the width has changed.
  await expect.poll(() => page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  // What waits leads to the list of it.
  await page.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: 'on hold' }).click();
  await expect(page).toHaveURL(/status=OnHold/);
  await expect(page.getByRole('row').filter({ hasText: `Held ${mark}.pdf` })).toBeVisible();
});

const charts = ['Files per day', 'Most frequent findings', 'Time per step', 'Busiest workflows', 'Storage by month'];

interface Company {
  id: string;
  isOwn: boolean;
  plan: { quotas: object };
  usage: { storageBytes: number };
}

test('every chart is a table, too, and the storage is amber from 80 % of its limit on', { tag: '@night' }, async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await enter(page, context);
  const counted = await makePublished(page, { name: `Tables ${mark}`, steps: [stepOf('Inject'), stepOf('Complete')] });
  // Of those with one file each, more than the chart has room for come from other tests.
  for (const no of [1, 2, 3]) await upload(page, counted, `Table ${no} ${mark}.pdf`);
  await page.goto('/dashboard');
  // Of those that have anything to tell.
  const toTable = page.getByRole('button', { name: /^As a table/ });
  await expect(page.getByRole('region', { name: 'Busiest workflows' })).toContainText(/\d/);
  const there = (await toTable.all()).length;
  expect(there).toBeGreaterThan(1);
  for (let left = there; left > 0; left -= 1) {
    await toTable.first().click();
    await expect(toTable).toHaveCount(left - 1);
  }
  await expect(page.getByRole('table')).toHaveCount(there);
  for (const name of await page.getByRole('table').all())
    expect(charts.concat('Customers with most failures')).toContain(await name.getAttribute('aria-label'));
  await expect(page.getByRole('table', { name: 'Busiest workflows' })).toContainText(`Tables ${mark}`);
  await looksWellEverywhere(page);

  const { items } = await ask<{ items: Company[] }>(page, 'GET', '/host/subscribers?pageSize=100');
  const own = items.find(({ isOwn }) => isOwn);
  if (!own) throw new Error('the own company is not listed');
  const limit = (storageBytes: number | null) =>
    ask(page, 'PUT', `/host/subscribers/${own.id}`, {
      ...own,
      plan: { ...own.plan, quotas: { ...own.plan.quotas, storageBytes } },
    });
  const storage = page.getByRole('region', { name: 'Storage', exact: true });
  try {
    for (const [share, told, colour] of [
      [2, null, null],
      [1.2, 'nearly used up', 'rgb(245, 158, 11)'],
      [0.9, 'used up', 'rgb(180, 35, 24)'],
    ] as const) {
      await limit(Math.round(own.usage.storageBytes * share));
      await page.goto('/dashboard');
      await expect(storage).toContainText(/ of /);
      if (told) await expect(storage).toContainText(` · ${told}`);
      else await expect(storage).not.toContainText('used up');
      if (colour) await expect(storage.getByRole('progressbar')).toHaveCSS('background-color', colour);
      await page.goto('/settings?tab=storage');
      const quota = page.getByRole('progressbar', { name: 'Storage' }).first();
      await expect(quota).toBeVisible();
      if (colour) await expect(quota).toHaveCSS('background-color', colour);
      await expect(page.getByText(` · ${told}`)).toHaveCount(told ? 1 : 0);
    }
    await looksWellEverywhere(page);
  } finally {
    await limit(null);
  }
});
