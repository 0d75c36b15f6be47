import type { PlanSheet } from '@pdf2press/contract';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { cellsUsed } from './testing/bindery.ts';
import { pageOf, plan } from './testing/plans.ts';

/*
 * Rows of upright pages above rows of turned ones: rows hold unequal numbers of cells. The order is read off the sheet from
 * the places of the cells, as a person would who cuts it into rows.
 */

vi.setConfig({ testTimeout: 120_000 });

const sizes = fc.record({ width: fc.integer({ min: 40, max: 160 }), height: fc.integer({ min: 40, max: 160 }) });
const sheets = fc.record({ width: fc.integer({ min: 300, max: 700 }), height: fc.integer({ min: 300, max: 700 }) });

/** The pages of a side as they are read: rows from the top, each from the left. */
const readRows = ({ front }: PlanSheet): number[] =>
  [...front.cells].sort((a, b) => Math.round(b.y + b.height - a.y - a.height) || a.x - b.x).map(({ page }) => page);

const profileOf = (type: string, sheet: { width: number; height: number }) => ({
  type,
  sheet: `${sheet.width}x${sheet.height}mm`,
  gutterH: '0mm',
  gutterV: '0mm',
  margins: '0mm',
  bleed: { policy: 'None' },
  mixedRotation: true,
  marks: 'none',
});

const run = (check: (count: number, page: { width: number; height: number }, sheet: typeof page) => void) =>
  fc.assert(fc.property(fc.integer({ min: 1, max: 60 }), sizes, sheets, check), { numRuns: 100 });

test('pages in sequence follow each other over rows of unequal length', () => {
  run((count, page, sheet) => {
    const made = plan(new Array(count).fill(pageOf(page.width, page.height)), profileOf('AcrossDown', sheet));
    expect(made.sheets.flatMap(readRows).filter((one) => one > 0)).toEqual(
      Array.from({ length: count }, (_, i) => i + 1),
    );
  });
});

test('stacks cut from rows of unequal length and put on top of each other are in order', () => {
  run((count, page, sheet) => {
    const made = plan(new Array(count).fill(pageOf(page.width, page.height)), profileOf('CutAndStack', sheet));
    const read = made.sheets.map(readRows);
    const stacks = (read[0] ?? []).flatMap((_, place) => read.map((one) => one[place] ?? 0));
    expect(stacks.filter((one) => one > 0)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  });
});

test.each(['AcrossDown', 'DownAcross', 'CutAndStack'])('%s places every page of a two-sided job once', (type) => {
  run((count, page, sheet) => {
    const made = plan(new Array(count).fill(pageOf(page.width, page.height)), {
      ...profileOf(type, sheet),
      duplex: true,
    });
    expect(cellsUsed(made)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  });
});

test('12 pages of 100 × 70 mm on a sheet that holds mixed rows only lose none', () => {
  const made = plan(new Array(12).fill(pageOf(100, 70)), profileOf('AcrossDown', { width: 310, height: 320 }));
  expect(cellsUsed(made)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});
