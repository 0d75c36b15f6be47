import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileFaultError } from '@pdf2press/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { isolationLevel } from './isolation.ts';
import type { Limits } from './limits.ts';
import { runLimited } from './run-limited.ts';

const directory = mkdtempSync(join(tmpdir(), 'limited-'));
afterAll(() => rmSync(directory, { recursive: true }));
const { resolve } = createRequire(import.meta.url);
const door = pathToFileURL(resolve('@pdf2press/pdf/limited')).href;
const childDoor = pathToFileURL(resolve('@pdf2press/pdf/serve-limited')).href;

/** A child module that runs `body` with `request` and `tools`. */
function entry(body: string): string {
  const path = join(mkdtempSync(join(directory, 'entry-')), 'child.mjs');
  writeFileSync(
    path,
    `import { serveLimited } from '${childDoor}';\nawait serveLimited(async (request, tools) => { ${body} });\n`,
  );
  return path;
}

const run = (
  body: string,
  limits: Partial<Limits> = {},
  more: { signal?: AbortSignal; onProgress?: (value: unknown) => void } = {},
): Promise<unknown> =>
  runLimited({
    entry: entry(body),
    request: { n: 20 },
    workDir: mkdtempSync(join(directory, 'work-')),
    limits: { wallMs: 200_000, ...limits },
    ...more,
  });

async function faultOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    (value) => `answered ${JSON.stringify(value)}`,
    (error: unknown) => (error instanceof FileFaultError ? error.code : String(error)),
  );
}
const hasLimits = isolationLevel() !== 'timer';
const mebibyte = 2 ** 20;

