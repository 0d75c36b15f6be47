import { expect, type Page } from 'playwright/test';
import { makePublished, stepOf } from './drafting.ts';
import { enter, patience, test, tokenOf } from './house.ts';
import { axeFaults, looksWellEverywhere, themeFollows } from './looks.ts';
import { makePdf } from './make-pdf.ts';
import { inDatabase } from './time-passes.ts';

const mark = Date.now().toString(36);

/** Uploads a file by the API; resolves to the codes of its refusal. */
async function upload(page: Page, workflowId: string, name: string, buffer: Buffer): Promise<string[]> {
  const answer = await page.request.post('/api/sessions', {
    headers: { authorization: `Bearer ${await tokenOf(page)}` },
    multipart: { workflowId, file: { name, mimeType: 'application/pdf', buffer } },
  });
  return ((await answer.json()) as { errors: { code: string }[] }).errors.map(({ code }) => code);
}

test('one search finds a file that came and one that was refused, and tells what became of each', async ({
  page,
  context,
}) => {
  await themeFollows(context);
  await enter(page, context);
  const workflowId = await makePublished(page, {
    name: `Once ${mark}`,
    steps: [stepOf('Inject', { duplicates: 'refuse' }), stepOf('Complete')],
  });
  const pdf = makePdf([`Leaflet ${mark}`]);
  const [first, again] = [`Leaflet ${mark}.pdf`, `Leaflet ${mark} again.pdf`];
  expect(await upload(page, workflowId, first, pdf)).toEqual([]);
  expect(await upload(page, workflowId, again, pdf)).toEqual(['file.duplicate']);

  await page.goto('/workflows/sessions');
  await page.getByRole('link', { name: 'What arrived' }).click();
  await page.getByRole('searchbox', { name: 'Where is my file? Name, sender or session' }).fill(`leaflet ${mark}`);
  const rows = page.getByRole('row').filter({ hasText: mark });
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/search=leaflet/);
  await expect(rows.first()).toContainText('Duplicate');
  await expect(rows.first().getByRole('link', { name: first })).toBeVisible();
  await expect(rows.last()).toContainText('Upload by a person');

  await looksWellEverywhere(page);

  // The column has a button of this name, too, which sorts.
  await page.getByRole('button', { name: 'What became of it' }).and(page.locator('[aria-haspopup]')).click();
  // The filter is in the address: the tick comes with it, a moment after the click.
  await page.getByRole('checkbox', { name: 'Session', exact: true }).click();
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: `Open the session of ${first}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeVisible();
});

test('a file that nothing can open stands as refused, with why and its session, until the session goes on', async ({
  page,
  context,
}) => {
  test.setTimeout(patience * 2);
  await themeFollows(context);
  await enter(page, context);
  const workflowId = await makePublished(page, {
    name: `Opens ${mark}`,
    steps: [stepOf('Inject'), stepOf('Complete')],
    ways: ['inject done complete'],
  });
  const [broken, sound] = [`Torn ${mark}.pdf`, `Torn ${mark} whole.pdf`];
  expect(await upload(page, workflowId, broken, Buffer.from(`%PDF-1.4 ${mark}`))).toEqual([]);
  expect(await upload(page, workflowId, sound, makePdf([`Whole ${mark}`]))).toEqual([]);
  await page.goto(`/arrivals?search=${encodeURIComponent(`torn ${mark}`)}&way=manual&outcome=refused`);
  const rows = page.getByRole('row').filter({ hasText: mark });
  await expect(rows).toHaveCount(1, { timeout: patience });
  await expect(rows).toContainText('Refused');
  await expect(rows).toContainText('Failed');
  await expect(rows).toContainText(/The PDF|The file is not a PDF/);
  // Nobody can be asked for it once more: it lies here.
  await expect(rows.getByRole('button', { name: /^Try/ })).toHaveCount(0);
  await looksWellEverywhere(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  const search = page.getByRole('searchbox', { name: 'Where is my file? Name, sender or session' });
  // The same text is typed again: before the field is empty that would change nothing.
  await expect(search).toHaveValue('');
  await search.fill(`torn ${mark}`);
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(rows.first()).toContainText(sound);
  await page.getByRole('link', { name: `Open the session of ${broken}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: broken })).toBeVisible();
});

test('what waits says until when, a place that fails says why, and what came by one way is told alone', {
  tag: '@night',
}, async ({ page, context }) => {
  await themeFollows(context);
  await enter(page, context);
  const name = `Waiting ${mark}`;
  // As intake writes it down: no journey has a full disk, or a mail server that is away.
  const item = async (key: string, state: 'Retry' | 'Rejected', reason: string, way: string) =>
    inDatabase(
      `insert into ingest_items (subscriber_id, source_kind, source_key, state, reason, reason_params, name, way, source_name,
                                 attempts, next_at)
       select id, 'email', $1, $2::ingest_state, $3, '{}', $4, $5, 'zoe@paper.example', 3,
              case when $2 = 'Retry' then now() + interval '15 minutes' end
         from subscribers order by created_at limit 1`,
      [`prf_2 ${mark} ${key}`, state, reason, `${name} ${key}.pdf`, way],
    );
  await item('disk', 'Retry', 'storage.full', 'email');
  await item('gone', 'Rejected', 'mail.gone', 'email');
  await item('folder', 'Rejected', 'file.typeNotAccepted', 'hotFolder');
  await page.goto(`/arrivals?search=${encodeURIComponent(name)}`);
  const rows = page.getByRole('row').filter({ hasText: name });
  await expect(rows).toHaveCount(3);
  const waiting = rows.filter({ hasText: 'disk' });
  await expect(waiting).toContainText('Waiting');
  await expect(waiting).toContainText(/next try in 1[45] min/);
  await expect(waiting.getByRole('button', { name: /^Try/ })).toBeVisible();
  // A mail that is not there any more cannot come again.
  await expect(rows.filter({ hasText: 'gone' }).getByRole('button', { name: /^Try/ })).toHaveCount(0);
  await looksWellEverywhere(page);
  await page.getByRole('button', { name: 'From' }).and(page.locator('[aria-haspopup]')).click();
  await page.getByRole('checkbox', { name: 'Hot folder' }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('folder.pdf');
  await page.keyboard.press('Escape');
  // Told in the address: somebody else sees the same with the link.
  await page.reload();
  await expect(rows).toHaveCount(1);
});

test('a file that was refused is tried again when somebody asks', { tag: '@night' }, async ({ page, context }) => {
  await themeFollows(context);
  await enter(page, context);
  const name = `Poster ${mark}.png`;
  // As intake writes it down: no journey has a mail server.
  await inDatabase(
    `insert into ingest_items (subscriber_id, source_kind, source_key, state, reason, reason_params, name, way, source_name, attempts)
     select id, 'email', $1, 'Rejected', 'file.typeNotAccepted', '{"types":"PDF"}', $2, 'email', 'zoe@paper.example', 1
       from subscribers order by created_at limit 1`,
    [`prf_1 ${mark}`, name],
  );
  await page.goto(`/arrivals?search=${encodeURIComponent(name)}`);
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Refused');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await axeFaults(page)).toEqual([]);
  }
  await page.getByRole('button', { name: `Try ${name} again` }).click();
  await expect(page.getByText(`${name} is tried again now`)).toBeVisible();
  await expect(row).toContainText('Waiting');
});
