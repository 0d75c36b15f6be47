import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampled } from '@pdf2press/config/by-day';
import { freePort } from '@pdf2press/config/free-port';
import type { Manifest } from '@pdf2press/engine/backup';
import { startTestS3 } from '@pdf2press/storage/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { soundPdf } from '../../testing/hard-pdfs.ts';
import { openHouse } from '../../testing/house-client.ts';
import { administrator, type House, startHouse, testVariables } from '../../testing/test-house.ts';
import { startStack } from '../stack.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';

const folder = makeTemporaryFolder('backup');
const at = (name: string) => path.join(folder, name);
const sound = soundPdf();
let house: House;
/** Sessions that were answered before the backup began. */
const before: string[] = [];

/** Runs a command as at a terminal whose installation lies in `dataDir`. */
async function atTerminal(dataDir: string, run: () => Promise<number>): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(note),
    vi.spyOn(console, 'error').mockImplementation(note),
  ];
  const unset = { DATABASE_URL: '', S3_BUCKET: '', PDF2PRESS_SECRET_KEY: '' };
  for (const [name, value] of Object.entries({ ...unset, DATA_DIR: dataDir })) vi.stubEnv(name, value);
  try {
    return { code: await run(), said: lines.join('\n') };
  } finally {
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}

const manifestOf = (name: string) => JSON.parse(readFileSync(at(`${name}/manifest.json`), 'utf8')) as Manifest;

beforeAll(async () => {
  house = await startHouse();
  for (let no = 0; no < 3; no += 1) {
    const { id } = await house.client.hand(sound, { key: `before-${no}` });
    await house.client.ended(id);
    before.push(id);
  }
}, 180_000);

afterAll(async () => {
  await house?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a running installation is backed up while files come in, and comes back whole on an empty machine', async () => {
  // Where the test is tried again, its folders are there.
  for (const name of ['first', 'second', 'new']) rmSync(at(name), { recursive: true, force: true });
  let isOver = false;
  let handed = 0;
  const handing = (async () => {
    for (; !isOver; handed += 1) {
      const bytes = Buffer.concat([sound, Buffer.from(`\n% ${handed}\n`)]);
      before.push((await house.client.hand(bytes, { key: `during-${handed}` })).id);
      // Each is worked on once more on the machine that is restored: a slow one must not have hundreds.
      await sleep(500);
    }
  })();
  await expect.poll(() => handed).toBeGreaterThan(3);
  const known = [...before];
  const taken = await atTerminal(house.folder, () => backup([at('first')]));
  isOver = true;
  await handing;
  expect(taken).toMatchObject({ code: 0, said: expect.stringContaining('it was read back and is as it was written') });
  expect(statSync(at('first')).mode & 0o077).toBe(0);
  expect(statSync(at('first/instance.key')).mode & 0o077).toBe(0);
  expect(manifestOf('first')).toMatchObject({ files: { missing: [] }, key: { part: { file: 'instance.key' } } });

  expect(await atTerminal(at('new'), () => restore([at('first')]))).toMatchObject({ code: 0 });
  // A backup of what was restored is the same, byte by byte: rows, sequences, list of files, key.
  expect(await atTerminal(at('new'), () => backup([at('second')]))).toMatchObject({ code: 0 });
  expect({ ...manifestOf('second'), takenAt: '' }).toEqual({ ...manifestOf('first'), takenAt: '' });
  const again = await atTerminal(at('new'), () => restore([at('first')]));
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining('The data folder is not empty') });

  const stack = await startStack({
    port: await freePort(),
    postgresPort: await freePort(),
    dataDir: at('new'),
    databaseUrl: undefined,
    isDurable: false,
    env: testVariables,
  });
  try {
    const client = await openHouse(stack.address.replace('localhost', '127.0.0.1'), administrator);
    for (const id of known) {
      const session = await client.ended(id);
      expect(session.failure).toBeNull();
      const original = await client.download(session, 'OriginalFile');
      expect(original.subarray(0, sound.length).equals(sound)).toBe(true);
    }
    // The same delivery is still known, and new ones are worked on.
    expect(await client.hand(sound, { key: 'before-0' })).toMatchObject({ id: known[0], isDuplicate: true });
    const { id } = await client.hand(sound, { key: 'after' });
    expect((await client.ended(id)).failure).toBeNull();
  } finally {
    await stack.stop();
  }
});

const parts: Record<string, () => string> = {
  'a table': () => 'database/sessions.gz',
  'the list of files': () => 'files.gz',
  'the key': () => 'instance.key',
  'the manifest': () => 'manifest.json',
  'its sum': () => 'manifest.sha256',
  'a stored file': () => {
    const names = readdirSync(at('first/blobs'), { recursive: true }) as string[];
    return path.join('blobs', names.find((name) => /[0-9a-f]{64}$/.test(name)) ?? '');
  },
};

