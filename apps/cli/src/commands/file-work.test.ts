import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract/faults';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { reportingErrors } from './file-work.ts';
import { distinctNames, expandGlobs } from './input-files.ts';

const program = path.resolve(import.meta.dirname, '../../bin/pdf2press.js');
const directory = mkdtempSync(path.join(os.tmpdir(), 'file-work-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const at = (name: string) => path.join(directory, name);

const bytes = buildPdf({ pages: [{ content: '0 g 10 10 50 50 re f', mediaBox: [0, 0, 200, 300] }] });
for (const folder of ['a', 'a/b', '.hidden', 'tmp']) mkdirSync(at(folder));
for (const name of ['a/one.pdf', 'a/b/one.pdf', '.hidden/one.pdf', '[draft].pdf', 'two\nlines.pdf'])
  writeFileSync(at(name), bytes);

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: at('tmp') },
  });
  return { status, stdout, stderr };
};

test('patterns find files as a shell does; what exists or matches nothing is a name', async () => {
  expect(await expandGlobs([at('**/one.pdf')])).toEqual([at('a/b/one.pdf'), at('a/one.pdf')]);
  expect(await expandGlobs([at('?/[no]*.pdf')])).toEqual([at('a/one.pdf')]);
  expect(await expandGlobs([at('*/b/*')])).toEqual([at('a/b/one.pdf')]);
  expect(await expandGlobs([at('[draft].pdf'), at('none*.pdf'), '-'])).toEqual([
    at('[draft].pdf'),
    at('none*.pdf'),
    '-',
  ]);
});

test('outputs of files with the same name get different names', () => {
  expect(distinctNames(['a/one.pdf', 'b/one.pdf', '-'])).toEqual(['one', 'one-2', 'stdin']);
});

test.each([
  ['fix', ['--action', 'AddBleeds', '--out']],
  ['impose', ['--layout', 'across-down', '--out']],
  ['preflight', ['--preset', 'basic', '--annotated']],
])('%s never writes over what it reads, by another name either', (command, args) => {
  const original = at(`${command}.pdf`);
  const other = at(`${command}-other.pdf`);
  writeFileSync(original, bytes);
  linkSync(original, other);
  const { status, stderr } = run(command, original, ...args, other);
  expect({ status, stderr }).toEqual({ status: 2, stderr: `USAGE ${other} is the input\n` });
  expect(readFileSync(original)).toEqual(Buffer.from(bytes));
});

test('several files: a directory of plates each, errors and progress on one line each', () => {
  writeFileSync(at('broken.pdf'), 'Dear printer');
  const { status, stdout, stderr } = run(
    'plates',
    'broken.pdf',
    'two\nlines.pdf',
    'a/one.pdf',
    '--dpi',
    '36',
    '--out',
    'plates',
  );
  expect({ status, stderr }).toEqual({ status: 3, stderr: 'PDF_NOT_PDF file="broken.pdf"\n' });
  const [broken, ...made] = JSON.parse(stdout) as unknown[];
  expect(broken).toEqual({ path: 'broken.pdf', error: { code: 'PDF_NOT_PDF', params: {} } });
  expect(JSON.parse(readFileSync(at('plates/one/plates.json'), 'utf8'))).toEqual(made[1]);
});

test('writing to a link or a device does not replace it', () => {
  writeFileSync(at('target.json'), '');
  symlinkSync('target.json', at('link.json'));
  expect(run('preflight', 'a/one.pdf', '--preset', 'basic', '--json', 'link.json').status).toBeLessThan(2);
  expect(lstatSync(at('link.json')).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(at('target.json'), 'utf8'))).toMatchObject({ pageCount: 1 });
  expect(run('impose', 'a/one.pdf', '--layout', 'across-down', '--out', '/dev/null').status).toBe(0);
  expect(lstatSync('/dev/null').isFile()).toBe(false);
});

test('an output that cannot be written is reported in one line with exit code 2', () => {
  // No account can create a file here, not even root.
  const { status, stderr } = run('impose', 'a/one.pdf', '--layout', 'across-down', '--out', '/proc/none/out.pdf');
  expect(status).toBe(2);
  expect(stderr).toMatch(/^E[A-Z]+ \/proc\/none\n$/);
});

test.skipIf(process.platform === 'win32')('a pipe is read, and Ctrl-C leaves nothing behind', async () => {
  expect(spawnSync('mkfifo', [at('pipe')]).status).toBe(0);
  const start = () =>
    spawn(process.execPath, [program, 'inspect', at('pipe')], { env: { ...process.env, TMPDIR: at('tmp') } });
  const reader = start();
  let printed = '';
  reader.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  writeFileSync(at('pipe'), bytes);
  expect((await once(reader, 'close'))[0]).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({ pageCount: 1 });

  const waiting = start();
  while (readdirSync(at('tmp')).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  waiting.kill('SIGINT');
  expect((await once(waiting, 'close'))[1]).toBe('SIGINT');
  expect(readdirSync(at('tmp'))).toEqual([]);
  expect(existsSync(at('pipe'))).toBe(true);
});

test('temporary files of a killed command are removed by the next command', async () => {
  const place = at('killed');
  mkdirSync(place);
  const hidden = () => readdirSync(place).filter((name) => name.startsWith('.pdf2press-'));
  const args = ['fix', at('a/one.pdf'), '--action', 'SetPageBoxes', '--out', path.join(place, 'out.pdf')];
  const killed = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
  const ended = once(killed, 'exit');
  while (hidden().length === 0 && killed.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
  killed.kill('SIGKILL');
  await ended;
  // The command may have ended before the kill; the leftover file is then created here.
  const mine = path.join(place, `.pdf2press-${os.hostname().replace(/[^\w.]/g, '_')}-${process.pid}-abcdef`);
  const gone = mine.replace(`-${process.pid}-`, `-${killed.pid}-`);
  const elsewhere = path.join(place, `.pdf2press-elsewhere-${killed.pid}-abcdef`);
  const old = path.join(place, '.pdf2press-old');
  for (const each of [mine, gone, elsewhere, old]) mkdirSync(each, { recursive: true });
  utimesSync(old, 1, 1);
  expect(run(...args).status).toBe(0);
  expect(hidden().sort()).toEqual([path.basename(mine), path.basename(elsewhere)].sort());
  expect(existsSync(path.join(place, 'out.pdf'))).toBe(true);
});

test('a person at a terminal reads what is wrong in the language of the system; a program reads the code', async () => {
  const lines: unknown[] = [];
  const printed = vi.spyOn(console, 'error').mockImplementation((line) => lines.push(line));
  const { isTTY } = process.stderr;
  const { LANG } = process.env;
  try {
    process.env.LANG = 'fr_FR.UTF-8';
    for (const isTerminal of [true, false]) {
      process.stderr.isTTY = isTerminal;
      await reportingErrors(() => Promise.reject(new FileFaultError('PDF_NOT_PDF')));
    }
  } finally {
    process.stderr.isTTY = isTTY;
    if (LANG === undefined) delete process.env.LANG;
    else process.env.LANG = LANG;
    printed.mockRestore();
  }
  expect(lines).toEqual(['PDF_NOT_PDF: Le fichier n’est pas un PDF.', 'PDF_NOT_PDF']);
});
