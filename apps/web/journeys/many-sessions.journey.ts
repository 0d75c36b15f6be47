import { Client } from 'pg';
import { expect, type Page } from 'playwright/test';
import { enter, test } from './house.ts';
import { tell } from './vitals.ts';

const count = 100_000;

/** Copies of one session, a minute apart, into the past; gone again at the end. */
async function withManySessions(use: () => Promise<void>): Promise<void> {
  const db = new Client({ connectionString: process.env.DATABASE_URL });
  await db.connect();
  try {
    await db.query(
      `insert into sessions (id, subscriber_id, public_id, workflow_id, workflow_version_id, source, source_name, file_name, status, created_at)
       select 'ses_many' || n, subscriber_id, 'many' || n, workflow_id, workflow_version_id, source, 'Source ' || n % 50,
              'job-' || md5(n::text) || '.pdf',
              (array['Completed', 'Failed', 'CompletedWithWarnings', 'OnHold'])[1 + n % 4]::session_status,
              now() - interval '1 day' - n * interval '1 minute'
         from (select * from sessions where deleted_at is null limit 1) as one, generate_series(1, $1::int) as n`,
      [count],
    );
    await db.query('analyze sessions');
    await use();
  } finally {
    await db.query(`delete from sessions where id like 'ses_many%'`);
    await db.end();
  }
}

/** From the press to the first frame that shows other rows, by the page's own clock. */
const timeOf = (page: Page, button: string) =>
  page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        const table = document.querySelector('tbody');
        const before = table?.textContent;
        const from = performance.now();
        const look = () => {
          const isOther = document.querySelector('tbody')?.textContent !== before;
          if (isOther) requestAnimationFrame(() => resolve(performance.now() - from));
          else requestAnimationFrame(look);
        };
        document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click();
        look();
      }),
    button,
  );

test(`the pages of ${count} sessions are turned, searched and filtered`, async ({ page, context }) => {
  test.skip(!process.env.DATABASE_URL, 'DATABASE_URL does not say where the sessions lie');
  await withManySessions(async () => {
    await enter(page, context);
    await page.goto('/workflows/sessions');
    await expect(page.getByText(/of 100,0\d\d/)).toBeVisible();
    // The numbers of pages come a moment after the rows.
    await expect(page.getByRole('button', { name: 'Next page' })).toBeEnabled();
    const times: number[] = [];
    for (const button of [
      'Next page',
      'Next page',
      'Next page',
      'Previous page',
      'Last page',
      'First page',
      'Next page',
    ]) {
      times.push(await timeOf(page, button));
    }
    tell('page change', times);

    // A search and a filter over all of them, too.
    await page.getByLabel('Search files and ids').fill('job-abc');
    await expect(page.getByRole('row').nth(1)).toContainText('job-abc');
    await page.getByLabel('Search files and ids').fill('');
    await page
      .getByRole('button', { name: /^Failed/ })
      .first()
      .click();
    await expect(page.getByText(/of 25,0\d\d/)).toBeVisible();
  });
});
