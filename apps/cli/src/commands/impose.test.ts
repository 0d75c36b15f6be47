import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { planSchema } from '@pdf2press/contract';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const dir = mkdtempSync(path.join(os.tmpdir(), 'cli-impose-'));
const bin = fileURLToPath(new URL('../../bin/pdf2press.js', import.meta.url));
const file = (name: string) => path.join(dir, name);
const impose = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'impose', ...args], {
    cwd: dir,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

beforeAll(() => {
  const page = { content: '0 0 1 rg 10 10 50 50 re f', mediaBox: [0, 0, 200, 300] };
  writeFileSync(file('eight.pdf'), buildPdf({ pages: new Array(8).fill(page) }));
  writeFileSync(file('text.pdf'), 'this is no PDF');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('imposes with settings of the command line and writes every output file', () => {
  const outputs = [
    '--out',
    'out.pdf',
    '--plan',
    'plan.json',
    '--jdf',
    'plan.jdf',
    '--xjdf',
    'plan.xjdf',
    '--dummy',
    'dummy.pdf',
  ];
  const { status, stdout } = impose(
    'eight.pdf',
    '--layout',
    'saddle-stitch',
    '--set',
    'sheet=SRA3',
    '--set',
    'creep.paperThickness=0.1mm',
    ...outputs,
  );
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ layout: 'SaddleStitch', sheets: 2 });
  const plan = planSchema.parse(JSON.parse(readFileSync(file('plan.json'), 'utf8')));
  expect(
    plan.sheets[1]?.front.cells.map(({ page, shift }) => [page, Number(((shift.x * 25.4) / 72).toFixed(6))]),
  ).toEqual([
    [6, 0.1],
    [3, -0.1],
  ]);
  for (const name of ['out.pdf', 'dummy.pdf']) expect(readFileSync(file(name)).toString('latin1', 0, 5)).toBe('%PDF-');
  for (const name of ['plan.jdf', 'plan.xjdf'])
    expect(readFileSync(file(name), 'utf8')).toContain('FoldCatalog="F4-1"');
});

test('a plan alone goes to standard output', () => {
  const { status, stdout } = impose(
    'eight.pdf',
    '--layout',
    'cut-and-stack',
    '--set',
    'rows=1',
    '--set',
    'columns=2',
    '--plan-only',
  );
  expect(status).toBe(0);
  expect(planSchema.parse(JSON.parse(stdout)).sheets[0]?.front.cells.map(({ page }) => page)).toEqual([1, 5]);
});

test('a profile file is read, and settings of the command line override it', () => {
  writeFileSync(file('profile.json'), JSON.stringify({ type: 'AcrossDown', rows: 2, columns: 2, sheet: 'SRA3' }));
  const { stdout } = impose('eight.pdf', '--profile', 'profile.json', '--set', 'rows=1', '--plan-only');
  expect(JSON.parse(stdout).sheets).toHaveLength(4);
});

test('sheets are written as images', () => {
  const settings = [
    '--set',
    'rows=2',
    '--set',
    'columns=4',
    '--set',
    'output.kind=Image',
    '--set',
    'output.dpi=36',
    '--set',
    'output.format=TIFF',
  ];
  const { status } = impose('eight.pdf', '--layout', 'across-down', ...settings, '--out', 'sheet.tif');
  expect(status).toBe(0);
  expect(readFileSync(file('sheet.tif')).toString('latin1', 0, 2)).toMatch(/II|MM/);
});

test('a separate die file is written beside the sheets, and a register sheet when requested', () => {
  const settings = ['--set', 'sheet=SRA3', '--set', 'die.onOutput=SeparateFile', '--register', 'register.pdf'];
  const { status, stdout } = impose('eight.pdf', '--layout', 'die-cut', ...settings, '--out', 'cut.pdf');
  expect(status).toBe(0);
  expect(
    JSON.parse(stdout)
      .files.map((name: string) => path.basename(name))
      .sort(),
  ).toEqual(['cut-dies.pdf', 'cut.pdf', 'register.pdf']);
  expect(readFileSync(file('cut.pdf')).includes('DieLine')).toBe(false);
});

test.each([
  [
    'an unknown sheet',
    ['eight.pdf', '--layout', 'across-down', '--set', 'sheet=A99'],
    2,
    /^impose\.sheetUnknown: sheet: “A99” is not a known sheet/,
  ],
  [
    'a block that does not fit',
    ['eight.pdf', '--layout', 'across-down', '--set', 'sheet=A5', '--set', 'columns=9'],
    2,
    /^impose\.blockTooWide: columns: .* mm too wide/,
  ],
  [
    'the same in inches',
    ['eight.pdf', '--layout', 'across-down', '--set', 'sheet=A5', '--set', 'columns=9', '--unit', 'in'],
    2,
    / in too wide/,
  ],
  [
    'a signature of 6',
    ['eight.pdf', '--layout', 'saddle-stitch', '--set', 'signatureSize=6'],
    2,
    /^impose\.signatureNotMultipleOf4: signatureSize: /,
  ],
  [
    'a setting that does not exist',
    ['eight.pdf', '--layout', 'saddle-stitch', '--set', 'rows=2'],
    2,
    /^impose\.settingUnknown: rows: /,
  ],
  ['a layout that does not exist', ['eight.pdf', '--layout', 'origami'], 2, /--layout: origami/],
  ['no layout', ['eight.pdf'], 2, /^USAGE /],
  ['a file that is no PDF', ['text.pdf', '--layout', 'across-down'], 3, /^PDF_NOT_PDF/],
  ['a file that is not there', ['none.pdf', '--layout', 'across-down'], 3, /^FILE_NOT_FOUND/],
  [
    'more cells than a plan may have',
    [
      'eight.pdf',
      '--layout',
      'step-n-repeat',
      '--set',
      'cell.width=10mm',
      '--set',
      'cell.height=10mm',
      '--set',
      'sheet=9000x9000mm',
      '--set',
      'gutterH=0mm',
      '--set',
      'gutterV=0mm',
    ],
    4,
    /^impose\.tooManyCells: /,
  ],
])('%s: one clear line and nothing half-written', (_, args, code, line) => {
  const { status, stdout, stderr } = impose(...args, '--out', 'never.pdf');
  expect([status, stdout]).toEqual([code, '']);
  expect(stderr).toMatch(line);
  expect(existsSync(file('never.pdf'))).toBe(false);
  expect(readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual([]);
});
