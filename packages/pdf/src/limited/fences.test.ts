/** What a child that obeys a hostile file tries, behind each fence that this system has. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isolationOf, isolations } from './isolation.ts';
import { type Gap, gapsOf, isolationLevels } from './levels.ts';
import { runLimited } from './run-limited.ts';

const { resolve } = createRequire(import.meta.url);
const door = pathToFileURL(resolve('@pdf2press/pdf/serve-limited')).href;
const program = realpathSync(resolve('@pdf2press/pdf/limited'));
const secret = 'postgresql://app:hunter2@127.0.0.1/app';

let house: string;
let entry: string;
let server: Server;
/** Stands for the worker, whose environment holds the secrets of the installation. */
let worker: ChildProcess;

beforeAll(async () => {
  house = mkdtempSync(join(tmpdir(), 'fences-'));
  for (const folder of ['blobs/mine', 'blobs/other', 'program']) mkdirSync(join(house, folder), { recursive: true });
  writeFileSync(join(house, 'instance.key'), 'key of the installation');
  writeFileSync(join(house, 'blobs/mine/file'), 'my own file');
  writeFileSync(join(house, 'blobs/other/file'), 'file of another subscriber');
  entry = join(house, 'program/child.mjs');
  writeFileSync(
    entry,
    `import { serveLimited } from '${door}';
     import { spawnSync } from 'node:child_process';
     import * as fs from 'node:fs';
     import net from 'node:net';
     import os from 'node:os';
     const attempt = async (work) => { try { return await work(); } catch (error) { return { refused: error.code }; } };
     const acts = {
       read: ({ path }) => fs.readFileSync(path, 'utf8'),
       list: ({ path }) => fs.readdirSync(path),
       change: ({ path }) => { fs.closeSync(fs.openSync(path, 'r+')); return 'opened'; },
       write: ({ path }) => { fs.writeFileSync(path, 'written'); return 'written'; },
       run: ({ command }) => { const { status, stdout } = spawnSync(command[0], command.slice(1), { encoding: 'utf8' }); return status === 0 ? stdout : { refused: status }; },
       connect: ({ port }) => new Promise((done) => net.connect(port, '127.0.0.1').on('connect', () => done('connected')).on('error', ({ code }) => done({ refused: code }))),
       networks: () => Object.keys(os.networkInterfaces()),
       where: () => process.cwd(),
     };
     await serveLimited(async ({ act, ...params }) => ({ said: await attempt(() => acts[act](params)) }));`,
  );
  server = createServer((socket) => socket.end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  worker = spawn('sleep', ['600'], { env: { PATH: process.env.PATH, DATABASE_URL: secret }, stdio: 'ignore' });
});
afterAll(() => {
  worker.kill('SIGKILL');
  server.close();
  rmSync(house, { recursive: true });
});

type Level = (typeof isolationLevels)[number];

async function answerOf(level: Level, request: object, more: { reads?: string[]; writes?: string[] } = {}) {
  const workDir = mkdtempSync(join(house, 'work-'));
  const answer = await runLimited({ entry, request, workDir, isolation: level, limits: { wallMs: 60_000 }, ...more });
  return (answer as { said: unknown }).said;
}

const isRefused = (said: unknown): boolean => typeof said === 'object' && said !== null && 'refused' in said;

const attacks: readonly { name: string; gap: Gap; request: () => object }[] = [
  {
    name: "reads the instance's key",
    gap: 'files',
    request: () => ({ act: 'read', path: join(house, 'instance.key') }),
  },
  {
    name: "reads another subscriber's file",
    gap: 'files',
    request: () => ({ act: 'read', path: join(house, 'blobs/other/file') }),
  },
  {
    name: "reads another subscriber's file by another program",
    gap: 'files',
    request: () => ({ act: 'run', command: ['cat', join(house, 'blobs/other/file')] }),
  },
  { name: 'lists the store', gap: 'files', request: () => ({ act: 'list', path: join(house, 'blobs') }) },
  { name: 'changes the product', gap: 'files', request: () => ({ act: 'change', path: program }) },
  { name: 'writes beside its folder', gap: 'files', request: () => ({ act: 'write', path: join(house, 'beside') }) },
  {
    name: "reads the worker's environment",
    gap: 'processes',
    request: () => ({ act: 'read', path: `/proc/${worker.pid}/environ` }),
  },
  {
    name: "reads the key through the worker's root",
    gap: 'processes',
    request: () => ({ act: 'read', path: `/proc/${worker.pid}/root${join(realpathSync(house), 'instance.key')}` }),
  },
  {
    name: 'connects to the database',
    gap: 'network',
    request: () => ({ act: 'connect', port: (server.address() as AddressInfo).port }),
  },
];

for (const level of isolationLevels) {
  const isHere = isolations().some((found) => found.level === level);
  // A skipped level is one that this system cannot provide: no Linux, no namespaces, or no setpriv with Landlock.
  describe.skipIf(!isHere)(`a child at level "${level}" (where the system provides it)`, () => {
    test.each(attacks)('$name only where the level says so', async ({ gap, request }) => {
      const said = await answerOf(level, request());
      expect({ said, isOpen: !isRefused(said) }).toMatchObject({ isOpen: gapsOf(level).includes(gap) });
    });

    test('reads what it was given and writes to its folder and those it was given', async () => {
      const mine = join(house, 'blobs/mine/file');
      expect(await answerOf(level, { act: 'read', path: mine }, { reads: [mine] })).toBe('my own file');
      // Names come from people, and stand in commands and tables on the way.
      const given = mkdtempSync(join(house, 'it\'s $(given) "to" \\ '));
      const path = join(given, "it's written");
      expect(await answerOf(level, { act: 'write', path }, { writes: [given] })).toBe('written');
      expect(readFileSync(path, 'utf8')).toBe('written');
      expect(await answerOf(level, { act: 'write', path: 'here' })).toBe('written');
      expect(await answerOf(level, { act: 'run', command: ['sh', '-c', 'echo $((6 * 7))'] })).toBe('42\n');
    });

    test('finds what it was given behind a link, where it was told that it lies', async () => {
      const link = join(house, `link-${level}`);
      symlinkSync(join(house, 'blobs/mine'), link);
      const path = join(link, 'file');
      expect(await answerOf(level, { act: 'read', path }, { reads: [path] })).toBe('my own file');
    });

    test.runIf(['namespace', 'walls'].includes(level))('has no network', async () => {
      expect(await answerOf(level, { act: 'networks' })).toEqual([]);
    });

    test.runIf(['walls'].includes(level))('writes nothing to the root folder and what lies in it', async () => {
      for (const path of ['/written', '/dev/written', '/bin/written'])
        expect(isRefused(await answerOf(level, { act: 'write', path }))).toBe(true);
    });

    test.runIf(['walls'].includes(level))('regains nothing by a namespace of its own', async () => {
      const command = [
        'unshare',
        '-rm',
        'sh',
        '-c',
        `mount -t proc none /proc; umount -l /; cat '${house}/instance.key'`,
      ];
      expect(isRefused(await answerOf(level, { act: 'run', command }))).toBe(true);
    });
  });
}

test('the best level of this system is the one that children have', () => {
  expect(isolationOf().level).toBe(isolations()[0]?.level);
  expect(isolationOf('limits').level).not.toBe('walls');
});

describe('the first child of a process, behind a fence that was not tried yet', () => {
  /** What a process says that does nothing but run one child. */
  function firstChildOf(childEntry: string, request: object): string {
    const script = join(house, 'first.mjs');
    writeFileSync(
      script,
      `import { isolationLevel, runLimited } from '${pathToFileURL(resolve('@pdf2press/pdf/limited')).href}';
       const work = ${JSON.stringify({ entry: childEntry, request, workDir: mkdtempSync(join(house, 'work-')) })};
       const said = await runLimited(work).then(({ said }) => said, ({ code }) => code);
       console.log(JSON.stringify({ said, level: isolationLevel() }));`,
    );
    return spawnSync(process.execPath, [script], { encoding: 'utf8' }).stdout;
  }

  test('is as well fenced in as all later ones', () => {
    const { said, level } = JSON.parse(firstChildOf(entry, { act: 'read', path: join(house, 'instance.key') }));
    expect(level).toBe(isolationOf().level);
    expect(isRefused(said)).toBe(!gapsOf(level).includes('files'));
  });

  test('does not cost the process its fence by ending before it begins', () => {
    const broken = join(house, 'program/broken.mjs');
    writeFileSync(broken, 'process.exit(3);');
    expect(JSON.parse(firstChildOf(broken, {}))).toEqual({ said: 'PDF_CRASH', level: isolationOf().level });
  });
});
