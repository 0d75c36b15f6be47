import { buildZip } from '@pdf2press/pdf/testing';
import { expect, type Page } from 'playwright/test';
import { makeDraft, stepOf } from './drafting.ts';
import { publish, step } from './drawing.ts';
import { ask, patience, signIn, test } from './house.ts';
import { axeFaults, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';

const mark = Date.now().toString(36);

/** A workflow that only takes files, with a variable to fill; opened in the builder. */
async function openDraft(page: Page): Promise<string> {
  const id = await makeDraft(page, {
    name: `Divided ${mark}`,
    steps: [stepOf('Inject'), stepOf('Complete')],
    variables: [{ name: 'copies', type: 'Number', isRequired: true }],
  });
  await page.goto(`/workflows/edit/${id}`);
  return id;
}

/** Hands in a ZIP from the menu of the workflow that is open in the builder. */
async function handIn(page: Page, name: string, zip: Buffer): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'New session' }).click();
  const form = page.getByRole('dialog', { name: 'New session' });
  await form.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/zip', buffer: zip });
  await form.getByRole('button', { name: /^Submit/ }).click();
  await expect(form).toBeHidden();
}

interface Listed {
  items: { id: string; fileName: string; status: string }[];
}

test('of a dropped ZIP each page becomes a session, with values from the names of the files', {
  tag: '@night',
}, async ({ page }) => {
  await themeFollows(page.context());
  await signIn(page, '/workflows');
  const id = await openDraft(page);
  await step(page, 'Inject').click();
  const drawer = page.getByRole('complementary', { name: 'Inject' });
  // The ways in take their place first; what is chosen lies above the field, so its list is opened by a key.
  await expect(drawer.getByRole('combobox', { name: /^Add a place for “Hot/ })).toBeVisible();
  const types = drawer.getByRole('combobox', { name: 'File types' });
  await types.scrollIntoViewIfNeeded();
  await types.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'ZIP' }).click();
  await page.keyboard.press('Escape');
  await drawer.getByRole('combobox', { name: 'One session for' }).click();
  await page.getByRole('option', { name: 'each page' }).click();
  await drawer.getByRole('textbox', { name: 'Name pattern' }).fill('{{copies}}_{{nobody}}.pdf');
  await expect(drawer.getByText('There is no variable named nobody.').first()).toBeVisible();
  await drawer.getByRole('textbox', { name: 'Name pattern' }).fill('{{copies}}_*.pdf');
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await publish(page);

  const zip = buildZip([
    { name: '50_two.pdf', data: makePdf(['one', 'two']) },
    { name: '70_one.pdf', data: makePdf(['only']) },
    { name: 'many_copies.pdf', data: makePdf(['not taken']) },
  ]);
  await handIn(page, `all ${mark}.zip`, zip);

  const list = () => ask<Listed>(page, 'GET', `/sessions?workflowId[]=${id}`);
  await expect
    .poll(async () => (await list()).items.map(({ fileName, status }) => `${fileName} ${status}`).sort(), {
      timeout: patience,
    })
    .toEqual([
      '50_two.pdf Completed',
      '50_two_p001.pdf Completed',
      '50_two_p002.pdf Completed',
      '70_one.pdf Completed',
      `all ${mark}.zip CompletedWithWarnings`,
    ]);
  const whole = (await list()).items.find(({ fileName }) => fileName.endsWith('.zip'));
  await page.goto(`/workflows/session/${whole?.id}`);
  const parts = page.getByRole('list', { name: 'Divided into 2 sessions' });
  await expect(parts.getByText('many_copies.pdf: The name of the file does not fit')).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await parts.getByRole('link', { name: '50_two.pdf' }).click();
  await expect(page.getByRole('link', { name: `from all ${mark}.zip` })).toBeVisible();
  await page.getByRole('list', { name: 'Divided into 2 sessions' }).getByRole('link').last().click();
  await expect(page.getByRole('link', { name: 'page 2 of 50_two.pdf' })).toBeVisible();
});

test('a ZIP becomes one document: its files in the chosen order, the first one as cover around the others', {
  tag: '@night',
}, async ({ page }) => {
  await themeFollows(page.context());
  await signIn(page, '/workflows');
  const id = await makeDraft(page, {
    name: `Merged ${mark}`,
    steps: [stepOf('Inject', { fileTypes: ['PDF', 'ZIP'] }), stepOf('Complete')],
  });
  await page.goto(`/workflows/edit/${id}`);
  await step(page, 'Inject').click();
  const drawer = page.getByRole('complementary', { name: 'Inject' });
  await expect(drawer.getByRole('combobox', { name: 'Order of its files' })).toBeHidden();
  await drawer.getByRole('combobox', { name: 'A ZIP becomes' }).click();
  await page.getByRole('option', { name: 'one document of all files' }).click();
  await drawer.getByRole('combobox', { name: 'Order of its files' }).click();
  await page.getByRole('option', { name: 'by name, the first one as cover around the others' }).click();
  await expect(page.getByRole('button', { name: 'No issues' })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await publish(page);

  const zip = buildZip([
    { name: '10 last.pdf', data: makePdf(['last']) },
    { name: '2 inside.pdf', data: makePdf(['two', 'three']) },
    { name: '1 cover.pdf', data: makePdf(['front', 'back']) },
    { name: 'notes.txt', data: Buffer.from('not a page') },
  ]);
  await handIn(page, `book ${mark}.zip`, zip);

  const list = () => ask<Listed>(page, 'GET', `/sessions?workflowId[]=${id}`);
  await expect
    .poll(async () => (await list()).items.map(({ fileName, status }) => `${fileName} ${status}`), {
      timeout: patience,
    })
    .toEqual([`book ${mark}.zip CompletedWithWarnings`]);
  await page.goto(`/workflows/session/${(await list()).items[0]?.id}`);
  const merged = page.getByRole('list', { name: 'Merged from 3 files' });
  await expect(merged.getByRole('listitem')).toHaveText([
    '1 cover.pdf: 2 pages',
    '2 inside.pdf: 2 pages',
    '10 last.pdf: 1 page',
    /^notes\.txt: /,
  ]);
  expect(await axeFaults(page)).toEqual([]);
});
