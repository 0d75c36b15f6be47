import type { LayoutPage, Plan, Side } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { planOf, readImposeProfile } from '../profile/profile.ts';

/* Page positions. `*` is upside down, 0 is blank, `/` separates rows, `|` front and back, `·` sheets. */

const mm = 72 / 25.4;
const page: LayoutPage = {
  media: { x: 0, y: 0, width: 60 * mm, height: 80 * mm },
  trim: { x: 0, y: 0, width: 60 * mm, height: 80 * mm },
  bleed: { x: 0, y: 0, width: 60 * mm, height: 80 * mm },
  hasBleedBox: false,
  hasTrimBox: false,
};

export function planFor(count: number, profile: Record<string, unknown>): Plan {
  const read = readImposeProfile({ sheet: '1000x1000mm', ...profile });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const result = planOf({ pages: new Array<LayoutPage>(count).fill(page) }, read.profile);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.plan;
}

const sideText = (side: Side | null): string => {
  const rows: string[][] = [];
  for (const cell of side?.cells ?? []) {
    rows[cell.row] ??= [];
    (rows[cell.row] as string[])[cell.column] = `${cell.page}${cell.rotation === 180 && cell.page > 0 ? '*' : ''}`;
  }
  return rows.map((row) => row.join(' ')).join(' / ');
};
const orders = (plan: Plan): string =>
  plan.sheets.map((sheet) => sideText(sheet.front) + (sheet.back ? ` | ${sideText(sheet.back)}` : '')).join(' · ');

const saddle = (signatureSize: number) => ({ type: 'SaddleStitch', signatureSize });
const leaflet = (fold: string) => ({ type: 'Leaflet', fold, rows: 1, columns: 1 });
const grid = (type: string, rows: number, columns: number, duplex = false) => ({ type, rows, columns, duplex });

