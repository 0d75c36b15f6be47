/** Large files: a copy started ahead of time becomes the changed file, or is delivered as the unchanged original. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openPdf } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { readFixProfile } from '../profile/profile.ts';
import { createCopyAhead } from './copy-ahead.ts';
import { fixPdf } from './fix.ts';

const dir = mkdtempSync(path.join(os.tmpdir(), 'copy-ahead-'));
afterAll(() => rmSync(dir, { recursive: true }));

const large = path.join(dir, 'large.pdf');
const picture = Buffer.alloc(2 ** 25, 'picture of many bytes ');
writeFileSync(
  large,
  buildPdf({
    pages: [{ content: '0 0 0 1 k 0 0 10 10 re f', mediaBox: [0, 0, 200, 300], resources: '/XObject<</Im 101 0 R>>' }],
    objects: {
      101: {
        dict: '/Type/XObject/Subtype/Image/Width 4096/Height 8192/ColorSpace/DeviceGray/BitsPerComponent 8',
        data: picture,
      },
    },
  }),
);
const original = readFileSync(large);

async function fixed(name: string, actions: object[]) {
  const workDir = path.join(dir, name);
  mkdirSync(workDir);
  const out = path.join(dir, `${name}.pdf`);
  const profile = readFixProfile({ actions: actions.map((action) => ({ when: { is: 'Always' }, ...action })) });
  const report = await fixPdf({ path: large, fileName: 'large.pdf', profile, out, workDir });
  expect(readFileSync(large).equals(original)).toBe(true);
  return { report, out, left: readdirSync(workDir) };
}

test('bytes that were not changed keep their offsets, and the work directory is left empty', async () => {
  const { report, out, left } = await fixed('boxes', [
    { key: 'SetPageBoxes', settings: { box: 'Trim', from: 'MediaBox', inset: { left: '10pt' } } },
    { key: 'RotatePages', settings: { turn: 'Clockwise' } },
  ]);
  expect(report.actions.map(({ outcome }) => outcome)).toEqual(['Applied', 'Applied']);
  const bytes = readFileSync(out);
  expect(bytes.indexOf(picture)).toBe(original.indexOf(picture));
  expect(bytes.length - original.length).toBeLessThan(2000);
  const file = openPdf({ path: out });
  expect([file.isRepaired, file.pages[0]?.boxes.trim]).toEqual([false, [0, 0, 300, 190]]);
  file.close();
  expect(left).toEqual([]);
});

test('a file that needs no change is delivered from the copy', async () => {
  const { report, out, left } = await fixed('nothing', [{ key: 'RichBlack', settings: {} }]);
  expect([report.actions[0]?.outcome, report.out?.isChanged]).toEqual(['NothingToDo', false]);
  expect(readFileSync(out).equals(original)).toBe(true);
  expect(left).toEqual([]);
});

test('a copy can be taken once; small, missing and non-PDF files are not copied', async () => {
  const copies = createCopyAhead(dir);
  copies.begin(large);
  copies.begin(large);
  const copy = await copies.take(large);
  expect(copy !== null && readFileSync(copy).equals(original)).toBe(true);
  expect(await copies.take(large)).toBeNull();
  const small = path.join(dir, 'small.pdf');
  writeFileSync(small, '%PDF-1.7');
  const other = path.join(dir, 'other.tif');
  writeFileSync(other, picture);
  for (const source of [small, other, path.join(dir, 'absent.pdf')]) {
    copies.begin(source);
    expect(await copies.take(source)).toBeNull();
  }
  copies.begin(large);
  await copies.drop();
  expect(readdirSync(dir).filter((name) => name.startsWith('copy-'))).toEqual([path.basename(copy ?? '')]);
});
