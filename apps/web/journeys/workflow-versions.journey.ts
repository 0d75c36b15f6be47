import { readFileSync } from 'node:fs';
import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { publish, step } from './drawing.ts';
import { ask, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';
import { becomes, submit } from './submit.ts';

const mark = Date.now().toString(36);
const [first, second] = ['Is the paper there?', 'Is the ink there?'];

const open = async (page: Page, entry: string) => {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: entry }).click();
};

/** What every version of the workflow asks at its step Hold, the first version first. */
async function reasonsOf(page: Page, id: string, versions: number): Promise<unknown[]> {
  const asked: unknown[] = [];
  for (let version = 1; version <= versions; version += 1) {
    const { definition } = await ask<{ definition: Draft }>(page, 'GET', `/workflows/${id}/versions/${version}`);
    asked.push(reasonOf(definition));
  }
  return asked;
}

interface Draft {
  steps: { kind: string; settings: { reason?: string } }[];
}
const reasonOf = ({ steps }: Draft) => steps.find(({ kind }) => kind === 'Hold')?.settings.reason;

test('sessions are seen where they stand; versions are compared, opened, taken back, exported and imported', async ({
  page,
}) => {
  await themeFollows(page.context());
  await signIn(page, '/workflows');
  const name = `Versions ${mark}`;
  const steps = [stepOf('Inject'), stepOf('Hold', { reason: first }), stepOf('Complete')];
  const ways = ['inject done hold', 'hold continue complete'];
  const id = await makePublished(page, { name, steps, ways });
  await becomes(page, await submit(page, id, `Waits ${mark}.pdf`), /^OnHold$/);

  // Live: the session stands at its step, and the click leads to it.
  await page.goto(`/workflows/edit/${id}?tab=live`);
  const standing = page.getByRole('complementary', { name: 'Sessions at each step now' });
  await expect(standing).toContainText('The oldest since');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await axeFaults(page), `live, ${theme}`).toEqual([]);
  }
  await standing.getByRole('link', { name: 'Hold: 1 session' }).click();
  await expect(page).toHaveURL(/stepId=hold/);
  await expect(page.getByText(`Waits ${mark}.pdf`)).toBeVisible();

  // A second version: publishing first says what changes and who still runs on the one before.
  await page.goto(`/workflows/edit/${id}`);
  await step(page, 'Hold').click();
  await page.getByLabel('Reason').fill(second);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish version 2' });
  const change = `Hold: Reason, before ${first}, now ${second}`;
  await expect(dialog.getByRole('listitem')).toHaveText([change]);
  await expect(dialog).toContainText('1 session still runs on the version before');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await publish(page);

  // Any two are compared.
  await open(page, 'Versions');
  const panel = page.getByRole('complementary').filter({ hasText: 'Take version 1 as the draft' });
  await expect(panel.getByText('Nothing differs.')).toBeVisible();
  await panel.getByRole('combobox', { name: 'Before' }).click();
  await page.getByRole('option', { name: 'Version 1' }).click();
  await expect(panel.getByText(change)).toBeVisible();
  await panel.getByRole('combobox', { name: 'After' }).click();
  await page.getByRole('option', { name: 'Version 2' }).click();
  await expect(panel.getByText(change)).toBeVisible();
  expect(await axeFaults(page), 'versions').toEqual([]);

  // One is opened to look at, and taken back as the draft; undo takes that back, too.
  await panel.getByRole('button', { name: 'Open version 1' }).click();
  const old = page.getByRole('dialog', { name: 'Version 1' });
  await expect(old.getByRole('group', { name: /^Hold/ })).toBeVisible();
  await old.getByRole('button', { name: 'Close' }).click();
  await panel.getByRole('button', { name: 'Take version 1 as the draft' }).click();
  await expect(page.getByText('Unsaved', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Redo' }).click();
  await publish(page);
  expect(await reasonsOf(page, id, 3)).toEqual([first, second, first]);

  // What is exported is imported as a workflow of its own.
  const download = page.waitForEvent('download');
  await open(page, 'Export as JSON');
  const file = await (await download).path();
  await page.goto('/workflows');
  await page
    .getByLabel('Import', { exact: true })
    .setInputFiles({ name: 'renamed.json', mimeType: 'application/json', buffer: readFileSync(file) });
  await expect(page.getByLabel('Name of the workflow')).toHaveValue(`${name} (2)`);
  const importedId = /edit\/([^?]+)/.exec(page.url())?.[1] ?? '';
  expect(importedId).not.toBe(id);
  const imported = await ask<{ draft: Draft; publishedVersion: number | null }>(
    page,
    'GET',
    `/workflows/${importedId}`,
  );
  expect(reasonOf(imported.draft)).toBe(first);
  expect(imported.publishedVersion).toBeNull();
});
