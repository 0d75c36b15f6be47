import { expect, type Page } from 'playwright/test';
import { ask, patience, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);

const edge = (text: string) => {
  const [from, outcome, to] = text.split(' ');
  return { id: text.replaceAll(' ', '-'), from, outcome, to };
};

const limit = (max: number) => ({ checks: [{ key: 'PageCount', settings: { max } }] });

/** A published workflow that allows three pages and holds what has errors. */
async function prepare(page: Page): Promise<{ id: string; profileId: string; profile: string }> {
  const profile = `Pages ${mark}`;
  const { id: profileId } = await ask<{ id: string }>(page, 'POST', '/profiles/preflight', {
    name: profile,
    settings: limit(3),
  });
  const name = `Tested ${mark}`;
  const made = await ask<{ id: string; draftRevision: number }>(page, 'POST', '/workflows', { name });
  const steps = [
    { id: 'inject', kind: 'Inject' },
    { id: 'preflight', kind: 'Preflight', settings: { profileId } },
    { id: 'hold', kind: 'Hold', settings: { when: 'Errors', reason: 'Too many pages' } },
    { id: 'complete', kind: 'Complete' },
  ].map((one, at) => ({ ...one, position: { x: at * 280, y: 0 } }));
  const edges = ['inject done preflight', 'preflight done hold', 'hold continue complete'].map(edge);
  const body = { name, draft: { steps, edges, variables: [] }, draftRevision: made.draftRevision };
  await ask(page, 'PUT', `/workflows/${made.id}`, body);
  await ask(page, 'POST', `/workflows/${made.id}/publish`);
  return { id: made.id, profileId, profile };
}

const pdf = (name: string, pages: number) => ({
  name,
  mimeType: 'application/pdf',
  buffer: makePdf(Array.from({ length: pages }, (_, at) => `page ${at + 1}`)),
});

async function run(page: Page, workflowId: string, pages: number): Promise<void> {
  const texts = Array.from({ length: pages }, (_, at) => `page ${at + 1}`);
  const id = await submit(page, workflowId, `${pages} pages ${mark}.pdf`, texts);
  await becomes(page, id, /^Completed$/);
}

const sessionsOf = async (page: Page, id: string) =>
  (await ask<{ total: number }>(page, 'GET', `/sessions?workflowId[]=${id}`)).total;

test('a draft is tried on a dropped file and on the last sessions, and what differs stands on top', {
  tag: '@night',
}, async ({ page }) => {
  await themeFollows(page.context());
  await signIn(page, '/workflows');
  const { id, profileId, profile } = await prepare(page);
  for (const pages of [1, 2, 3]) await run(page, id, pages);
  await page.goto(`/workflows/edit/${id}`);
  await page.getByText('Test', { exact: true }).click();
  await expect(page).toHaveURL(/tab=test/);
  await expect(page.getByText('Drop a file to see the path it takes')).toBeVisible();

  // A file with too many pages: it would be held, says so, and goes on.
  await page.locator('main input[type=file]').first().setInputFiles(pdf('dropped.pdf', 5));
  await page.getByRole('button', { name: 'Run the test' }).click();
  const detail = page.getByRole('region', { name: 'dropped.pdf' });
  await expect(detail.getByText('“Hold” would hold here; the test went on with: Continue.')).toBeVisible({
    timeout: patience,
  });
  await expect(detail.getByRole('group', { name: /^Hold, step 3 of 4, Succeeded|^Hold, step 3 of 4/ })).toBeVisible();
  expect(await sessionsOf(page, id)).toBe(3);

  // The limit is lowered: of the last sessions, just one comes out differently.
  await ask(page, 'PUT', `/profiles/preflight/${profileId}`, { name: profile, settings: limit(2), version: 1 });
  await page.getByText('Last sessions', { exact: true }).click();
  await page.getByRole('button', { name: 'Run the test' }).click();
  await expect(page.getByText('1 file comes out differently')).toBeVisible({ timeout: patience });
  const table = page.getByRole('table', { name: 'Files of the test' });
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('row').nth(1)).toContainText(`3 pages ${mark}.pdf`);
  await expect(table.getByRole('row').nth(1)).toContainText('1 new finding');
  await expect(table.getByRole('row').nth(2)).toContainText('The same as then');

  for (const width of [1440, 390])
    for (const theme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      expect(await axeFaults(page), `table, ${theme}, ${width}`).toEqual([]);
    }

  await table.getByRole('link', { name: `3 pages ${mark}.pdf` }).click();
  const one = page.getByRole('region', { name: `3 pages ${mark}.pdf` });
  await expect(one.getByRole('list', { name: 'Findings that are not the same' })).toContainText('New');
  for (const width of [390, 1440])
    for (const theme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      expect(await axeFaults(page), `detail, ${theme}, ${width}`).toEqual([]);
    }
  await page.getByRole('link', { name: 'All files' }).click();
  await expect(table).toBeVisible();
  expect(await sessionsOf(page, id)).toBe(3);

  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Drop a file to see the path it takes')).toBeVisible();
});
