import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Plan } from '@pdf2press/contract';
import { openPdf, renderPreview } from '@pdf2press/pdf';
import { layoutPage } from '@pdf2press/pdf/place';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { impose } from '../produce/impose.ts';
import { planPreview } from '../produce/preview.ts';
import { readImposeProfile } from '../profile/profile.ts';

const mm = 72 / 25.4;
const dir = mkdtempSync(path.join(os.tmpdir(), 'die-sheet-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A T of 60 × 60 mm, drawn as separate strokes, in the centre of 80 × 80 mm of magenta. */
const corners = [
  [10, 50],
  [10, 70],
  [70, 70],
  [70, 50],
  [50, 50],
  [50, 10],
  [30, 10],
  [30, 50],
].map(([x = 0, y = 0]) => [x * mm, y * mm] as const);
const strokes = corners.map(([x, y], i) => {
  const [nextX, nextY] = corners[(i + 1) % corners.length] ?? [x, y];
  return `${x} ${y} m ${nextX} ${nextY} l S`;
});
const artwork = path.join(dir, 'tee.pdf');
writeFileSync(
  artwork,
  buildPdf({
    pages: [
      {
        mediaBox: [0, 0, 80 * mm, 80 * mm],
        content: `0 1 0 0 k 0 0 ${80 * mm} ${80 * mm} re f /CS0 CS 1 SCN ${strokes.join(' ')}`,
        resources:
          '/ColorSpace << /CS0 [/Separation /CutContour /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0 0 1] /N 1 >>] >>',
      },
    ],
  }),
);

async function made(profile: Record<string, unknown>, dieFile?: string): Promise<Plan> {
  const result = await impose({
    inputs: [{ path: artwork }],
    profile: { type: 'DieCut', sheet: 'SRA3', duplex: false, ...profile },
    outputs: ['output', 'plan'],
    workDir: dir,
    ...(dieFile === undefined ? {} : { dieFile }),
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return JSON.parse(readFileSync(path.join(dir, 'plan.json'), 'utf8'));
}

const stations = (plan: Plan): string[] =>
  (plan.sheets[0]?.front.cells ?? [])
    .map(({ x, y, rotation }) => `${Math.round(x)} ${Math.round(y)} ${rotation}`)
    .sort();

test('the die file written by one job gives the same stations as the die sheet of another', async () => {
  const nested = await made({
    die: { source: 'Artwork', onOutput: 'SeparateFile' },
    stations: { nesting: 'TrueShape', gap: '4mm' },
  });
  const sheet = path.join(dir, 'die-sheet.pdf');
  renameSync(path.join(dir, 'dies.pdf'), sheet);
  const again = await made({ die: { source: 'File' }, stations: { source: 'DieSheet' } }, sheet);
  expect(stations(nested).length).toBeGreaterThan(30);
  expect(stations(again)).toEqual(stations(nested));
});

test('the written PDF has ink within the outline and its bleed only', async () => {
  const plan = await made({
    die: { source: 'Artwork', onOutput: 'None' },
    stations: { nesting: 'TrueShape', gap: '4mm', bleedBeyondDie: '2mm' },
    marks: { crop: false, slug: false },
  });
  const file = openPdf({ path: path.join(dir, 'imposed.pdf') });
  const raster = renderPreview(file, 1, { dpi: 72, box: 'media' });
  file.close();
  const [cell] = (plan.sheets[0]?.front.cells ?? []).filter(({ rotation }) => rotation === 0);
  if (!cell) throw new Error('no upright piece');
  const isInked = (x: number, y: number): boolean => {
    const [px, py] = [Math.round(cell.x + x * mm), Math.round(raster.height - cell.y - y * mm)];
    return (raster.pixels[(py * raster.width + px) * raster.channels + 1] ?? 255) < 128;
  };
  // In the stem, in its bleed, and beyond the bleed below the arm of the T, away from neighbouring pieces.
  expect([isInked(30, 20), isInked(18.8, 30), isInked(17, 38.8)]).toEqual([true, true, true]);
  expect(isInked(17, 37)).toBe(false);
});

/** A 60 × 40 mm rectangle as DXF in millimetres. */
const box = `0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\nCUT\n90\n4\n70\n1\n10\n0\n20\n0\n10\n60\n20\n0\n10\n60\n20\n40\n10\n0\n20\n40\n0\nENDSEC\n0\nEOF\n`;
const attached = (name: string, data: string | Buffer) => ({ name, data: Buffer.from(data).toString('base64') });
const onDie = (file: unknown) => ({
  die: { source: 'File', file, lineNames: ['*cut*'] },
  stations: { gap: '4mm' },
  sheet: '200x200mm',
});

test('a die attached to the profile is laid on every page, and the preview shows the same sheet', async () => {
  // Artwork without a die line, since one that differs from the die file would be refused.
  const plain = path.join(dir, 'plain.pdf');
  writeFileSync(
    plain,
    buildPdf({ pages: [{ mediaBox: [0, 0, 80 * mm, 80 * mm], content: '1 0 0 0 k 0 0 99 99 re f' }] }),
  );
  const profile = { type: 'DieCut', duplex: false, ...onDie(attached('box.dxf', box)) };
  const result = await impose({ inputs: [{ path: plain }], profile, outputs: ['plan'], workDir: dir });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const plan = JSON.parse(readFileSync(path.join(dir, 'plan.json'), 'utf8')) as Plan;
  const [cell] = plan.sheets[0]?.front.cells ?? [];
  expect([cell?.width, cell?.height].map((length) => Math.round((length ?? 0) / mm))).toEqual([60, 40]);
  expect(readdirSync(dir).filter((name) => name.startsWith('.attached'))).toEqual([]);
  const read = readImposeProfile(profile);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const file = openPdf({ path: plain });
  const preview = planPreview(file.pages.map(layoutPage), read.profile);
  file.close();
  expect(preview).toMatchObject({ ok: true, isDieAssumed: false, plan: JSON.parse(JSON.stringify(plan)) });
});

test('a PDF die sheet attached to the profile gives the same stations as a separate die file', async () => {
  const sheet = path.join(dir, 'die-sheet.pdf');
  const profile = { die: { source: 'File' }, stations: { source: 'DieSheet' } };
  const beside = await made(profile, sheet);
  const carried = await made({ ...profile, die: { source: 'File', file: attached('sheet.pdf', readFileSync(sheet)) } });
  expect(stations(carried)).toEqual(stations(beside));
});

test.each([
  ['die.file', onDie(attached('letter.txt', 'Dear printer,'))],
  ['die.file', onDie(attached('empty.dxf', '0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n'))],
  ['marks.colorBar.strip', { marks: { colorBar: { enabled: true, strip: attached('bar.pdf', 'no PDF') } } }],
])('an unreadable attachment is reported for its setting %s', async (field, profile) => {
  const inputs = [{ path: artwork }];
  const result = await impose({
    inputs,
    profile: { type: 'DieCut', duplex: false, ...profile },
    outputs: ['output'],
    workDir: dir,
  });
  expect(result).toMatchObject({ ok: false, problems: [{ field: expect.stringMatching(`^${field}`) }] });
});
