import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, type Page } from 'playwright/test';
import { ask, enter, patience, test } from './house.ts';
import { isSound } from './looks.ts';
import { drawn, linkFor, makeProvingWorkflow, readerOf } from './proving.ts';
import { becomes, submit } from './submit.ts';
import { inDatabase } from './time-passes.ts';

const mark = Date.now().toString(36);
const total = 10_000;

/** As many notes as a proof takes, written by its reader: most on page 1, every tenth on page 2, ten on page 3. */
const fill = (sessionId: string) =>
  inDatabase(
    `insert into proof_notes (id, subscriber_id, session_id, proof_id, no, page, box, text, recipient_id, author_name, request_key)
     select 'pnt_' || proof.id || n, proof.subscriber_id, proof.session_id, proof.id, n,
            case when n % 10 = 0 then 2 when n % 1000 = 5 then 3 else 1 end,
            array[20 + n % 370, 20 + n / 27, 20 + n % 370, 20 + n / 27]::float8[], 'Remark ' || n, recipient.id, 'Nora', 'many ' || n
       from proofs proof join proof_recipients recipient on recipient.proof_id = proof.id, generate_series(1, $2::int) as n
      where proof.session_id = $1`,
    [sessionId, total],
  );

const rowsOf = (page: Page) => page.getByRole('button', { name: /Page \d/ }).and(page.locator('[aria-pressed]'));

test('ten thousand notes on a proof are read, jumped to, and saved as annotations', { tag: '@night' }, async ({
  page,
  context,
  browser,
}) => {
  test.setTimeout(8 * patience);
  await enter(page, context);
  const email = `nora-${mark}@customer.test`;
  const workflowId = await makeProvingWorkflow(page, email, { isReasonRequired: false }, []);
  const id = await submit(page, workflowId, `notes-${mark}.pdf`, ['Cover', 'Inside', 'Back']);
  await becomes(page, id, /^OnHold$/);
  await fill(id);

  const reader = await readerOf(browser, { width: 1440, height: 900 });
  await reader.goto(await linkFor(page, email));
  await drawn(reader);
  const about = reader.getByRole('complementary', { name: 'About the proof' });
  await about.getByRole('tab', { name: 'Notes (10,000)' }).click();
  await expect(about.getByText('Remark 1', { exact: true })).toBeVisible();
  expect(await rowsOf(reader).count()).toBeLessThan(40);
  // Of the many on the page the newest are drawn, and how many are not is said.
  await expect(reader.getByText('8,690 more notes on what you see are in the list')).toBeVisible();
  await expect(reader.getByRole('button', { name: 'Page 3, 10 notes' })).toBeVisible();
  await reader.screenshot({ path: test.info().outputPath('many-notes.png') });

  // To the end of the list, and from there to a page.
  const list = about.locator('[data-scroller]');
  // Rows are measured when they come into sight, so that the end moves a little.
  await expect
    .poll(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return about.getByText('Remark 10000', { exact: true }).isVisible();
    })
    .toBe(true);
  expect(await rowsOf(reader).count()).toBeLessThan(40);
  const last = about.getByRole('listitem').filter({ hasText: 'Remark 10000' });
  await last.getByRole('button', { name: /Page 2/ }).click();
  await expect(reader.getByRole('button', { name: /^Page 2, 1,000 notes/ })).toHaveAttribute('aria-current', 'page');

  // From a mark on a page to its words in the middle of the list.
  await reader.getByRole('button', { name: 'Page 3, 10 notes' }).click();
  await reader.getByRole('button', { name: 'Note 5005', exact: true }).click();
  await expect(about.getByText('Remark 5005', { exact: true })).toBeVisible();
  await expect(
    about.getByRole('listitem').filter({ hasText: 'Remark 5005' }).locator('[aria-pressed=true]'),
  ).toBeVisible();
  await isSound(reader, 'many-notes-page');

  // One more is refused in words, and what was written stays.
  await about.getByRole('button', { name: 'Write a note' }).click();
  await about.getByLabel('What should change').fill('And this');
  await about.getByRole('button', { name: 'Save the note' }).click();
  await expect(about.getByText('There are 10000 notes already; no more can be added.')).toBeVisible();
  await expect(about.getByLabel('What should change')).toHaveValue('And this');

  // The house reads them in the session, and saves them.
  await page.goto(`/workflows/session/${id}`);
  await page.getByRole('tab', { name: 'Proof' }).click();
  const notes = page.getByRole('region', { name: 'Notes', exact: true });
  await expect(notes.getByText('Remark 1', { exact: true })).toBeVisible({ timeout: patience });
  expect(await notes.getByRole('listitem').count()).toBeLessThan(40);
  await page.screenshot({ path: test.info().outputPath('many-notes-session.png') });
  const save = async (button: string) => {
    const [saved] = await Promise.all([
      page.waitForEvent('download', { timeout: 4 * patience }),
      notes.getByRole('button', { name: button }).click(),
    ]);
    return saved.path();
  };
  const table = readFileSync(await save('Table (CSV)'), 'utf8');
  expect(table.split('\r\n').filter((line) => /^\d+,/.test(line))).toHaveLength(total);
  const copy = await save('File with notes (PDF)');
  const shown = spawnSync('qpdf', ['--json=2', '--json-key=qpdf', copy], { encoding: 'utf8', maxBuffer: 2 ** 29 });
  if (shown.error === undefined) expect(shown.stdout.match(/"\/Subtype": "\/Text"/g)).toHaveLength(total);

  // Decided, all of them are in the record; the certificate writes the first ones out and has all of them.
  await reader.getByRole('button', { name: 'Decline' }).first().click();
  await reader.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await expect(reader.getByText(/^Declined by/)).toBeVisible();
  const [proof] = await ask<{ records: { noteCount: number }[] }[]>(page, 'GET', `/sessions/${id}/proofs`);
  expect(proof?.records.map(({ noteCount }) => noteCount)).toEqual([total]);
  const [certificate] = await Promise.all([
    reader.waitForEvent('download', { timeout: 4 * patience }),
    reader.getByRole('button', { name: /certificate/i }).click(),
  ]);
  expect(readFileSync(await certificate.path()).toString('latin1')).toContain('%pdf2press-certificate 1 ');
  await reader.context().close();
});
