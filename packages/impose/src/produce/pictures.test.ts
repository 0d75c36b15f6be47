import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openPdf, renderPreview } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { impose } from './impose.ts';

const dir = mkdtempSync(path.join(os.tmpdir(), 'impose-pictures-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const card = path.join(dir, 'card.pdf');
writeFileSync(card, buildPdf({ pages: [{ mediaBox: [0, 0, 100, 100], content: '1 0 0 0 k 0 0 100 100 re f' }] }));
const bare = { type: 'AcrossDown', rows: 1, columns: 1, sheet: '100x100pt', margins: 0 };

test('a CMYK PNG is refused with the setting to change and its possible values', async () => {
  const profile = { ...bare, output: { kind: 'Image', colorSpace: 'CMYK', format: 'PNG' } };
  const result = await impose({ inputs: [{ path: card }], profile, outputs: ['output'], workDir: dir });
  expect(result).toMatchObject({
    ok: false,
    problems: [{ field: 'output.format', params: { allowed: 'JPEG, TIFF' } }],
  });
});

test('the trim of a colour bar attached to the profile is printed unscaled', async () => {
  const bar = buildPdf({
    pages: [
      {
        mediaBox: [-10, -10, 70, 20],
        extra: '/TrimBox [0 0 60 10]',
        content: '0 1 0 0 k -10 -10 99 99 re f 1 0 0 0 k 0 0 30 10 re f 0 0 1 0 k 30 0 30 10 re f',
      },
    ],
  });
  const strip = { name: 'bar.pdf', data: Buffer.from(bar).toString('base64') };
  const profile = {
    ...bare,
    sheet: '200x140pt',
    alignment: { point: 'Bottom' },
    marks: {
      crop: false,
      slug: false,
      colorBar: { enabled: true, edge: 'Top', align: 'Centre', fill: true, offset: '2pt', strip },
    },
  };
  const result = await impose({ inputs: [{ path: card }], profile, outputs: ['output', 'plan'], workDir: dir });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const [sheet] = JSON.parse(readFileSync(path.join(dir, 'plan.json'), 'utf8')).sheets;
  const tiles = sheet.front.marks.find(({ mark }: { mark: string }) => mark === 'ColorBar').shapes;
  // One tile in the middle of 200 pt, and on each side as many as are visible at least in part.
  expect(tiles.map(({ x, width }: { x: number; width: number }) => [x, width])).toEqual([
    [-50, 60],
    [10, 60],
    [70, 60],
    [130, 60],
    [190, 60],
  ]);
  const file = openPdf({ path: path.join(dir, 'imposed.pdf') });
  const { pixels, width } = renderPreview(file, 1, { dpi: 72, box: 'media' });
  file.close();
  const at = (x: number, y: number) =>
    [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)].map((one) => one > 127);
  const [cyan, yellow, white] = [
    [false, true, true],
    [true, true, false],
    [true, true, true],
  ];
  expect([at(75, 5), at(125, 5), at(5, 5), at(195, 5), at(75, 15), at(75, 1)]).toEqual([
    cyan,
    yellow,
    yellow,
    cyan,
    white,
    white,
  ]);
});
