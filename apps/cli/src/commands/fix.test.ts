import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FixReport } from '@pdf2press/contract';
import { buildPdf, houseFont } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';

const program = path.resolve(import.meta.dirname, '../../bin/pdf2press.js');
const directory = mkdtempSync(path.join(os.tmpdir(), 'cli-fix-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const at = (name: string) => path.join(directory, name);

const card = Buffer.from(buildPdf({ pages: [{ content: '0 0 0 1 k 0 0 200 300 re f', mediaBox: [0, 0, 200, 300] }] }));
writeFileSync(at('card.pdf'), card);

function run(args: readonly string[], input?: Buffer) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'fix', ...args], { cwd: directory, input });
  return { status, stdout, lines: stderr.toString().trimEnd().split('\n') };
}

test('--list prints every action with its parameters', () => {
  const { stdout } = run(['--list', '--lang', 'fr']);
  expect(stdout.toString()).toMatch(/^AddBleeds +Ajouter le fond perdu/m);
  expect(stdout.toString()).toMatch(/^--preset cmyk-coated +Convertir en CMJN/m);
  const { actions } = JSON.parse(run(['--list', 'addbleeds', '--json']).stdout.toString()) as {
    actions: { key: string; parameters: object[] }[];
  };
  expect(actions.map(({ key }) => key)).toEqual(['AddBleeds']);
  expect(actions[0]?.parameters).toContainEqual({
    name: 'amount.left',
    label: 'Bleed',
    type: 'length',
    initial: '3mm',
    allowed: '0 – 100 mm',
  });
  expect(actions[0]?.parameters).toContainEqual(
    expect.objectContaining({ name: 'scalePercent', appliesWhen: [{ fillMode: 'ScalePage' }] }),
  );
  expect(run(['--list', 'ResizePages']).stdout.toString()).toMatch(
    /^ {2}maxStretchDistortion=.*\[target=Size scaling=Stretching \| target=Size fit=StretchToFit\]$/m,
  );
});

test.each([
  ['no file', ['--out', 'x.pdf', '--action', 'Repair'], /^USAGE pdf2press fix FILE/],
  [
    'two ways',
    ['card.pdf', '--out', 'x.pdf', '--action', 'Repair', '--preset', 'picture'],
    /^USAGE pdf2press fix FILE/,
  ],
  [
    'an action that is none',
    ['card.pdf', '--out', 'x.pdf', '--action', 'AddBleed'],
    /^USAGE --action: AddBleed \(.*AddBleeds/,
  ],
  ['a preset that is none', ['card.pdf', '--out', 'x.pdf', '--preset', 'pdfx4'], /^USAGE --preset: pdfx4 \(.*pdfx-4/],
  [
    'a parameter that is none',
    ['card.pdf', '--out', 'x.pdf', '--action', 'AddBleeds', '--set', 'amout=3mm', '--lang', 'fr'],
    /^SETTINGS_INVALID field=actions\.0\.settings\.amout .*allowed=amount, .*: Un réglage n’est pas admis : actions/,
  ],
  [
    'a value that is none',
    ['card.pdf', '--out', 'x.pdf', '--action', 'AddBleeds', '--set', 'amount=3cows'],
    /^SETTINGS_INVALID field=actions\.0\.settings\.amount\.left .*allowed=0 – 100 mm$/,
  ],
])('%s is one line, exit code 2, and nothing is written', (_, args, line) => {
  const { status, stdout, lines } = run(args);
  expect({ status, stdout: stdout.toString(), count: lines.length }).toEqual({ status: 2, stdout: '', count: 1 });
  expect(lines[0]).toMatch(line);
  expect(existsSync(at('x.pdf'))).toBe(false);
});

test('each action takes the parameters after it; changes are reported in the reader’s language and unit', () => {
  const { status, stdout, lines } = run(
    ['card.pdf', '--out', 'fixed.pdf', '--lang', 'fr']
      .concat('--action', 'AddTrimMarks', '--set', 'marks=crop')
      .concat('--action', 'AddBleeds', '--set', 'amount=0.125in'),
  );
  expect(status).toBe(0);
  const told = JSON.parse(stdout.toString()) as FixReport;
  expect(told.actions.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['AddBleeds', 'Applied'],
    ['AddTrimMarks', 'Applied'],
  ]);
  expect(lines.join('\n')).toMatch(/Page 1 : BleedBox vaut 76,91 mm × 112,18 mm/);
  expect(lines.join('\n')).toContain('3,17 mm de fond perdu');
});

test('reads standard input and writes standard output; the log has every change', () => {
  const { status, stdout } = run(['-', '--out', '-', '--preset', 'bleed-3mm', '--log', 'log.json'], card);
  expect(status).toBe(0);
  expect(stdout.subarray(0, 5).toString()).toBe('%PDF-');
  expect(JSON.parse(readFileSync(at('log.json'), 'utf8'))).toMatchObject({ result: 'Success', out: { path: '-' } });
  expect(existsSync(at('-'))).toBe(false);
});

test('a failed action keeps the existing file, reports the failure, and writes its log', () => {
  writeFileSync(at('old.pdf'), 'what was here before');
  const args = ['card.pdf', '--out', 'old.pdf', '--log', '-', '--action', 'AddTrimMarks', '--action', 'TruncatePages'];
  const { status, stdout, lines } = run([...args, '--set', 'keep=RemoveRange', '--set', 'range=all']);
  expect(status).toBe(1);
  expect(readFileSync(at('old.pdf'), 'utf8')).toBe('what was here before');
  expect(JSON.parse(stdout.toString())).toMatchObject({
    format: 'pdf2press-fix',
    result: 'Error',
    out: null,
    actions: [
      { action: 'TruncatePages', outcome: 'Failed', reason: { code: 'nothingLeft' } },
      { action: 'AddTrimMarks', outcome: 'Skipped', reason: { code: 'earlierFailed' } },
    ],
  });
  expect(lines[0]).toBe('Remove or add pages: Failed: nothingLeft: No page would be left.');
  expect(lines.at(-1)).toBe('An action failed, so no changes were saved: the file is unchanged.');
});

test('--fonts is a folder of fonts that may be embedded', () => {
  mkdirSync(at('shelf/deep'), { recursive: true });
  writeFileSync(at('shelf/deep/house.TTF'), houseFont({ family: 'House Sans', postScriptName: 'HouseSans' }));
  const letter = buildPdf({
    objects: {
      50: '<</Type/Font/Subtype/TrueType/BaseFont/HouseSans/Encoding/WinAnsiEncoding/FirstChar 97/LastChar 97/Widths[556]>>',
    },
    pages: [
      { content: 'BT /F 20 Tf 20 100 Td (a) Tj ET', mediaBox: [0, 0, 200, 300], resources: '/Font<</F 50 0 R>>' },
    ],
  });
  writeFileSync(at('letter.pdf'), letter);
  const args = ['letter.pdf', '--out', 'embedded.pdf', '--action', 'EmbedFonts'];
  const without = run(args);
  expect(without.lines.join('\n')).toContain('HouseSans is not embedded');
  const { status, lines } = run([...args, '--fonts', 'shelf']);
  expect(status).toBe(0);
  expect(lines.join('\n')).toContain('HouseSans is embedded as HouseSans');
  expect(run([...args, '--fonts', 'nowhere'])).toMatchObject({ status: 2, stdout: Buffer.from('') });
});