test.each(sampled(Object.entries(parts), 3))(
  'one bit of %s that was changed is refused, and so is its absence',
  async (_, part) => {
    const copy = at(`spoiled-${Object.values(parts).indexOf(part)}`);
    cpSync(at('first'), copy, { recursive: true });
    const file = path.join(copy, part());
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const isRefused = {
      code: 1,
      said: expect.stringMatching(/is not as it was written|is no complete backup|is missing/),
    };
    expect(await atTerminal(at('empty'), () => restore([copy, '--check']))).toMatchObject(isRefused);
    expect(await atTerminal(at('empty'), () => restore([copy]))).toMatchObject(isRefused);
    rmSync(file);
    expect(await atTerminal(at('empty'), () => restore([copy]))).toMatchObject({
      code: 1,
      said: expect.stringMatching(/cannot be read|is missing|is not as it was written/),
    });
    expect(existsSync(at('empty'))).toBe(false);
    rmSync(copy, { recursive: true });
  },
);

test('a whole backup passes the check, and a folder that holds something is no target', async () => {
  expect(await atTerminal(at('empty'), () => restore([at('first'), '--check']))).toMatchObject({ code: 0 });
  expect(existsSync(at('empty'))).toBe(false);
  const taken = await atTerminal(house.folder, () => backup([at('first')]));
  expect(taken).toMatchObject({ code: 1, said: expect.stringContaining('is not empty') });
});

test('a file that the store has lost is named, and everything else is in the backup', async () => {
  const blobs = path.join(house.folder, 'blobs');
  const names = readdirSync(blobs, { recursive: true }) as string[];
  const name = names.find((each) => /[0-9a-f]{64}$/.test(each)) ?? '';
  const bytes = readFileSync(path.join(blobs, name));
  writeFileSync(path.join(blobs, name), Buffer.concat([bytes, Buffer.from('x')]));
  const taken = await atTerminal(house.folder, () => backup([at('third')]));
  writeFileSync(path.join(blobs, name), bytes);
  expect(taken).toMatchObject({ code: 1, said: expect.stringContaining(path.basename(name)) });
  expect(manifestOf('third').files.missing).toEqual([path.basename(name)]);
  expect(await atTerminal(at('empty'), () => restore([at('third'), '--check']))).toMatchObject({ code: 0 });
});

test('files go to a bucket and come from it, and no copies stay on this machine @night', async () => {
  const s3 = await startTestS3(at('bucket'));
  const inBucket = (run: () => Promise<number>) =>
    atTerminal(at('with-bucket'), () => {
      vi.stubEnv('S3_ENDPOINT', s3.endpoint);
      vi.stubEnv('S3_BUCKET', s3.bucket);
      vi.stubEnv('S3_ACCESS_KEY_ID', s3.accessKeyId);
      vi.stubEnv('S3_SECRET_ACCESS_KEY', s3.secretAccessKey);
      return run();
    });
  try {
    expect(await inBucket(() => restore([at('first')]))).toMatchObject({ code: 0 });
    expect(existsSync(at('with-bucket/blobs'))).toBe(false);
    expect(existsSync(at('with-bucket/cache/restore'))).toBe(false);
    expect(await inBucket(() => backup([at('of-bucket')]))).toMatchObject({ code: 0 });
    expect({ ...manifestOf('of-bucket'), takenAt: '' }).toEqual({ ...manifestOf('first'), takenAt: '' });
  } finally {
    await s3.stop();
  }
});

test('a key from the environment stays out of the backup, and another one is refused', async () => {
  const withKey = (dataDir: string, key: string, run: () => Promise<number>) =>
    atTerminal(dataDir, () => {
      vi.stubEnv('PDF2PRESS_SECRET_KEY', key);
      return run();
    });
  const one = 'a'.repeat(40);
  const taken = await withKey(house.folder, one, () => backup([at('fourth'), '--without-files']));
  expect(taken).toMatchObject({ code: 0, said: expect.stringContaining('keep PDF2PRESS_SECRET_KEY apart') });
  expect(readdirSync(at('fourth')).sort()).toEqual(['database', 'files.gz', 'manifest.json', 'manifest.sha256']);
  const wrong = await withKey(at('empty'), 'b'.repeat(40), () => restore([at('fourth')]));
  expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining('is not the key') });
  const none = await atTerminal(at('empty'), () => restore([at('fourth')]));
  expect(none).toMatchObject({ code: 1, said: expect.stringContaining('The key is not in the backup') });
  expect(existsSync(at('empty'))).toBe(false);
  expect(await withKey(at('keyed'), one, () => restore([at('fourth')]))).toMatchObject({ code: 0 });
});

test.each([[[]], [['a', 'b']], [['--nonsense']]])('arguments %j are wrong usage', async (args) => {
  expect((await atTerminal(at('empty'), () => backup(args))).code).toBe(2);
  expect((await atTerminal(at('empty'), () => restore(args))).code).toBe(2);
});

test('help is no error', async () => {
  expect(await atTerminal(at('empty'), () => restore(['--help']))).toMatchObject({
    code: 0,
    said: expect.stringContaining('--check'),
  });
});