describe('a limited child', () => {
  test('returns its result and reports progress', async () => {
    const progress: unknown[] = [];
    const body =
      'tools.progress({ done: 1 }); tools.progress({ done: 2 }); return { double: request.n * 2, text: "é\\n" };';
    expect(await run(body, {}, { onProgress: (value) => progress.push(value) })).toEqual({ double: 40, text: 'é\n' });
    expect(progress).toEqual([{ done: 1 }, { done: 2 }]);
  });

  test('lives as long as it tells of progress, beyond the time that ends one that hangs', async () => {
    const body = `for (let i = 0; i < 15; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      tools.progress({ done: i });
    }
    return 'ended';`;
    expect(await run(body, { wallMs: 4_000 })).toBe('ended');
  });

  test('has the memory of its limit for its work, whatever V8 keeps for code', async () => {
    expect(await run('return Buffer.alloc(1e8, 1).length;', { memoryBytes: 400 * mebibyte })).toBe(1e8);
  });

  test('passes faults on with code and parameters', async () => {
    const body = `const { FileFaultError } = await import('${pathToFileURL(resolve('@pdf2press/contract')).href}'); throw new FileFaultError('PDF_LIMIT_PAGES', { limit: 3 });`;
    await expect(run(body)).rejects.toMatchObject({ code: 'PDF_LIMIT_PAGES', params: { limit: 3 } });
  });

  test.each<[string, string, Partial<Limits>, string]>([
    ['hangs', 'await new Promise(() => setInterval(() => {}, 1000));', { wallMs: 700 }, 'PDF_TIMEOUT'],
    ['spins', 'for (;;) {}', { wallMs: 700 }, 'PDF_TIMEOUT'],
    ['throws', 'throw new TypeError("oh");', {}, 'PDF_CRASH'],
    ['ends early', 'process.exit(0);', {}, 'PDF_CRASH'],
    [
      'is killed',
      'process.kill(process.pid, "SIGSEGV"); await new Promise(() => setInterval(() => {}, 1000));',
      {},
      'PDF_CRASH',
    ],
    ['returns too much', 'return "x".repeat(3e6);', { resultBytes: 1e6 }, 'PDF_LIMIT_OUTPUT'],
  ])('that %s', async (_name, body, limits, code) => {
    expect(await faultOf(run(body, limits))).toBe(code);
  });

  test.each<[string, string, Partial<Limits>, string]>([
    ['returns', 'return { done: 2 };', {}, 'answered {"done":2}'],
    ['throws', 'throw new TypeError("oh");', {}, 'answered {"done":1}'],
    ['reports a fault', 'throw Object.assign(new Error("full"), { code: "ENOSPC" });', {}, 'answered {"done":1}'],
    ['is killed', 'process.kill(process.pid, "SIGKILL"); for (;;) {}', {}, 'answered {"done":1}'],
    // Eight seconds in which a slow machine gets so far.
    ['spins @night', 'for (;;) {}', { wallMs: 8_000 }, 'answered {"done":1}'],
  ])('that has told what to keep and then %s', async (_name, rest, limits, answer) => {
    expect(await faultOf(run(`tools.keep({ done: 1 }); ${rest}`, limits))).toBe(answer);
  });

  test('that has told what to keep does not answer when it is aborted', async () => {
    const stop = new AbortController();
    const body = 'tools.keep(1); tools.progress({ done: 1 }); await new Promise(() => setInterval(() => {}, 1000));';
    const work = run(body, {}, { signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) });
    await expect(work).rejects.toThrow('stopped');
  });

  test('keeps its error output as the cause of the fault', async () => {
    const work = run('throw new TypeError("no such table: glyf");');
    await expect(work).rejects.toMatchObject({ code: 'PDF_CRASH', params: { signal: 'exit 1' } });
    await expect(work).rejects.toMatchObject({ cause: { message: expect.stringContaining('no such table: glyf') } });
  });

  test('reports a full disk as such, not as a fault of the file', async () => {
    const body = 'throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });';
    expect(await faultOf(run(body))).toBe('STORAGE_FULL');
  });

  test.skipIf(!hasLimits).each<[string, string, Partial<Limits>, string[]]>([
    [
      'allocates buffers without end',
      'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1));',
      { memoryBytes: 400 * mebibyte },
      ['PDF_MEMORY'],
    ],
    [
      'grows a WASM heap',
      'const m = new WebAssembly.Memory({ initial: 1 }); for (;;) { m.grow(160); }',
      { memoryBytes: 400 * mebibyte },
      ['PDF_MEMORY', 'PDF_CRASH'],
    ],
    ['spends its processor time', 'for (;;) {}', { cpuSeconds: 1 }, ['PDF_TIMEOUT']],
    [
      'writes a huge file',
      'const fs = await import("node:fs"); const b = Buffer.alloc(1e6); for (;;) fs.appendFileSync("big", b);',
      { fileBytes: 5e6 },
      ['PDF_LIMIT_OUTPUT', 'PDF_CRASH'],
    ],
  ])('that %s (needs prlimit)', async (_name, body, limits, codes) => {
    expect(codes).toContain(await faultOf(run(body, limits)));
  });

  test('that fills its directory with many files', async () => {
    const body =
      'const fs = await import("node:fs"); for (let i = 0; ; i += 1) { fs.writeFileSync("f" + i, Buffer.alloc(1e6)); await new Promise((done) => setTimeout(done, 20)); }';
    expect(await faultOf(run(body, { workDirBytes: 1e7 }))).toBe('PDF_LIMIT_OUTPUT');
  });

  test('has an empty environment', async () => {
    process.env.SECRET_OF_THE_PARENT = 'x';
    const names = Object.keys((await run('return process.env;')) as object).filter(
      (name) => !name.startsWith('MALLOC_'),
    );
    expect(names.sort()).toEqual(['HOME', 'LANG', 'PATH', 'TMPDIR']);
  });

  test('stops when the caller aborts', async () => {
    const stop = new AbortController();
    const work = run('for (;;) {}', {}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('cancelled')), 200);
    await expect(work).rejects.toThrow('cancelled');
  });

  test.skipIf(process.platform !== 'linux')('is killed together with its own children', async () => {
    const seconds = lastsLong();
    const body = `const { spawn } = await import("node:child_process"); spawn("sleep", ["${seconds}"]).once("spawn", () => tools.progress("spawned")); await new Promise(() => setInterval(() => {}, 1000));`;
    const found: string[] = [];
    const stop = new AbortController();
    const onProgress = () => {
      found.push(...pidsOf(seconds));
      stop.abort(new Error('cancelled'));
    };
    await faultOf(run(body, {}, { signal: stop.signal, onProgress }));
    expect(found.length).toBeGreaterThan(0);
    // The order in which the system ends the processes is not defined, so wait.
    await eventually(() => (pidsOf(seconds).length > 0 ? undefined : 'gone'));
  });

  test.skipIf(process.platform !== 'linux')('dies with a parent that is killed by SIGKILL', async () => {
    const child = entry('tools.progress("started"); for (;;) {}');
    const work = mkdtempSync(join(directory, 'orphan-'));
    const parent = join(work, 'parent.mjs');
    writeFileSync(
      parent,
      `import { runLimited } from '${door}';\nimport { writeFileSync } from 'node:fs';\n` +
        `runLimited({ entry: ${JSON.stringify(child)}, request: null, workDir: ${JSON.stringify(work)}, onProgress: () => writeFileSync(${JSON.stringify(join(work, 'started'))}, '') }).catch(() => {});\n`,
    );
    const running = spawn(process.execPath, [parent], { stdio: 'ignore' });
    await eventually(() => (readdirSync(work).includes('started') ? 'started' : undefined));
    expect(pidsOf(child).length).toBeGreaterThan(0);
    running.kill('SIGKILL');
    await eventually(() => (pidsOf(child).length > 0 ? undefined : 'gone'));
  });
});

/** Seconds that no other process sleeps, so that it is found by them: in a namespace it has another number. */
const lastsLong = (): string => `300.${randomInt(1e9)}`;

/** The processes whose command line ends in a word; one that has ended and was not collected yet has none. */
const pidsOf = (word: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false; // ended meanwhile
    }
  });

async function eventually<T>(look: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('never happened');
}
