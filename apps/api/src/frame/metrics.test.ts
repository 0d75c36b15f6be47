import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTask } from '@pdf2press/tasks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, startLab } from '../testing/lab.ts';

const token = 'a token of the house';
let lab: Lab;
beforeAll(async () => {
  lab = await startLab({ variables: { METRICS_TOKEN: token } });
});
afterAll(() => lab.stop());

const ask = (authorization?: string) =>
  lab.call('GET', '/metrics', { headers: authorization === undefined ? {} : { authorization } });
/** Value by name and labels, as Prometheus reads them. */
const samples = (text: string): Map<string, number> =>
  new Map(
    text
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
  );
const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/^# TYPE (\S+) (?:gauge|counter|histogram)$/gm)].map(([, name = '']) => name));

test('only whoever has the token gets figures', async () => {
  for (const wrong of [undefined, 'Bearer wrong', `Basic ${token}`, token, `Bearer ${token}x`]) {
    const answer = await ask(wrong);
    expect([answer.statusCode, answer.body, answer.headers['www-authenticate']]).toEqual([401, '', 'Bearer']);
  }
  const answer = await ask(`Bearer ${token}`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('the text is well formed, and counts work, effects, sources and answers of all subscribers', async () => {
  const [a, b] = [await lab.makeSubscriber('Paper'), await lab.makeSubscriber('Ink')];
  for (const [at, subscriberId] of [a, b].entries())
    await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
      await tx.$executeRaw`
        insert into workflows (id, subscriber_id, name, draft, updated_at)
        values (${`wf${at}`}, ${subscriberId}, 'Flow', '{}', now())`;
      await tx.$executeRaw`
        insert into inlets (id, subscriber_id, workflow_id, kind, place, failing_since, error_code)
        values (${`in${at}`}, ${subscriberId}, ${`wf${at}`}, 'folder', 'x', now() - interval '20 minutes', 'source.unreachable')`;
      await tx.$executeRaw`
        insert into effects (id, subscriber_id, key, kind, payload, state, next_at)
        values (${`ef${at}`}, ${subscriberId}, ${`k${at}`}, 'mail', '{}', 'Dead', now()),
               (${`eg${at}`}, ${subscriberId}, ${`l${at}`}, 'mail', '{}', 'Pending', now() - interval '90 seconds')`;
    });
  await lab.call('GET', '/healthz/live');
  // The figures of the first test are kept for five seconds.
  let found = new Map<string, number>();
  await expect
    .poll(
      async () => {
        found = samples((await ask(`Bearer ${token}`)).body);
        return found.get('pdf2press_effects{kind="mail",state="Dead"}');
      },
      { timeout: 15_000, interval: 500 },
    )
    .toBe(2);
  expect(found.get('pdf2press_effects{kind="mail",state="Pending"}')).toBe(2);
  expect(found.get('pdf2press_effects_late_seconds{kind="mail",state="Pending"}')).toBeGreaterThanOrEqual(90);
  expect(found.get('pdf2press_sources{kind="folder",state="failing"}')).toBe(2);
  expect(found.get('pdf2press_sources_failing_seconds{kind="folder"}')).toBeGreaterThanOrEqual(1200);
  expect(found.get('pdf2press_http_requests_total{method="GET",route="/healthz/live",status="200"}')).toBe(1);
  expect(found.get('pdf2press_http_request_seconds_bucket{le="+Inf"}')).toBe(
    found.get('pdf2press_http_request_seconds_count'),
  );
  const { body } = await ask(`Bearer ${token}`);
  for (const line of body.trim().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z0-9_]+ .+|[a-z0-9_]+(\{([a-z]+="[^"]*",?)+\})? [0-9.e+-]+)$/);
  expect(body).not.toMatch(new RegExp(`${a}|${b}|Paper|wf0`));
});

test('memory of the children of the API and of its workers, by task', async () => {
  const file = path.join(lab.deps.env.dataDir, 'no.pdf');
  await writeFile(file, 'no PDF');
  // A real child, which ends within a second; it tells its peak itself.
  const work = runTask('inspect', { path: file }, { workDir: lab.deps.env.dataDir });
  await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/^PDF_/) });
  const children = [
    { task: 'inspect', running: 2, residentBytes: 300e6, peakBytes: 10e6, limitBytes: 1536 * 2 ** 20 },
    { task: 'fix', running: 1, residentBytes: 500e6, peakBytes: 900e6, limitBytes: 2048 * 2 ** 20 },
  ];
  // As a worker writes it every ten seconds (apps/worker/src/worker.test.ts); the second is of an older release.
  await mkdir(path.join(lab.deps.env.dataDir, 'run'), { recursive: true });
  const states: [string, object][] = [
    ['worker-1.json', { running: 3, children }],
    ['worker-2.json', { running: 0 }],
  ];
  for (const [name, state] of states)
    await writeFile(path.join(lab.deps.env.dataDir, 'run', name), JSON.stringify(state));
  const found = samples((await ask(`Bearer ${token}`)).body);
  expect(found.get('pdf2press_children{task="inspect"}')).toBe(2);
  expect(found.get('pdf2press_children_memory_bytes{task="inspect"}')).toBe(300e6);
  expect(found.get('pdf2press_child_peak_memory_bytes{task="inspect"}')).toBeGreaterThan(20e6);
  expect(found.get('pdf2press_child_peak_memory_bytes{task="fix"}')).toBe(900e6);
  expect(found.get('pdf2press_child_memory_limit_bytes{task="fix"}')).toBe(2048 * 2 ** 20);
});

test('alert rules and dashboard name figures that there are', async () => {
  const known = namesIn((await ask(`Bearer ${token}`)).body);
  const files = ['alerts.yml', 'dashboard.json'].map((name) =>
    readFileSync(fileURLToPath(new URL(`../../../../docs/monitoring/${name}`, import.meta.url)), 'utf8'),
  );
  for (const file of files) {
    const named = [...file.matchAll(/\b(?:pdf2press|process)_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, ''));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  }
});

test('without a token there is no such page', async () => {
  const bare = await startLab();
  try {
    expect((await bare.call('GET', '/metrics')).statusCode).toBe(404);
  } finally {
    await bare.stop();
  }
});
