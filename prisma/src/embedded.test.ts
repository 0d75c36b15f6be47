import { chmodSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

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
    await expect(start(makeFolder(0o755), port)).rejects.toThrow(`Port ${port} is in use by `);
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

async function refusalOf(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return 'connected';
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

describe('the password', () => {
  test('is demanded of every program on the machine, lies in a file for its owner alone, and stays', async () => {
    const folder = makeFolder(0o755);
    const cluster = path.join(folder, 'screens/data/postgres');
    const first = await start(folder, await freePort());
    const guess = (password: string) => first.url.replace(/:[0-9a-f]{64}@/, password);
    expect(first.url).toMatch(/:[0-9a-f]{64}@127/);
    expect(await refusalOf(guess('@'))).not.toBe('connected');
    expect(await refusalOf(guess(':app@'))).toBe('28P01');
    expect(await refusalOf(guess(':app@').replace('//app', '//postgres'))).toBe('28P01');
    expect(runningEmbeddedPostgres(cluster)).toBe(first.url);
    expect(statSync(`${cluster}.password`).mode & 0o777).toBe(0o600);
    const stored = await ask(
      first.url,
      "select rolpassword like 'SCRAM-SHA-256$%' as scram from pg_authid where rolname = 'app'",
    );
    expect(stored).toEqual([{ scram: true }]);
    await first.stop('immediate');
    const again = await start(folder, first.port);
    expect(again.url).toBe(first.url);
    await again.stop('fast');
  });

  test('is given to a cluster that had none, and anew when its file is lost; the data stay', async () => {
    const folder = makeFolder(0o755);
    const cluster = path.join(folder, 'screens/data/postgres');
    const old = await start(folder, await freePort());
    await ask(old.url, 'create table mine ()');
    await old.stop('fast');
    // As releases before made it.
    rmSync(`${cluster}.password`);
    writeFileSync(path.join(cluster, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
    const mended = await start(folder, old.port);
    expect(await refusalOf(old.url)).toBe('28P01');
    expect(await ask(mended.url, "select relname from pg_class where relname = 'mine'")).toHaveLength(1);
    await mended.stop('fast');
    rmSync(`${cluster}.password`);
    const anew = await start(folder, old.port);
    expect(await refusalOf(mended.url)).toBe('28P01');
    expect(await ask(anew.url, "select relname from pg_class where relname = 'mine'")).toHaveLength(1);
    await anew.stop('immediate');
  });
});
