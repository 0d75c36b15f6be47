import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { type BenchRow, median, sideBySide } from '@pdf2press/config/bench';
import { openVisit, uploadFile } from '@pdf2press/config/upload-client';
import { createDatabase } from '@pdf2press/prisma';
import { type Api, addSessions, administrator, call, slowestPage, withApi } from './bench-api.ts';

const bytes = 330_000_000;

/** A file of 330 MB that does not compress. */
async function writeFile(file: string): Promise<void> {
  const handle = await open(file, 'w');
  for (let written = 0; written < bytes; written += 10_000_000) await handle.write(randomBytes(10_000_000));
  await handle.sync();
  await handle.close();
}

const sentFile = (file: string) => ({
  ...{ name: 'bench.pdf', size: bytes },
  content: createReadStream(file, { highWaterMark: 1 << 20 }),
});

const secondsOf = async (act: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await act();
  return (performance.now() - from) / 1000;
};

/** The same bytes with standard programs: a copy, durable where it is asked for, and its hash, in seconds. */
function copyAndHash(file: string, target: string, isDurable: boolean): number {
  const from = performance.now();
  spawnSync('cp', [file, target]);
  if (isDurable) spawnSync('sync', [target]);
  spawnSync('sha256sum', [target]);
  const seconds = (performance.now() - from) / 1000;
  rmSync(target);
  return seconds;
}

interface Given {
  api: Api;
  token: string;
  workflowId: string;
  /** Of 330 MB. */
  file: string;
}

/** The speed that follows from the seconds that the file takes here and with standard programs. */
const speedRow = (
  name: string,
  peer: string,
  { ours, peer: peers, ratio }: Awaited<ReturnType<typeof sideBySide>>,
): BenchRow => ({
  ...{ name, ours: bytes / 1e6 / ours, unit: 'MB/s' },
  ...{ peer, peerValue: bytes / 1e6 / peers, ratio: 1 / ratio, limit: 0.6, isFloor: true },
});

/** From the first request to the answer that acknowledges the file. */
async function benchUpload({ api, token, workflowId, file }: Given): Promise<BenchRow[]> {
  const where = {
    ...{ origin: api.origin, path: '/api/uploads', metadata: { workflowId } },
    headers: { authorization: `Bearer ${token}` },
  };
  const growths: number[] = [];
  const ours = async () => {
    const before = api.memory();
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, api.memory());
    }, 20);
    const seconds = await secondsOf(() => uploadFile(where, sentFile(file)));
    clearInterval(timer);
    growths.push(peak - before);
    return seconds;
  };
  const peer = 'cp + sync + sha256sum';
  const measured = await sideBySide(ours, async () => copyAndHash(file, `${file}.copy`, true), 3);
  return [
    speedRow('api: speed of a 330 MB upload until it is acknowledged, fsync and hash included', peer, measured),
    { name: 'api: memory it grows by during a 330 MB upload', ours: Math.max(...growths), unit: 'MB', limit: 50 },
  ];
}

/** A stranger opens a public upload page, uploads and sends: until the answer that the session has begun. */
async function benchUploadPage({ api, token, workflowId, file }: Given): Promise<BenchRow> {
  const uploadPage = { isPublic: true, slug: 'bench', workflowIds: [workflowId] };
  await call(api, '/organizations', token, { name: 'Bench', uploadPage });
  const handIn = async () => {
    const visit = await openVisit(api.origin, 'bench');
    await visit.send(workflowId, await visit.upload(sentFile(file)));
  };
  const ours = () => secondsOf(handIn);
  const measured = await sideBySide(ours, async () => copyAndHash(file, `${file}.copy`, false), 3);
  return speedRow(
    'upload page: speed of 330 MB from opening the page until they are sent, fsync and hash included',
    'cp + sha256sum',
    measured,
  );
}

/** Changing pages of a list of 100 000 sessions. */
async function benchList(api: Api, token: string, databaseUrl: string): Promise<BenchRow> {
  const organizations = await addSessions(api, token, databaseUrl, 100_000);
  return {
    name: 'api: slowest of fourteen kinds of page change in 100 000 sessions',
    ours: await slowestPage(api, token, organizations),
    unit: 'ms',
    limit: 300,
  };
}

