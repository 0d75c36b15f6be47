import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { freePort, startEmbeddedPostgres } from './embedded.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function makeFolder(mode: number): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-pg-'));
  chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

async function start(folder: string, port: number) {
  return startEmbeddedPostgres({
    folder: path.join(folder, 'screens/data/postgres'),
    logFile: path.join(folder, 'log'),
    port,
    isDurable: false,
  });
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test("another cluster's server on the port is never taken for one's own", async () => {
  const port = await freePort();
  const first = await start(makeFolder(0o755), port);
  try {
    await expect(start(makeFolder(0o755), port)).rejects.toThrow(`Port ${port} is in use by the Postgres of`);
  } finally {
    await first.stop('immediate');
  }
});

test.skipIf(process.getuid?.() !== 0)(
  'below a closed folder, two of the same name at the end have data of their own, kept from start to start (needs root)',
  async () => {
    const [one, other] = [makeFolder(0o700), makeFolder(0o700)];
    const inOne = await start(one, await freePort());
    folders.push(realpathSync(path.join(one, 'screens/data/postgres')));
    await ask(inOne.url, 'create table mine ()');
    await inOne.stop('fast');

    const inOther = await start(other, await freePort());
    folders.push(realpathSync(path.join(other, 'screens/data/postgres')));
    const tables = "select relname from pg_class where relname = 'mine'";
    expect(await ask(inOther.url, tables)).toEqual([]);
    await inOther.stop('immediate');

    const again = await start(one, await freePort());
    expect(await ask(again.url, tables)).toEqual([{ relname: 'mine' }]);
    await again.stop('immediate');
  },
);