const table: [string, number, Record<string, unknown>, string][] = [
  ['across 6', 6, grid('AcrossDown', 2, 3), '1 2 3 / 4 5 6'],
  ['down 6', 6, grid('DownAcross', 2, 3), '1 3 5 / 2 4 6'],
  ['across 8 duplex', 8, grid('AcrossDown', 2, 2, true), '1 3 / 5 7 | 4 2 / 8 6'],
  ['down 8 duplex', 8, grid('DownAcross', 2, 2, true), '1 5 / 3 7 | 6 2 / 8 4'],
  ['across 7', 7, grid('AcrossDown', 2, 2), '1 2 / 3 4 · 5 6 / 7 0'],
  ['across 8, sides in turn', 8, { ...grid('AcrossDown', 2, 2, true), sequentialSides: true }, '1 2 / 3 4 | 5 6 / 7 8'],
  ['across 4 from the bottom right', 4, { ...grid('AcrossDown', 2, 2), startCorner: 'BottomRight' }, '4 3 / 2 1'],
  ['cut 12', 12, grid('CutAndStack', 2, 2), '1 4 / 7 10 · 2 5 / 8 11 · 3 6 / 9 12'],
  ['cut 10', 10, grid('CutAndStack', 2, 2), '1 4 / 7 10 · 2 5 / 8 0 · 3 6 / 9 0'],
  ['cut 10 balanced', 10, { ...grid('CutAndStack', 2, 2), balance: true }, '1 4 / 7 9 · 2 5 / 8 10 · 3 6 / 0 0'],
  ['cut 9', 9, grid('CutAndStack', 1, 3), '1 4 7 · 2 5 8 · 3 6 9'],
  ['cut 16 duplex', 16, grid('CutAndStack', 2, 2, true), '1 5 / 9 13 | 6 2 / 14 10 · 3 7 / 11 15 | 8 4 / 16 12'],
  [
    'cut 16 duplex by column',
    16,
    { ...grid('CutAndStack', 2, 2, true), stackOrder: 'Column' },
    '1 9 / 5 13 | 10 2 / 14 6 · 3 11 / 7 15 | 12 4 / 16 8',
  ],
  [
    'cut 24 duplex',
    24,
    grid('CutAndStack', 2, 3, true),
    '1 5 9 / 13 17 21 | 10 6 2 / 22 18 14 · 3 7 11 / 15 19 23 | 12 8 4 / 24 20 16',
  ],
  ['saddle 8', 8, saddle(4), '8 1 | 2 7 · 6 3 | 4 5'],
  ['saddle 16', 16, saddle(4), '16 1 | 2 15 · 14 3 | 4 13 · 12 5 | 6 11 · 10 7 | 8 9'],
  [
    'saddle 32',
    32,
    saddle(4),
    '32 1 | 2 31 · 30 3 | 4 29 · 28 5 | 6 27 · 26 7 | 8 25 · 24 9 | 10 23 · 22 11 | 12 21 · 20 13 | 14 19 · 18 15 | 16 17',
  ],
  ['saddle 10', 10, saddle(4), '0 1 | 2 0 · 10 3 | 4 9 · 8 5 | 6 7'],
  ['saddle 8 on one sheet', 8, saddle(8), '5* 4* / 8 1 | 3* 6* / 2 7'],
  ['saddle 16 in eights', 16, saddle(8), '13* 4* / 16 1 | 3* 14* / 2 15 · 9* 8* / 12 5 | 7* 10* / 6 11'],
  ['saddle 16 on one sheet', 16, saddle(16), '5* 12* 9* 8* / 4 13 16 1 | 7* 10* 11* 6* / 2 15 14 3'],
  [
    'saddle 32 in sixteens',
    32,
    saddle(16),
    '5* 28* 25* 8* / 4 29 32 1 | 7* 26* 27* 6* / 2 31 30 3 · 13* 20* 17* 16* / 12 21 24 9 | 15* 18* 19* 14* / 10 23 22 11',
  ],
  [
    'saddle 32 on one sheet',
    32,
    saddle(32),
    '5* 28* 29* 4* / 12 21 20 13 / 9* 24* 17* 16* / 8 25 32 1 | 3* 30* 27* 6* / 14 19 22 11 / 15* 18* 23* 10* / 2 31 26 7',
  ],
  ['saddle 8 in parallel', 8, { ...saddle(8), folding: 'Parallel' }, '4 5 8 1 | 2 7 6 3'],
  ['saddle 12 on one sheet', 12, saddle(12), '9* 4* / 12 1 / 7* 6* | 3* 10* / 2 11 / 5* 8*'],
  ['saddle 4, work and turn', 4, { ...saddle(4), workStyle: 'WorkAndTurn' }, '4 1 2 3'],
  ['saddle 4, work and tumble', 4, { ...saddle(4), workStyle: 'WorkAndTumble' }, '4 1 / 3* 2*'],
  [
    'saddle 8, come and go',
    8,
    { ...saddle(4), comeAndGo: true },
    '8 1 / 1* 8* | 2 7 / 7* 2* · 6 3 / 3* 6* | 4 5 / 5* 4*',
  ],
  [
    'perfect 8, come and go',
    8,
    { type: 'PerfectBound', signatureSize: 4, comeAndGo: true },
    '4 1 / 5* 8* | 2 3 / 7* 6* · 8 5 / 1* 4* | 6 7 / 3* 2*',
  ],
  ['a half fold', 4, leaflet('HalfFold'), '4 1 | 2 3'],
  ['a roll fold', 6, leaflet('RollFold'), '5 6 1 | 2 3 4'],
  ['a roll fold, panel by panel', 6, { ...leaflet('RollFold'), pageOrder: 'AsRead' }, '3 6 1 | 2 5 4'],
  ['a Z fold, panel by panel', 6, { ...leaflet('z'), pageOrder: 'AsRead' }, '5 4 1 | 2 3 6'],
  ['a zigzag of four', 8, { ...leaflet('ZigzagFold'), panels: 4 }, '6 7 8 1 | 2 3 4 5'],
  ['a closed gate fold', 8, leaflet('ClosedGateFold'), '6 7 1 8 | 2 3 4 5'],
  ['saddle 8 from the right', 8, { ...saddle(4), bindingEdge: 'Right' }, '1 8 | 7 2 · 3 6 | 5 4'],
  ['saddle 4 at the top', 4, { ...saddle(4), bindingEdge: 'Top' }, '4 / 1 | 3* / 2*'],
  [
    'saddle 16, spreads cut and stacked',
    16,
    { ...saddle(4), spreads: { count: 2 } },
    '16 1 / 3* 14* | 2 15 / 13* 4* · 12 5 / 7* 10* | 6 11 / 9* 8*',
  ],
  ['saddle 12 with a cover', 12, { ...saddle(8), coverSeparate: true }, '12 1 | 2 11 · 7* 6* / 10 3 | 5* 8* / 4 9'],
  [
    'perfect 16',
    16,
    { type: 'PerfectBound', signatureSize: 8 },
    '5* 4* / 8 1 | 3* 6* / 2 7 · 13* 12* / 16 9 | 11* 14* / 10 15',
  ],
  [
    'perfect 16, two sheets a section',
    16,
    { type: 'PerfectBound', signatureSize: 4, sheetsPerSection: 2 },
    '8 1 | 2 7 · 6 3 | 4 5 · 16 9 | 10 15 · 14 11 | 12 13',
  ],
  ['repeat 2, work and turn', 2, { ...grid('StepNRepeat', 2, 2, true), workStyle: 'WorkAndTurn' }, '1 2 / 1 2'],
  ['repeat 2, work and tumble', 2, { ...grid('StepNRepeat', 2, 2, true), workStyle: 'WorkAndTumble' }, '1 1 / 2* 2*'],
  ['repeat 2, perfecting', 2, { ...grid('StepNRepeat', 1, 2, true), workStyle: 'Perfecting' }, '1 1 | 2* 2*'],
  ['repeat 3 one-sided', 3, grid('StepNRepeat', 1, 2), '1 1 · 2 2 · 3 3'],
  ['repeat by list', 2, { ...grid('StepNRepeat', 2, 4), duplex: false, fill: '1x6, 2x2' }, '1 1 1 1 / 1 1 2 2'],
  ['whole sides, turned', 8, { ...grid('DownAcross', 2, 2, true), sequentialSides: true }, '1 3 / 2 4 | 5 7 / 6 8'],
  [
    'whole sides, tumbled',
    8,
    { ...grid('DownAcross', 2, 2, true), sequentialSides: true, workStyle: 'Perfecting' },
    '1 3 / 2 4 | 5* 7* / 6* 8*',
  ],
  ['pages again', 3, { ...grid('AcrossDown', 1, 4), pages: '3,1,1' }, '3 1 1 0'],
  ['blanks before the last', 5, { ...grid('AcrossDown', 1, 4), padding: 'BlankBeforeLast' }, '1 2 3 4 · 0 0 0 5'],
  ['blanks filled again', 5, { ...grid('AcrossDown', 1, 4), padding: 'Repeat' }, '1 2 3 4 · 5 1 2 3'],
  ['rows head to head', 1, { ...grid('StepNRepeat', 2, 1), rowsOrientation: 'HeadToHead' }, '1* / 1'],
];

test.each(table)('%s', (_, count, profile, expected) => {
  expect(orders(planFor(count, profile))).toBe(expected);
});

test('with a stack depth of 5 the order starts again on sheet 6', () => {
  const { sheets } = planFor(100, { ...grid('CutAndStack', 2, 5), stackDepth: 5 });
  expect(sheets).toHaveLength(10);
  expect(sideText(sheets[0]?.front ?? null)).toBe('1 6 11 16 21 / 26 31 36 41 46');
  expect(sideText(sheets[1]?.front ?? null)).toBe('2 7 12 17 22 / 27 32 37 42 47');
  expect(sideText(sheets[5]?.front ?? null)).toBe('51 56 61 66 71 / 76 81 86 91 96');
});
