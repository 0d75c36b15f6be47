import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPdf } from '../open/pdf-file.ts';
import { buildPdf, type PdfSource } from '../testing/build-pdf.ts';
import { lineInks } from './line-inks.ts';

const workDir = mkdtempSync(path.join(os.tmpdir(), 'line-inks-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

const spot = (name: string) =>
  `/${name} [/Separation /${name} /DeviceCMYK << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 1 0 0] >>]`;

function linesOf(source: PdfSource, spots: readonly string[]): string[] {
  const input = path.join(workDir, 'in.pdf');
  writeFileSync(input, buildPdf(source));
  const file = openPdf({ path: input });
  try {
    return lineInks(file, 1, spots);
  } finally {
    file.close();
  }
}

test('usual names are lines in any case and spelling; other inks are not', () => {
  const lines = [
    'CutContour',
    'Cut Contour',
    'cut',
    'Thru-cut',
    'Kiss Cut',
    'Dieline',
    'die line',
    'Die',
    'CREASE',
    'Reverse creasing',
    'Fold',
    'Fold lines',
    'Perforation',
    'Stanze',
    'Stanzkontur',
    'Rillung',
    'Découpe',
  ];
  const others = [
    'Cutty Sark',
    'Gold',
    'PANTONE 185 C',
    'Varnish',
    'White',
    'Diesel',
    'Perfume',
    'Foldable Red',
    'All',
  ];
  expect(linesOf({ pages: [{ content: '' }] }, [...others, ...lines])).toEqual(lines);
});

/** A page with three inks: one on a layer of the step alone, one there and elsewhere, one elsewhere alone. */
const layered = (group: string): PdfSource => ({
  catalog: '/OCProperties << /OCGs [450 0 R] /D << >> >>',
  objects: {
    450: `<< /Type /OCG /Name (Step) /GTS_Metadata << /GTS_ProcStepsGroup /${group} /GTS_ProcStepsType /Cutting >> >>`,
  },
  pages: [
    {
      resources: `/ColorSpace << ${['Own', 'Shared', 'Art'].map(spot).join(' ')} >> /Properties << /Step 450 0 R >>`,
      content:
        '/OC /Step BDC /Own CS 1 SCN 10 10 50 50 re S /Shared CS 1 SCN 20 20 50 50 re S EMC ' +
        '/Shared cs 1 scn 30 30 9 9 re f /Art cs 1 scn 40 40 9 9 re f',
    },
  ],
});

test('an ink is a line when it is used on layers of shaping steps alone', () => {
  expect(linesOf(layered('Structural'), ['Own', 'Shared', 'Art'])).toEqual(['Own']);
});

test('steps that do not shape the sheet have no lines', () => {
  expect(linesOf(layered('Varnish'), ['Own', 'Shared', 'Art'])).toEqual([]);
});
