import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasSshd, startTestSshd, type TestSshd } from '@pdf2press/sftp/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SourceItem } from '../source.ts';
import { offline } from '../testing/offline.ts';
import { sftpContract, sftpServerSchema } from './contract.ts';
import { run } from './run.ts';
import { trySftp } from './try-sftp.ts';

describe.runIf(hasSshd)('a server of SFTP', () => {
  let base: string;
  let server: TestSshd;
  beforeAll(async () => {
    base = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-sftp-'));
    server = await startTestSshd(path.join(base, 'ssh'));
  });
  afterAll(async () => {
    await server.stop();
    await rm(base, { recursive: true, force: true });
  });

  let root: string;
  let time = 0;
  let no = 0;
  const memory = new Map<string, unknown>();
  beforeEach(async () => {
    no += 1;
    root = path.join(base, `place${no}`);
    await mkdir(path.join(root, 'in'), { recursive: true });
    memory.clear();
  });

  const secretOf = (change: object = {}) => ({
    password: '',
    privateKey: server.privateKey,
    passphrase: '',
    ...change,
  });
  const serverOf = (change: object = {}) => {
    const { host, port, username, hostKey } = server;
    return sftpServerSchema.parse({ host, port, username, hostKey, path: root, ...change });
  };
  const addressOf = async ({ host }: { host: string }) => host;

  /** Polls once, some seconds after the last poll; `use` is given each item while the connection stands. */
  async function look(
    passed: number,
    use: (item: SourceItem) => unknown = () => undefined,
    {
      settings = {},
      asked = [],
      takesSidecars = false,
      change = {},
      secret = {},
    }: { settings?: object; change?: object; secret?: object; asked?: readonly string[]; takesSidecars?: boolean } = {},
  ): Promise<SourceItem[]> {
    time += passed * 1000;
    const tools = { root: '', memory, now: () => time, ...offline, addressOf, takesSidecars };
    tools.asked = async () => new Map(asked.map((id) => [id, { name: 'a.pdf', sourceName: 'in' }]));
    const items: SourceItem[] = [];
    const input = {
      settings: sftpContract.settings.parse({ connectionId: 'prf', path: 'in', ...settings }),
      connection: { settings: serverOf(change), secret: secretOf(secret) },
      cursor: undefined,
      signal: AbortSignal.timeout(60_000),
      tools,
    };
    for await (const item of run(input)) {
      items.push(item);
      await use(item);
    }
    return items;
  }
  const put = async (name: string, text: string | Buffer = 'x') => {
    await mkdir(path.dirname(path.join(root, 'in', name)), { recursive: true });
    await writeFile(path.join(root, 'in', name), text);
  };
  const names = async (folder = 'in') => (await readdir(path.join(root, folder))).sort();
  const textOf = async (item: SourceItem) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of item.open()) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  const settle = (outcome: 'accepted' | 'rejected', reason?: string) => (item: SourceItem) =>
    item.settle(outcome, reason);

  test('a file is taken when it has not changed between two looks, not while it grows', async () => {
    await put('a.pdf', 'begun');
    expect(await look(0)).toEqual([]);
    await appendFile(path.join(root, 'in/a.pdf'), ' and gone on');
    expect(await look(10)).toEqual([]);
    expect(await look(9)).toEqual([]);
    const texts: string[] = [];
    const [item] = await look(1, async (found) => texts.push(await textOf(found)));
    expect(item).toMatchObject({ name: 'a.pdf', size: 17, sourceName: '127.0.0.1/in' });
    expect(texts).toEqual(['begun and gone on']);
    expect((await look(1))[0]?.externalId).toBe(item?.externalId);
    await utimes(path.join(root, 'in/a.pdf'), 1, 1);
    await look(1);
    expect((await look(10))[0]?.externalId).not.toBe(item?.externalId);
  });

  test('values beside a file go with it, lie aside with it, and come back with it', async () => {
    const beside = { takesSidecars: true };
    await put('a.pdf', 'a');
    await put('a.xml', '<job copies="500"/>');
    await look(0, undefined, beside);
    const read: unknown[] = [];
    const [item, ...more] = await look(
      10,
      async (found) => {
        read.push(await found.sidecar?.());
        await found.settle('rejected', 'It is too small.');
      },
      beside,
    );
    expect(more).toEqual([]);
    expect(read).toEqual([{ name: 'a.xml', text: '<job copies="500"/>' }]);
    expect(await names('in/rejected')).toEqual(['a.pdf', 'a.pdf.txt', 'a.xml']);
    const asked = [item?.externalId ?? ''];
    await look(0, undefined, { ...beside, asked });
    expect(await names('in')).toEqual(['a.pdf', 'a.xml', 'rejected']);
    await look(10, settle('accepted'), { ...beside, asked });
    expect(await names('in')).toEqual(['processed', 'rejected']);
    expect(await names('in/processed')).toEqual(['a.pdf', 'a.xml']);
    expect(await names('in/rejected')).toEqual([]);
  });

  test('an empty file is left alone until it has content or some minutes have passed', async () => {
    await put('a.pdf', '');
    await look(0);
    expect(await look(60)).toEqual([]);
    expect(await look(300)).toHaveLength(1);
  });

  test('a file of many pieces arrives whole', async () => {
    const bytes = randomBytes(3_000_001);
    await put('a.pdf', bytes);
    await look(0);
    const hash = createHash('sha256');
    const [item] = await look(10, async (found) => {
      for await (const piece of found.open()) hash.update(piece);
    });
    expect(item?.size).toBe(bytes.length);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  test('a file that was taken is moved, and no file there is overwritten', async () => {
    for (const text of ['one', 'another']) {
      await put('a.pdf', text);
      await look(1);
      await look(10, settle('accepted'));
    }
    expect(await names('in/processed')).toEqual(['a (2).pdf', 'a.pdf']);
    expect(await look(100, undefined, { settings: { hasSubfolders: true } })).toEqual([]);
  });

  test('a file is deleted where that is asked for, and a refused one lies beside its reason', async () => {
    const settings = { after: 'delete' };
    await put('a.pdf');
    await look(0);
    await look(10, settle('accepted'), { settings });
    expect(await names()).toEqual([]);
    await put('b.pdf');
    await look(0);
    await look(10, settle('rejected', 'It is too large.'), { settings });
    expect(await names()).toEqual(['rejected']);
    expect(await names('in/rejected')).toEqual(['b.pdf', 'b.pdf.txt']);
    expect(await readFile(path.join(root, 'in/rejected/b.pdf.txt'), 'utf8')).toBe('It is too large.\n');
  });

  test('a file that stays is settled once, also a refused one', async () => {
    const settings = { after: 'leave' };
    await put('a.pdf');
    await look(0);
    expect(await look(10, settle('rejected', 'no'), { settings })).toHaveLength(1);
    expect(await look(10, undefined, { settings })).toEqual([]);
    expect(await names()).toEqual(['a.pdf']);
  });

  test('a refused file that is asked for is put back where it lay, and is the same one; a gone one is told', async () => {
    const settings = { hasSubfolders: true };
    await put('sub/with space.pdf');
    await look(0, undefined, { settings });
    const [refused] = await look(10, settle('rejected', 'no'), { settings });
    const asked = [refused?.externalId ?? ''];
    await look(0, undefined, { settings, asked });
    expect([await names('in/rejected'), await names('in/sub')]).toEqual([[], ['with space.pdf']]);
    const [again] = await look(10, settle('accepted'), { settings, asked });
    expect(again?.externalId).toBe(asked[0]);
    const [gone] = await look(0, undefined, { settings, asked });
    expect(gone).toMatchObject({ externalId: asked[0], refusal: { code: 'file.gone' } });
  });

  test('a refused file that stays where it is can be asked for as well', async () => {
    const settings = { after: 'leave' };
    await put('a.pdf');
    await look(0);
    const [refused] = await look(10, settle('rejected'), { settings });
    expect(await look(10, undefined, { settings })).toEqual([]);
    const asked = [refused?.externalId ?? ''];
    await look(0, undefined, { settings, asked });
    expect((await look(10, undefined, { settings, asked })).map(({ externalId }) => externalId)).toEqual(asked);
  });

  test('takes matching files, from subfolders only where configured, and follows no links', async () => {
    await put('a.PDF');
    await put('b.tmp');
    await put('.c.pdf');
    await put('notes.txt');
    await put('sub/deep/d.pdf');
    await symlink('/etc/hostname', path.join(root, 'in/e.pdf'));
    await symlink('/etc', path.join(root, 'in/link'));
    const settings = { include: ['*.pdf'], hasSubfolders: true };
    await look(0, undefined, { settings });
    expect((await look(10, undefined, { settings: { include: ['*.pdf'] } })).map(({ name }) => name)).toEqual([
      'a.PDF',
    ]);
    await look(0, undefined, { settings });
    const found = await look(10, undefined, { settings });
    expect(found.map(({ name, sourceName }) => [name, sourceName])).toEqual([
      ['a.PDF', '127.0.0.1/in'],
      ['d.pdf', '127.0.0.1/in/sub/deep'],
    ]);
  });

  test('a file that is replaced after it was listed is not taken for it, and stays', async () => {
    await put('a.pdf', 'first');
    await look(0);
    await look(10, async (item) => {
      await put('new', 'the second one');
      await rename(path.join(root, 'in/new'), path.join(root, 'in/a.pdf'));
      await expect(textOf(item)).rejects.toMatchObject({ code: 'source.changed' });
      await item.settle('accepted');
    });
    expect(await readFile(path.join(root, 'in/a.pdf'), 'utf8')).toBe('the second one');
  });

  test('a server with another key, a key that is not let in, a wrong password and a missing folder are told', async () => {
    await put('a.pdf');
    const fault = (code: string) => expect.objectContaining({ code });
    const otherKey = `SHA256:${'A'.repeat(43)}`;
    await expect(look(0, undefined, { change: { hostKey: otherKey } })).rejects.toEqual(fault('source.hostKeyChanged'));
    const file = path.join(root, 'other');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file]);
    const privateKey = await readFile(file, 'utf8');
    await expect(look(0, undefined, { secret: { privateKey } })).rejects.toEqual(fault('source.denied'));
    const wrong = { privateKey: '', password: 'not the one' };
    await expect(look(0, undefined, { secret: wrong })).rejects.toEqual(fault('source.denied'));
    await expect(look(0, undefined, { secret: { privateKey: 'no key' } })).rejects.toEqual(
      fault('source.secretUnreadable'),
    );
    await expect(look(0, undefined, { settings: { path: 'nowhere' } })).rejects.toEqual(fault('source.folderMissing'));
    expect(await names()).toEqual(['a.pdf']);
  });

  test('a trial tells the key of a new server, how far it came and how many files there are; it changes nothing', async () => {
    await put('a.pdf');
    const trial = (change: object, secret: object = {}) =>
      trySftp(
        { ...serverOf({ path: path.join(root, 'in') }), ...change },
        { secret: secretOf(secret), tools: { addressOf }, signal: AbortSignal.timeout(60_000) },
      );
    const { hostKey } = server;
    expect(await trial({ hostKey: '' })).toEqual({ failed: null, hostKey, files: 1 });
    expect(await trial({ port: 1 })).toMatchObject({ failed: { stage: 'connect', code: 'source.unreachable' } });
    expect(await trial({ hostKey: `SHA256:${'A'.repeat(43)}` })).toMatchObject({
      failed: { stage: 'hostKey', code: 'source.hostKeyChanged', params: { key: hostKey } },
    });
    expect(await trial({}, { privateKey: '', password: 'wrong' })).toMatchObject({
      failed: { stage: 'signIn', code: 'source.denied' },
      hostKey,
    });
    expect(await trial({ path: path.join(root, 'nowhere') })).toMatchObject({
      failed: { stage: 'list', code: 'source.folderMissing' },
    });
    expect(await names()).toEqual(['a.pdf']);
  });
});

test.each(['/etc', '../other', 'a/../../b'])(
  'the folder %s is not below that of the server, and is refused',
  (folder) => {
    expect(sftpContract.settings.safeParse({ connectionId: 'prf', path: folder }).success).toBe(false);
  },
);
