import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from 'playwright/test';
import { ask, enter, patience, sampleWorkflow, test } from './house.ts';
import { makePdf } from './make-pdf.ts';

/*
 * Counts the clicks of daily tasks as a person would do them, and compares them with docs/clicks.md. `CLICKS=write` writes
 * that file again. Typing and choosing a file in the dialog of the system are no clicks.
 */

const file = fileURLToPath(new URL('../../../docs/clicks.md', import.meta.url));
const mark = `clicks-${Date.now().toString(36)}`;

interface Task {
  name: string;
  most: number;
  clicks: string[];
}
const tasks: Task[] = [];

/** Begins the count of a task, which may take `most` clicks. */
function begin(name: string, most: number) {
  const task: Task = { name, most, clicks: [] };
  tasks.push(task);
  return async (place: Locator, what: string): Promise<void> => {
    await place.click();
    task.clicks.push(what);
  };
}

const pdf = (name: string, text = name) => ({ name, mimeType: 'application/pdf', buffer: makePdf([text]) });
const damaged = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 nothing') });

/** The file is dropped on the list, as from a folder. */
async function drop(page: Page, { name, buffer }: { name: string; buffer: Buffer }): Promise<Locator> {
  // A person drops onto a page that they see.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const data = await page.evaluateHandle(
    ([fileName, bytes]) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([content], fileName, { type: 'application/pdf' }));
      return transfer;
    },
    [name, buffer.toString('base64')] as const,
  );
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.locator('body').dispatchEvent(type, { dataTransfer: data });
  const drawer = page.getByRole('dialog', { name: 'New session' });
  await expect(drawer).toBeVisible();
  return drawer;
}

/** Other tests have made more workflows; a house that has one is offered no choice. Returns the ids of those it disabled. */
async function keepOneWorkflow(page: Page): Promise<string[]> {
  const { items } = await ask<{ items: { id: string; name: string; isEnabled: boolean }[] }>(
    page,
    'GET',
    '/workflows?pageSize=100',
  );
  const others = items.filter(({ name, isEnabled }) => isEnabled && !sampleWorkflow.test(name)).map(({ id }) => id);
  for (const id of others) await ask(page, 'PUT', `/workflows/${id}/enabled`, { isEnabled: false });
  return others;
}

interface Profile {
  id: string;
  name: string;
  version: number;
  settings: object;
}
const profileOf = async (page: Page): Promise<Profile> => {
  const { items } = await ask<{ items: Profile[] }>(page, 'GET', '/profiles/preflight?search=Standard%20preflight');
  return ask<Profile>(page, 'GET', `/profiles/preflight/${items[0]?.id}`);
};

const newest = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).first();

const lineOf = ({ name, most, clicks }: Task) => `| ${name} | ${clicks.length} | ${most} | ${clicks.join(' → ')} |`;

const documentOf = () => `# Clicks of daily tasks

Counted in a browser by \`apps/web/journeys/clicks.journey.ts\`, which fails when a task takes more than its limit.
\`CLICKS=write\` in the environment of the journeys writes this file again. Typing, and choosing a file in the dialog of
the system, are no clicks.

| task | clicks | at most | which |
|---|---|---|---|
${tasks.map(lineOf).join('\n')}
`;

test('daily tasks take few clicks', { tag: '@night' }, async ({ page, context }) => {
  await enter(page, context);
  await page.goto('/workflows/sessions');
  const disabled = await keepOneWorkflow(page);
  const before = await profileOf(page);
  try {
    await page.reload();
    await doTasks(page);
  } finally {
    // The tests share one product.
    for (const id of disabled) await ask(page, 'PUT', `/workflows/${id}/enabled`, { isEnabled: true });
    const { version } = await profileOf(page);
    await ask(page, 'PUT', `/profiles/preflight/${before.id}`, {
      name: before.name,
      settings: before.settings,
      version,
    });
  }
  for (const { name, most, clicks } of tasks) expect(clicks.length, name).toBeLessThanOrEqual(most);
  if (process.env.CLICKS === 'write') writeFileSync(file, documentOf());
  expect(readFileSync(file, 'utf8'), 'docs/clicks.md: CLICKS=write writes it again').toBe(documentOf());
});

async function doTasks(page: Page): Promise<void> {
  const upload = begin('upload → result', 3);
  const drawer = await drop(page, pdf(`${mark}-upload.pdf`));
  await upload(drawer.getByRole('button', { name: /^Submit/ }), 'Submit');
  await expect(newest(page, `${mark}-upload.pdf`)).toContainText('Completed', { timeout: patience });
  await upload(newest(page, `${mark}-upload.pdf`).getByRole('link'), 'the file');
  const [result] = await Promise.all([
    page.waitForEvent('download'),
    upload(page.getByRole('button', { name: 'Download result' }), 'Download result'),
  ]);
  expect(result.suggestedFilename()).toMatch(/[.]pdf$/);

  const change = begin('one changed limit → used', 6);
  await change(page.getByRole('link', { name: 'Preflight', exact: true }).first(), 'Preflight');
  await change(page.getByRole('link', { name: 'Standard preflight' }).first(), 'the profile');
  await page.getByLabel('Search checks and settings').fill('resolution');
  const check = page.getByRole('button', { name: /Image resolution/ }).first();
  await change(check, 'the check');
  const limit = page
    .getByRole('region', { name: /^Image resolution/ })
    .getByRole('textbox')
    .first();
  await limit.fill(String(160 + (Date.now() % 50)));
  await change(page.getByRole('button', { name: 'Save' }), 'Save');
  await change(page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }), 'Publish');
  await expect(page).toHaveURL(/\/preflight$/);
  // The next file is judged by it.
  await page.goto('/workflows/sessions');
  const again = await drop(page, pdf(`${mark}-limit.pdf`));
  await again.getByRole('button', { name: /^Submit/ }).click();
  await expect(newest(page, `${mark}-limit.pdf`)).toContainText('Completed', { timeout: patience });

  const broken = await drop(page, damaged(`${mark}-miller.pdf`));
  await broken.getByRole('button', { name: /^Submit/ }).click();
  await expect(newest(page, `${mark}-miller.pdf`)).toContainText('Failed', { timeout: patience });

  // Yesterday is the same click as today, whose file this is.
  const find = begin('find a day’s failed file of a customer', 3);
  await find(page.getByRole('navigation', { name: 'Saved views' }).getByRole('button', { name: /^Failed/ }), 'Failed');
  // The filter stands above the column of the same name.
  await find(page.getByRole('button', { name: /^Created/ }).first(), 'Created');
  await find(page.getByRole('button', { name: 'Today', exact: true }), 'the day');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('miller');
  await expect(newest(page, `${mark}-miller.pdf`)).toBeVisible();

  const mend = begin('mend and send on', 4);
  await mend(newest(page, `${mark}-miller.pdf`).getByRole('link'), 'the file');
  await mend(page.getByRole('alert').getByRole('button', { name: /^Replace the file/ }), 'Replace the file');
  const dialog = page.getByRole('dialog', { name: /^Replace the file of/ });
  await dialog.locator('input[type=file]').setInputFiles(pdf(`${mark}-miller-2.pdf`));
  await mend(dialog.getByRole('button', { name: 'Replace the file' }), 'Replace the file');
  await expect(page.getByText('Completed').first()).toBeVisible({ timeout: patience });
}