/** The detail of a session of 10 000 findings, which are a resource of their own. */
async function benchDetail(api: Api, token: string, databaseUrl: string): Promise<BenchRow[]> {
  const { items } = await call<{ items: { id: string }[] }>(api, '/sessions?pageSize=1', token);
  const id = items[0]?.id ?? '';
  const db = createDatabase(databaseUrl);
  await db.asHost(
    (tx) => tx.$executeRaw`
      insert into findings (id, subscriber_id, session_id, step_run_id, run_no, no, check_key, code, severity, page, data)
      select 'fnd_bench' || n, subscriber_id, session_id, id, run_no, n, 'Fonts', 'Fonts.notEmbedded', 'Warn', 1 + n % 200,
             jsonb_build_object('id', n::text, 'checkKey', 'Fonts', 'ruleKey', 'Fonts.notEmbedded', 'severity', 'Warn',
                                'page', 1 + n % 200, 'count', 1, 'params', jsonb_build_object('font', md5(n::text)))
        from (select * from step_runs where session_id = ${id} limit 1) as one, generate_series(1, 10000) as n`,
    { timeout: 120_000 },
  );
  await db.close();
  const { total } = await call<{ total: number }>(api, `/sessions/${id}/findings`, token);
  if (total !== 10_000) throw new Error(`${total} findings instead of 10000`);
  let size = 0;
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const from = performance.now();
    const answer = await fetch(`${api.origin}/api/sessions/${id}`, { headers: { authorization: `Bearer ${token}` } });
    size = (await answer.arrayBuffer()).byteLength;
    times.push(performance.now() - from);
  }
  return [
    { name: 'api: the detail of a session of 10 000 findings', ours: median(times), unit: 'ms', limit: 50 },
    { name: 'api: size of the detail of a session of 10 000 findings', ours: size / 1e6, unit: 'MB', limit: 0.05 },
  ];
}

/** Time from a request that changes a session to its event at a listener. */
async function benchLive(api: Api, token: string): Promise<BenchRow> {
  const headers = { authorization: `Bearer ${token}` };
  const { items } = await call<{ items: { id: string }[] }>(api, '/sessions?pageSize=1', token);
  const closing = new AbortController();
  const live = await fetch(`${api.origin}/api/sessions/live?sessionId=${items[0]?.id}`, {
    headers,
    signal: closing.signal,
  });
  const reader = live.body?.getReader();
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const from = performance.now();
    await call(api, `/sessions/${items[0]?.id}/${round % 2 ? 'resume' : 'stop'}`, token, {});
    for (let text = ''; !/^data: /m.test(text); ) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    times.push(performance.now() - from);
  }
  closing.abort();
  return { name: 'api: from a command to its live event at a listener', ours: median(times), unit: 'ms', limit: 1000 };
}

/** The time of a refused sign-in must not reveal whether the account exists. */
async function benchSignIn(api: Api): Promise<BenchRow> {
  const signIn = (email: string) => async () => {
    const from = performance.now();
    await call(api, '/TokenAuth/login', undefined, { email, password: 'wrong' });
    return performance.now() - from;
  };
  const { ours, peer, ratio } = await sideBySide(signIn('nobody@example.com'), signIn(administrator.email), 15);
  return {
    name: 'api: a refused sign-in, unknown account',
    ours,
    unit: 'ms',
    peer: 'known account',
    peerValue: peer,
    ratio: Math.max(ratio, 1 / ratio),
    limit: 1.5,
  };
}

export const bench = (): Promise<BenchRow[]> =>
  withApi(async ({ api, token, databaseUrl, folder }) => {
    const workflows = await call<{ items: { id: string }[] }>(api, '/workflows', token);
    const file = path.join(folder, 'bench.pdf');
    await writeFile(file);
    const given = { api, token, workflowId: workflows.items[0]?.id ?? '', file };
    const rows = [...(await benchUpload(given)), await benchUploadPage(given)];
    rows.push(await benchLive(api, token), ...(await benchDetail(api, token, databaseUrl)));
    return [...rows, await benchList(api, token, databaseUrl), await benchSignIn(api)];
  });
