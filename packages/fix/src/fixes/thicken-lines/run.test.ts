import { interpretPage, type PathEvent } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'ThickenLines';
const page = (content: string, extra = '') => buildPdf({ pages: [{ content, mediaBox: [0, 0, 200, 200], extra }] });
/** Widths of all strokes as shown on the page. */
const widths = (path: string): number[] =>
  look(path, (file) => {
    const found: number[] = [];
    interpretPage(file, 1, [
      { path: (event) => void (event.paints === 'fill' || found.push(Math.round(event.lineWidth * 1000) / 1000)) },
    ]);
    return found;
  });

test('lines below the limit are widened at any scale; others stay', async () => {
  const pdf = page(
    '0 0 0 1 K 0.1 w 10 10 m 90 10 l S 1 w 10 20 m 90 20 l S q 0.1 0 0 0.1 0 0 cm 1 w 100 500 m 900 500 l S Q 0 w 10 60 m 90 60 l S',
  );
  const { report, path } = await quicklyFixedBy(pdf, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', objects: 3, gate: { isPassed: true } });
  expect(widths(path)).toEqual([0.25, 1, 0.25, 0.25]);
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('thin shapes are widened by an outline of their own colour, or stay', async () => {
  const pdf = page('0 0 0 1 k 10 10 100 0.1 re f');
  const { path } = await quicklyFixedBy(pdf, key);
  expect(widths(path)).toEqual([0.15]);
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
  expect((await quicklyFixedBy(pdf, key, { includeFills: false })).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('lines of several inks and white lines have their own limits; UserUnit is taken into account', async () => {
  const delicate = page('1 1 0 0 K 0.4 w 10 10 m 90 10 l S 0 0 0 0 K 10 20 m 90 20 l S 0 0 0 1 K 10 30 m 90 30 l S');
  const { path } = await quicklyFixedBy(delicate, key, { multiInkBelow: 0.5, multiInkTo: 0.5 });
  expect(widths(path)).toEqual([0.5, 0.5, 0.4]);
  const large = await quicklyFixedBy(page('0.2 w 10 10 m 90 10 l S', '/UserUnit 2'), key);
  expect(large.report.actions[0]?.outcome).toBe('NothingToDo');
});

test('a thin white shape stays white, also where its colour continues in the space of an earlier operator', async () => {
  for (const colour of ['1 1 1 rg 1 1 1 sc', '0 g 1 sc', '0 0 0 0 k 0 0 0 0 scn', '/DeviceRGB cs 1 1 1 sc']) {
    const { path } = await quicklyFixedBy(page(`0 0 1 rg 0 0 200 200 re f ${colour} 10 10 100 0.1 re f`), key);
    const strokes = look(path, (file) => {
      const found: string[] = [];
      const see = ({ paints, state: { stroke } }: PathEvent): void => {
        if (paints === 'both') found.push(`${stroke.space.family} ${stroke.values.join(' ')}`);
      };
      interpretPage(file, 1, [{ path: see }]);
      return found;
    });
    expect(strokes).toHaveLength(1);
    expect(['DeviceRGB 1 1 1', 'DeviceGray 1', 'DeviceCMYK 0 0 0 0']).toContain(strokes[0]);
    expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
  }
});
