import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isNight } from '@pdf2press/config/by-day';
import { freePort } from '@pdf2press/config/free-port';
import { redisProgram, startTestRedis, type TestRedis } from '@pdf2press/engine/testing';
import { encryptedPdf } from '@pdf2press/pdf/testing';
import { createDatabase } from '@pdf2press/prisma';
import { startTestS3, type TestS3 } from '@pdf2press/storage/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bombPdf, soundPdf } from '../testing/hard-pdfs.ts';
import { type House, pidOf, startHouse } from '../testing/test-house.ts';

const sound = soundPdf();

/** Process id of the Postgres server on the port of the product; its lock file may be in another folder when root starts it. */
function postgresOf({ stack }: House): number {
  const wanted = `\0-p\0${new URL(stack.databaseUrl).port}\0`;
  const pid = readdirSync('/proc').find((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(wanted);
    } catch {
      return false; // the process has ended
    }
  });
  return Number(pid);
}

const until = (condition: () => boolean) => expect.poll(condition).toBe(true);

/**
 * Ends the leases of what a killed worker had begun, which it would hold for half a minute. That they end by themselves is
 * tested in the engine.
 */
async function endLeases({ stack }: House, isBack: () => boolean): Promise<void> {
  const database = createDatabase(stack.databaseUrl);
  try {
    const begun = await database.asHost(
      (tx) => tx.$queryRaw<{ id: string; epoch: number }[]>`select id, epoch from step_runs where status = 'Running'`,
    );
    await until(isBack);
    // More than once: a worker that finds that none was there renews leases before it ends any.
    const held = () =>
      database.asHost(
        (tx) => tx.$executeRaw`
          update step_runs set lease_until = now() where status = 'Running' and (id, epoch) in (
            select id, epoch from jsonb_to_recordset(${JSON.stringify(begun)}::jsonb) as begun (id text, epoch int))`,
      );
    await expect.poll(held).toBe(0);
  } finally {
    await database.close();
  }
}

