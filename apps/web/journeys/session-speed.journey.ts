import type { Session } from '@pdf2press/contract';
import { Client } from 'pg';
import { expect, type Page } from 'playwright/test';
import { ask, enter, patience, test, tokenOf } from './house.ts';
import { makePdf } from './make-pdf.ts';
import { submitToSample } from './submit.ts';
import { loads, longestFrame, quiet, tell, type Vitals, vitalsOf, watchVitals } from './vitals.ts';

/** Of the processor, while the session is measured. */
const slowdown = 4;
const [pageCount, findingCount] = [600, 1500];

/** The findings of a session, as if each page broke the rule of the first one several times over. */
async function fillWithFindings(sessionId: string): Promise<void> {
  const db = new Client({ connectionString: process.env.DATABASE_URL });
  await db.connect();
  try {
    await db.query('set session_replication_role = replica');
    await db.query(
      `with one as (select * from findings where session_id = $1 order by no limit 1),
            gone as (delete from findings where session_id = $1)
       insert into findings (id, subscriber_id, session_id, step_run_id, run_no, no, check_key, code, severity, page, data)
       select 'fin_' || md5(session_id || n), subscriber_id, session_id, step_run_id, run_no, n, check_key, code, severity,
              1 + n * ${pageCount} / $2::int,
              (data - 'pages' - 'boxes' - 'pageLabel') || jsonb_build_object('count', 1, 'page', 1 + n * ${pageCount} / $2::int,
                'box', jsonb_build_array(72, 200 + n % 5 * 20, 272, 215 + n % 5 * 20))
         from one, generate_series(0, $2::int - 1) as n`,
      [sessionId, findingCount],
    );
    await db.query(
      `update step_runs set output = jsonb_set(output, '{counts}', jsonb_build_object('Fail', $2::int, 'Warn', 0, 'Info', 0))
        where session_id = $1 and output ? 'counts'`,
      [sessionId, findingCount],
    );
  } finally {
    await db.end();
  }
}

/** From the press of a key to the first frame with the picture of the next page, by the clock of the page, ms. */
const timeOfTurn = (page: Page, to: number) =>
  page.evaluate(
    (next) =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        const look = () => {
          const stage = document.querySelector(`[role=group][aria-label^="Page ${next}:"]`);
          const pictures = [...(stage?.querySelectorAll('img') ?? [])];
          if (pictures.some((picture) => picture.complete && picture.naturalWidth > 0))
            requestAnimationFrame(() => resolve(performance.now() - from));
          else requestAnimationFrame(look);
        };
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
        look();
      }),
    to,
  );

/** The page is drawn, and the one after it loaded: a reader looks at a page for longer than that takes. */
const nextIsLoaded = async (page: Page) => {
  await expect(page.getByText('being rendered')).toHaveCount(0, { timeout: patience });
  const stage = page.getByRole('group', { name: /^Page \d+:/ });
  await expect(stage.locator('img[class*=tile]').first()).toBeVisible({ timeout: patience });
  await quiet(page);
};

test(`session: one of ${findingCount} findings on ${pageCount} pages is opened, scrolled and turned; how fast is told`, async ({
  page,
  context,
}) => {
  test.skip(!process.env.DATABASE_URL, 'DATABASE_URL does not say where the sessions lie');
  await enter(page, context);
  const texts = Array.from({ length: pageCount }, (_, at) => `Page ${at + 1}`);
  const id = await submitToSample(page, `large-${Date.now().toString(36)}.pdf`, makePdf(texts));
  await expect
    .poll(async () => (await ask<Session>(page, 'GET', `/sessions/${id}`)).status, { timeout: 3 * patience })
    .toMatch(/^Completed/);
  await fillWithFindings(id);
  await watchVitals(page);
  const line = await context.newCDPSession(page);
  await line.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const seen: Vitals[] = [];
  const scrolled: number[] = [];
  const turned: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    seen.push(await vitalsOf(page, `/workflows/session/${id}`));
    await page
      .getByRole('region', { name: 'Details' })
      .locator('button[aria-expanded]')
      .filter({ hasText: '1,500 places' })
      .click();
    const list = page.getByRole('region', { name: 'Details' }).getByRole('tabpanel');
    await expect(list.locator('li').first()).toBeVisible();
    // Of the list, only what is in sight is in the document.
    expect(await list.locator('li').count()).toBeLessThan(40);
    await quiet(page);
    const box = await list.boundingBox();
    if (!box) throw new Error('the list has no box');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    scrolled.push(
      await longestFrame(page, async () => {
        for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 240);
      }),
    );
    // The pictures of the rows come once the list stands still; those of the first pages are rendered.
    await page.mouse.wheel(0, -20_000);
    await expect(list.locator('li[data-index] img').first()).toBeVisible({ timeout: patience });
    for (let to = 2; to <= 4; to += 1) {
      await nextIsLoaded(page);
      turned.push(await timeOfTurn(page, to));
    }
  }
  tell(
    'session: LCP',
    seen.map(({ LCP }) => LCP),
  );
  tell('session: scroll', scrolled);
  tell('session: page turn', turned);
});

test('session: how long the first picture of a file takes after its last byte', async ({ page, context }) => {
  await enter(page, context);
  const times: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    // Not the same bytes twice: their pictures would be there.
    const buffer = makePdf([`First picture ${Date.now()} ${load}`]);
    const token = await tokenOf(page);
    const id = await submitToSample(page, `first-${load}.pdf`, buffer);
    const from = performance.now();
    const headers = { authorization: `Bearer ${token}` };
    const picture = async () => (await page.request.get(`/api/sessions/${id}/thumbnails/1`, { headers })).status();
    while ((await picture()) !== 200 && performance.now() - from < patience)
      await new Promise((resolve) => setTimeout(resolve, 20));
    times.push(performance.now() - from);
    await expect
      .poll(async () => (await ask<Session>(page, 'GET', `/sessions/${id}`)).status, { timeout: patience })
      .toMatch(/^Completed/);
  }
  tell('session: first picture', times);
});
