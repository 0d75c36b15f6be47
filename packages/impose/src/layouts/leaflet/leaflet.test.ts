import type { LayoutPage, Plan } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { mm, pageOf, plan, problem } from '../testing/plans.ts';

/* Widths of panels, places of fold marks, and what does not fit, in millimetres. */

const pages = (count: number, width = 100) => new Array<LayoutPage>(count).fill(pageOf(width, 210));
const widths = (made: Plan) => made.sheets[0]?.front.cells.map(({ width }) => Number((width / mm).toFixed(3)));
const settings = { type: 'Leaflet', rows: 1, columns: 1, sheet: 'auto' };

test.each<[string, number, Record<string, unknown>, number[]]>([
  ['half', 4, { fold: 'HalfFold' }, [100, 100]],
  ['roll', 6, { fold: 'RollFold' }, [98, 100, 100]],
  ['roll of five', 10, { fold: 'RollFold', panels: 5, shorter: '0.1in' }, [92.38, 94.92, 97.46, 100, 100]],
  ['zigzag', 6, { fold: 'ZigzagFold' }, [100, 100, 100]],
  ['closed gate', 8, { fold: 'ClosedGateFold', shorter: '1mm' }, [99, 100, 100, 99]],
])('the panels of a %s fold', (_, count, own, expected) => {
  expect(widths(plan(pages(count), { ...settings, ...own }))).toEqual(expected);
});

test('the flaps of a gate are half as wide as its middle, less what keeps them apart', () => {
  const [flap, middle] = [pageOf(48, 210), pageOf(100, 210)];
  const made = plan([flap, flap, middle, flap, flap, middle], { ...settings, fold: 'GateFold', margins: '20mm' });
  expect(widths(made)).toEqual([48, 100, 48]);
  expect(made.warnings).toEqual([]);
});

test('fold marks stand at both ends of every fold of every leaflet, at none of the cuts', () => {
  const made = plan(pages(6), { ...settings, rows: 2, columns: 2, gutterH: '10mm', margins: '20mm', marks: 'fold' });
  const shapes = made.sheets[0]?.front.marks.flatMap((mark) => mark.shapes) ?? [];
  const places = shapes.flatMap((shape) => (shape.type === 'line' ? [Number((shape.x1 / mm).toFixed(3))] : []));
  // Panels of 98, 100 and 100 mm from x = 20 and, after a gutter, from x = 328.
  expect([...new Set(places)].sort((a, b) => a - b)).toEqual([118, 218, 426, 526]);
  expect(places).toHaveLength(8);
});

test('as many leaflets as fit are placed, and the number of sheets follows', () => {
  const made = plan(pages(6), { type: 'Leaflet', sheet: '640x450mm', copies: 1000, marks: 'none' });
  expect(made.sheets[0]?.front.cells).toHaveLength(12);
  expect(made.sheets[0]?.quantity).toBe(250);
});

test('a page that is wider than its inner panel is cut, and that is told; any other width is refused', () => {
  const made = plan(pages(6), settings);
  const told = made.warnings.find(({ code }) => code === 'impose.panelShorter');
  expect([told?.params.page, Number(told?.params.distance) / mm]).toEqual([4, expect.closeTo(2, 6)]);
  // Page 5 is the outside of the flap, the leftmost panel.
  const [flap] = made.sheets[0]?.front.cells ?? [];
  expect([flap?.page, (flap?.clip.width ?? 0) / mm]).toEqual([5, expect.closeTo(98, 6)]);
  expect(problem([...pages(5), pageOf(90, 210)], settings)?.code).toBe('impose.panelUnequal');
  expect(problem(pages(6), { ...settings, fold: 'GateFold' })?.code).toBe('impose.panelUnequal');
  expect(problem(pages(16, 30), { ...settings, panels: 8, shorter: '8mm' })?.code).toBe('impose.panelTooNarrow');
  expect(problem(pages(6), { ...settings, sheet: 'A4' })?.code).toBe('impose.blockTooWide');
});