describe('with files on disk and the queue in Postgres', () => {
  let house: House;
  beforeAll(async () => {
    house = await startHouse();
  });
  afterAll(() => house?.stop());

  test('a program uploads a PDF with its API key, waits until the session ends, and downloads the file', async () => {
    const { id, isDuplicate } = await house.client.hand(sound, { key: 'order-1' });
    expect(isDuplicate).toBe(false);
    expect(await house.client.hand(sound, { key: 'order-1' })).toMatchObject({ id, isDuplicate: true });
    const session = await house.client.ended(id);
    expect(session).toMatchObject({ failure: null });
    expect(session.steps.map(({ kind }) => kind)).toEqual(['Inject', 'Preflight', 'Complete']);
    const findings = await house.client.call<{ total: number }>('GET', `/sessions/${id}/findings`);
    expect(findings.total).toBeGreaterThan(0);
    expect(await house.client.download(session, 'OriginalFile')).toEqual(sound);
  });

  test('bad input fails with a stable code and a sentence in the reader’s language, can be downloaded, and the worker continues', async () => {
    const worker = pidOf(house, 'worker');
    const cases: [string, Uint8Array, string | null][] = [
      ['no-pdf.pdf', Buffer.from('PK\u0003\u0004 this is no PDF at all'), 'PDF_NOT_PDF'],
      ['empty.pdf', Buffer.alloc(0), 'PDF_EMPTY'],
      ['truncated.pdf', sound.subarray(0, 60), 'PDF_NO_PAGES'],
      ['locked.pdf', encryptedPdf('secret'), 'PDF_ENCRYPTED'],
      ['open.pdf', encryptedPdf(''), null],
      ['bomb.pdf', bombPdf(), 'PDF_LIMIT_EXPANSION'],
    ];
    // By day one that is no PDF, one that opens and one by what it unpacks to; each code is tested in packages/tasks.
    const tried = cases.filter(([name]) => isNight || ['no-pdf.pdf', 'open.pdf', 'bomb.pdf'].includes(name));
    const handed = await Promise.all(
      tried.map(async ([name, bytes, code]) => ({ bytes, code, ...(await house.client.hand(bytes, { name })) })),
    );
    for (const { id, bytes, code } of handed) {
      const session = await house.client.ended(id);
      expect([session.status === 'Failed', session.failure?.code ?? null]).toEqual([code !== null, code]);
      if (code) expect(session.failure?.message).toMatch(/fichier|PDF/);
      expect((await house.client.download(session, 'OriginalFile')).equals(bytes)).toBe(true);
    }
    expect(pidOf(house, 'worker')).toBe(worker);
  });

  test('a password opens a protected file: a copy without it is used, and the password is kept nowhere', async () => {
    const password = 'Zitronen-Presse-77';
    const locked = Buffer.from(encryptedPdf(password));
    const { id } = await house.client.hand(locked, { name: 'locked.pdf' });
    const failed = await house.client.ended(id);
    const unlock = async (given: string) => {
      const answer = await house.client.ask(`/sessions/${id}/unlock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ password: given }),
      });
      const { errors } = (await answer.json()) as { errors: { code: string; field?: string }[] };
      return { status: answer.status, error: errors[0] };
    };
    const wrong = await unlock('Zitronen-Presse-78');
    expect(wrong).toMatchObject({ status: 422, error: { code: 'session.passwordWrong', field: 'password' } });
    expect(await house.client.ended(id)).toEqual(failed);
    expect(await unlock(password)).toMatchObject({ status: 200 });
    const opened = await house.client.ended(id);
    expect(opened).toMatchObject({ failure: null, fileName: 'locked.pdf', runNumber: 2 });
    const [before, copy] = opened.files.filter(({ kind }) => kind === 'OriginalFile');
    expect(await house.client.download({ ...opened, files: before ? [before] : [] }, 'OriginalFile')).toEqual(locked);
    const bytes = await house.client.download({ ...opened, files: copy ? [copy] : [] }, 'OriginalFile');
    expect(bytes.includes('/Encrypt')).toBe(false);
    expect(bytes.includes('0 0 1 rg 10 10 100 100 re f')).toBe(true);
    expect(await unlock(password)).toMatchObject({ status: 409, error: { code: 'session.notLocked' } });
    const events = await house.client.call<{ kind: string }[]>('GET', `/sessions/${id}/events`);
    expect(events.filter(({ kind }) => kind === 'FileUnlocked')).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain(password);
    expect(readdirSync(path.join(house.folder, 'unlock'), { recursive: true })).toHaveLength(1);
    for (const name of readdirSync(path.join(house.folder, 'logs')))
      expect(readFileSync(path.join(house.folder, 'logs', name), 'utf8'), name).not.toContain(password);
  });

  test('each process that is killed is restarted, and no accepted file is lost', async () => {
    const names = ['worker', 'api', 'intake'];
    const before = names.map((name) => pidOf(house, name));
    const hand = (number: number) => house.client.hand(soundPdf(`killed ${number}`), { key: `killed-${number}` });
    const handed = await Promise.all([1, 2].map(hand));
    for (const pid of before) process.kill(pid, 'SIGKILL');
    const pids = () => house.stack.apps.map(({ pid }) => pid ?? 0);
    await endLeases(house, () => pids().every((pid) => pid !== 0 && !before.includes(pid)));
    for (const { id } of handed) expect((await house.client.ended(id)).failure).toBeNull();
    expect(await hand(1)).toMatchObject({ id: handed[0]?.id, isDuplicate: true });
  });

  test('a worker that hangs is restarted, and its steps continue @night', async () => {
    const before = pidOf(house, 'worker');
    const { id } = await house.client.hand(soundPdf('hangs'));
    process.kill(before, 'SIGSTOP');
    await until(() => pidOf(house, 'worker') !== before);
    expect((await house.client.ended(id)).failure).toBeNull();
    expect(readFileSync(path.join(house.folder, 'logs/worker.log'), 'utf8')).toContain('hangs, killed');
  });

  test.skipIf(process.platform !== 'linux')(
    'Postgres is restarted after a kill, and sessions from before go on',
    async () => {
      const { id } = await house.client.hand(soundPdf('before'));
      process.kill(postgresOf(house), 'SIGKILL');
      expect((await house.client.ended(id)).failure).toBeNull();
      expect((await house.client.ended((await house.client.hand(soundPdf('after'))).id)).failure).toBeNull();
    },
  );
});

describe.skipIf(!redisProgram)('with files in S3 and the queue in Redis (skipped without redis-server)', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-beside-'));
  let house: House;
  let s3: TestS3;
  let redis: TestRedis;
  beforeAll(async () => {
    s3 = await startTestS3(path.join(folder, 's3'));
    redis = await startTestRedis(await freePort());
    house = await startHouse({
      REDIS_URL: redis.url,
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    });
  });
  afterAll(async () => {
    await house?.stop();
    await s3?.stop();
    await redis?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a session completes, and the stored file has the same bytes', async () => {
    const { id } = await house.client.hand(sound);
    const session = await house.client.ended(id);
    expect(session.failure).toBeNull();
    expect(await house.client.download(session, 'OriginalFile')).toEqual(sound);
    expect(await redis.size()).toBeGreaterThan(0);
  });

  test('emptying Redis, or stopping and restarting it, loses no session @night', async () => {
    const first = await house.client.hand(soundPdf('flushed'));
    await redis.flush();
    expect((await house.client.ended(first.id)).failure).toBeNull();
    await redis.kill();
    const second = await house.client.hand(soundPdf('without'));
    expect((await house.client.ended(second.id)).failure).toBeNull();
    await redis.start();
    const third = await house.client.hand(soundPdf('again'));
    expect((await house.client.ended(third.id)).failure).toBeNull();
  });
});
