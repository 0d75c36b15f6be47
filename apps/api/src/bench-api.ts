import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type BenchRow, median } from '@pdf2press/config/bench';
import { freePort } from '@pdf2press/config/free-port';
import { createDatabase } from '@pdf2press/prisma';
import { startTestPostgres, tidyUp } from '@pdf2press/prisma/testing';

/* What the measurements of the API share. */

export const administrator = { email: 'bench@example.com', password: 'Tr0ub4dor&3' };

export interface Api {
  origin: string;
  /** Resident memory of the process, MB. */
  memory: () => number;
  stop: () => Promise<void>;
}

/** The API as a process of its own, ready. */
async function startApi(databaseUrl: string, dataDir: string): Promise<Api> {
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL('./joined/main.js', import.meta.url))], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'silent',
      RATE_LIMIT_FACTOR: '1000',
      CAPTCHA_PROVIDER: 'off',
      PDF2PRESS_ADMIN_EMAIL: administrator.email,
      PDF2PRESS_ADMIN_PASSWORD: administrator.password,
    },
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries += 1) {
    const ready = await fetch(`${origin}/healthz/ready`).catch(() => undefined);
    if (ready?.ok) break;
    await sleep(50);
  }
  return {
    origin,
    memory: () => (Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

interface Measured {
  api: Api;
  token: string;
  databaseUrl: string;
  /** For files of the measurement. */
  folder: string;
}

/** Measures an API with a database of its own, as its administrator; takes both away afterwards. */
export async function withApi(measure: (given: Measured) => Promise<BenchRow[]>): Promise<BenchRow[]> {
  const postgres = await startTestPostgres({ isDurable: true });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-bench-'));
  const api = await startApi(postgres.url, path.join(folder, 'data'));
  try {
    const { authToken } = await call<{ authToken: string }>(api, '/TokenAuth/login', undefined, administrator);
    return await measure({ api, token: authToken, databaseUrl: postgres.url, folder });
  } finally {
    await api.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The `result` of a call. */
export async function call<T>(api: Api, url: string, token: string | undefined, body?: object): Promise<T> {
  const response = await fetch(`${api.origin}/api${url}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { result } = (await response.json()) as { result: T };
  return result;
}

/**
 * Adds sessions like the one that is there, a minute apart, of twenty workflows in turn; of every five, four are of an
 * organization. They stand as those of a shop do: nearly all have ended, most of them well, the newest 150 run or wait for a
 * worker, and of every five hundred one is on hold. Resolves to the organizations' ids.
 */
export async function addSessions(api: Api, token: string, databaseUrl: string, count: number): Promise<string[]> {
  const organizations: string[] = [];
  for (const name of ['North', 'East', 'South', 'West'])
    organizations.push((await call<{ id: string }>(api, '/organizations', token, { name })).id);
  const workflows: string[] = [];
  for (let no = 1; no <= 20; no += 1)
    workflows.push((await call<{ id: string }>(api, '/workflows', token, { name: `Workflow ${no}` })).id);
  const db = createDatabase(databaseUrl);
  try {
    await db.asHost(
      (tx) => tx.$executeRaw`
        insert into sessions (id, subscriber_id, public_id, workflow_id, workflow_version_id, source, source_name, file_name, status, organization_id, created_at)
        select 'ses_bench' || n, subscriber_id, 'bench' || n, (${workflows}::text[])[1 + n % 20], workflow_version_id, source, 'Source ' || n % 50,
               'job-' || md5(n::text) || '.pdf',
               (case when n <= 50 then 'Processing' when n <= 150 then 'InQueue' when n % 500 = 0 then 'OnHold'
                     when n % 100 < 80 then 'Completed' when n % 100 < 94 then 'CompletedWithWarnings'
                     when n % 100 < 98 then 'Failed' else 'CanceledByOperator' end)::session_status,
               (${organizations}::text[])[n % 5],
               now() - n * interval '1 minute'
          from (select * from sessions limit 1) as one, generate_series(1, ${count}::int) as n`,
      { timeout: 900_000 },
    );
  } finally {
    await db.close();
  }
  await tidyUp(databaseUrl);
  return organizations;
}

/** Changing pages of the list of sessions, with the usual sorting and filters: the slowest kind's median, ms. */
export async function slowestPage(api: Api, token: string, organizations: readonly string[]): Promise<number> {
  const queries = [
    '',
    'page=2',
    'page=40',
    'status=Failed&page=3',
    'sort=fileName&page=4',
    'sort=workflow',
    'search=job-abc',
    'sort=source&page=20',
    `organizationId=${organizations[0]}&page=40`,
    'organizationId=house',
    'sort=organization&page=3',
    'sort=status',
    'sort=findings&page=2',
    'sort=sourceType',
  ];
  const times: number[] = [];
  for (const query of queries) times.push(await timeOf(() => call(api, `/sessions?${query}`, token)));
  return Math.max(...times);
}

/** The median of five rounds, ms. */
export async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const from = performance.now();
    await act();
    rounds.push(performance.now() - from);
  }
  return median(rounds);
}
