import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../bin/pdf2press.js', import.meta.url));
const workDir = mkdtempSync(path.join(os.tmpdir(), 'plates-command-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

const file = path.join(workDir, 'flyer.pdf');
const spot =
  '[/Separation /Caf#c3#a9#2f1 /DeviceCMYK << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.2 0.6 0.2] >>]';
writeFileSync(
  file,
  buildPdf({
    pages: [
      { content: '' },
      {
        mediaBox: [0, 0, 100, 100],
        resources: `/ColorSpace << /S ${spot} >>`,
        content: '1 1 1 0.5 k 0 0 50 100 re f /S cs 0.5 scn 50 0 50 100 re f',
      },
    ],
  }),
);

const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

test('plates: an image per ink, and the coverage of the inks', () => {
  const out = path.join(workDir, 'out');
  const { status, stdout, stderr } = run('plates', file, '--page', '2', '--dpi', '72', '--out', out);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    page: 2,
    dpi: 72,
    width: 100,
    height: 100,
    coverage: { Cyan: 0.5, Magenta: 0.5, Yellow: 0.5, 'Café/1': expect.closeTo(0.25, 2) },
    tac: { limit: 300, shareOverLimit: 0.5 },
  });
  expect(report.tac.max).toBeCloseTo(350, 0);
  expect(readdirSync(out).sort()).toEqual([
    'Black.png',
    'Café%2F1.png',
    'Cyan.png',
    'Magenta.png',
    'Yellow.png',
    'plates.json',
  ]);
  // Grey, 8 bits, one channel.
  expect([...readFileSync(path.join(out, 'Cyan.png')).subarray(24, 26)]).toEqual([8, 0]);
});

test('render: an image of the right size', () => {
  const out = path.join(workDir, 'page.png');
  const { status, stdout } = run('render', file, '--page', '2', '--dpi', '144', '--out', out);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ page: 2, dpi: 144, width: 200, height: 200 });
  expect(readFileSync(out).subarray(1, 4).toString()).toBe('PNG');
});

test.each([
  [2, 'wrong arguments', ['plates', file]],
  [2, 'no such page', ['plates', file, '--page', '3', '--out', workDir]],
  [2, 'no such format', ['render', file, '--out', path.join(workDir, 'x.bmp')]],
  [3, 'no such file', ['render', path.join(workDir, 'none.pdf'), '--out', path.join(workDir, 'x.png')]],
  [4, 'too many pixels', ['plates', file, '--page', '2', '--dpi', '9000', '--out', workDir]],
])('exit code %i: %s', (code, _, args) => {
  const { status, stdout, stderr } = run(...args);
  expect({ status, stdout }).toEqual({ status: code, stdout: '' });
  expect(stderr.trim()).not.toContain('    at ');
});
