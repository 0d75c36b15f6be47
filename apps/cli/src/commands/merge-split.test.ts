import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPdf } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../bin/pdf2press.js', import.meta.url));
const workDir = mkdtempSync(path.join(os.tmpdir(), 'merge-command-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));
const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', cwd: workDir });

/** A file whose pages are as wide as told. */
function write(name: string, widths: readonly number[]): string {
  const pages = widths.map((width) => ({ mediaBox: [0, 0, width, 50], content: `0 0 ${width / 2} 10 re f` }));
  const file = path.join(workDir, name);
  writeFileSync(file, buildPdf({ pages }));
  return file;
}

function widthsOf(file: string): number[] {
  const pdf = openPdf({ path: file });
  try {
    return pdf.pages.map(({ effective }) => effective.media[2]);
  } finally {
    pdf.close();
  }
}

test('merge: the pages of the arguments in their order; one output is never an input', () => {
  const [a, b] = [write('a.pdf', [100, 110]), write('b.pdf', [200])];
  const { status, stdout, stderr } = run('merge', b, a, b, '--out', 'merged.pdf');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ out: path.join(workDir, 'merged.pdf'), pages: 4, renamed: 0 });
  expect(widthsOf(path.join(workDir, 'merged.pdf'))).toEqual([200, 100, 110, 200]);
  const before = readFileSync(a);
  expect(run('merge', a, b, '--out', a)).toMatchObject({ status: 2, stderr: expect.stringContaining('is the input') });
  expect(readFileSync(a)).toEqual(before);
  expect(run('merge', a, '--out', 'x.pdf').status).toBe(2);
});

test('split: numbered files by count and by ranges', () => {
  const file = write('five.pdf', [100, 110, 120, 130, 140]);
  const every = run('split', file, '--every', '2', '--out', 'two.pdf');
  expect({ status: every.status, stderr: every.stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(every.stdout).parts.map(({ pages }: { pages: number[] }) => pages)).toEqual([
    [1, 2],
    [3, 4],
    [5, 5],
  ]);
  expect(['two-1.pdf', 'two-2.pdf', 'two-3.pdf'].map((name) => widthsOf(path.join(workDir, name)))).toEqual([
    [100, 110],
    [120, 130],
    [140],
  ]);
  expect(run('split', file, '--ranges', '2-3, 5, 1-', '--out', 'range.pdf').status).toBe(0);
  expect([1, 2, 3].map((at) => widthsOf(path.join(workDir, `range-${at}.pdf`)))).toEqual([
    [110, 120],
    [140],
    [100, 110, 120, 130, 140],
  ]);
});

test.each([
  [['--every', '0']],
  [['--every', '1.5']],
  [['--ranges', '5-2']],
  [['--ranges', '1,x']],
  [['--every', '2', '--at-bookmarks']],
  [[]],
])('split %j is wrong usage, and nothing is written', (options) => {
  const file = write('wrong.pdf', [100, 110]);
  const { status, stderr } = run('split', file, ...options, '--out', 'wrong-out.pdf');
  expect([status, stderr.startsWith('USAGE')]).toEqual([2, true]);
  expect(readdirSync(workDir).filter((name) => name.startsWith('wrong-out'))).toEqual([]);
});

test('a file that cannot be read is told by its code, and nothing is written', () => {
  writeFileSync(path.join(workDir, 'no.pdf'), 'no PDF');
  const { status, stderr } = run('merge', 'no.pdf', write('c.pdf', [100]), '--out', 'never.pdf');
  expect([status, stderr.trim()]).toEqual([3, 'PDF_NOT_PDF']);
  expect(existsSync(path.join(workDir, 'never.pdf'))).toBe(false);
});
