import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { ask, enter, patience, test } from './house.ts';
import { looksWellEverywhere, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { becomes, submit } from './submit.ts';
import { inDatabase } from './time-passes.ts';

const mark = Date.now().toString(36);
const count = 1_000;
/** The most rows of a page. */
const onePage = 100;
const nameOf = (no: number) => `Kept ${mark} ${no}.pdf`;

/** Copies of a session that has ended, each with its original file, under names of their own. */
async function copySession(id: string, copies: number): Promise<void> {
  const own = `'ses_due${mark}' || n`;
  await inDatabase(
    `insert into sessions
     select (jsonb_populate_record(one, jsonb_build_object('id', ${own}, 'public_id', ${own}, 'source_ref', ${own},
                                                           'file_name', 'Kept ${mark} ' || n || '.pdf'))).*
       from sessions one, generate_series(2, $2::int) n where one.id = $1`,
    [id, copies],
  );
  await inDatabase(
    `insert into files
     select (jsonb_populate_record(file, jsonb_build_object('id', 'fil_due${mark}' || n, 'session_id', ${own}, 'step_run_id', null))).*
       from files file, generate_series(2, $2::int) n where file.session_id = $1 and file.kind = 'OriginalFile'`,
    [id, copies],
  );
}

const inDialog = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name });

test(`of ${count} sessions whose time comes, all go but the one on legal hold`, { tag: '@night' }, async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await enter(page, context);
  const { id: profileId } = await ask<{ id: string }>(page, 'POST', '/profiles/retention', {
    name: `One day ${mark}`,
    settings: { daysSource: 1 },
  });
  const workflowId = await makePublished(page, {
    name: `Keeps many ${mark}`,
    steps: [stepOf('Inject'), stepOf('Retention', { profileId }), stepOf('Complete')],
  });
  const pdf = makePdf(['Kept']);
  const first = await submit(page, workflowId, nameOf(1), [], pdf);
  await becomes(page, first, /^Completed/);
  await copySession(first, count);
  try {
    // What is listed and by which days, and what one is held.
    await page.goto(`/retention/details/${profileId}`);
    await expect(page.getByText('of 1,000')).toBeVisible();
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption(String(onePage));
    await expect(page.getByText('1–100 of 1,000')).toBeVisible();
    const list = page.getByRole('table', { name: 'To be deleted in the next 30 days' });
    await expect(list.locator('tbody tr')).toHaveCount(onePage);
    await looksWellEverywhere(page);
    const held = nameOf(777);
    await page.getByRole('searchbox', { name: 'Search files and policies' }).fill(held);
    await expect(list.locator('tbody tr')).toHaveCount(1);
    await page.getByRole('checkbox', { name: `Select ${held}` }).check();
    await page.getByRole('button', { name: 'Legal hold' }).click();
    await expect(page.getByText('1 session is on legal hold.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page.getByText('1–100 of 999')).toBeVisible();

    // Page by page the others go at once.
    for (let left = count - 1; left > 0; ) {
      await page.getByRole('checkbox', { name: 'Select all of the page' }).check();
      const going = Math.min(left, onePage);
      await page.getByRole('button', { name: 'Delete files now' }).click();
      await expect(page.getByRole('alertdialog')).toContainText(`Delete the files of ${going} sessions?`);
      await inDialog(page, 'Delete files now').click();
      left -= going;
      const shown = left === 0 ? 'Nothing is to be deleted.' : `of ${left}`;
      await expect(page.getByText(shown).first()).toBeVisible({ timeout: patience });
      await expect(page.getByRole('button', { name: 'Delete files now' })).toHaveCount(0);
    }
    const [gone] = await ask<{ items: { id: string }[] }>(
      page,
      'GET',
      `/sessions?search=${encodeURIComponent(nameOf(42))}`,
    ).then(({ items }) => items);
    await page.goto(`/workflows/session/${gone?.id}`);
    await page.getByRole('tab', { name: 'Log' }).click();
    await expect(page.getByText('Files removed by retention')).toBeVisible();

    // The one on legal hold is there, and so are its bytes.
    await page.goto(`/retention/details/${profileId}?held=true`);
    await expect(list.locator('tbody tr')).toHaveCount(1);
    await page.getByRole('link', { name: held }).click();
    await expect(page.getByRole('heading', { level: 1, name: held })).toBeVisible();
    await page.getByRole('tab', { name: 'Files' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('tabpanel')
        .getByRole('button', { name: /^Download/ })
        .first()
        .click(),
    ]);
    expect(await readFile(await download.path())).toEqual(pdf);
  } finally {
    await inDatabase(`delete from sessions where id like 'ses_due${mark}%'`, []);
  }
});
