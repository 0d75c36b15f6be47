import type { Cell, LayoutPage, Plan, Rect } from '@pdf2press/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outline } from '../../marks/mark.ts';
import { planOf, readImposeProfile } from '../../profile/profile.ts';
import type { DieShape, LayoutInput } from '../layout.ts';
import { dieOnSheet, pointsOf, turnedDie } from './die.ts';

const mm = 72 / 25.4;
const page: LayoutPage = {
  media: { x: 0, y: 0, width: 90 * mm, height: 90 * mm },
  trim: { x: 15 * mm, y: 15 * mm, width: 60 * mm, height: 60 * mm },
  bleed: { x: 0, y: 0, width: 90 * mm, height: 90 * mm },
  art: { x: 15 * mm, y: 25 * mm, width: 60 * mm, height: 40 * mm },
  hasBleedBox: true,
  hasTrimBox: true,
};

/** A closed polygon in millimetres as a die. */
function polygon(points: readonly (readonly [number, number])[]): DieShape {
  const [xs, ys] = [points.map(([x]) => x * mm), points.map(([, y]) => y * mm)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return {
    box: { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y },
    outline: [...points.map(([px, py], i): Outline[number] => [i === 0 ? 'M' : 'L', [px * mm, py * mm]]), ['Z', []]],
  };
}
const tee = polygon([
  [15, 55],
  [15, 75],
  [75, 75],
  [75, 55],
  [55, 55],
  [55, 15],
  [35, 15],
  [35, 55],
]);

function planFor(input: Partial<LayoutInput>, profile: Record<string, unknown>) {
  const read = readImposeProfile({ type: 'DieCut', sheet: 'SRA3', duplex: false, ...profile });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return planOf({ pages: [page, page], ...input }, read.profile);
}
function plan(input: Partial<LayoutInput>, profile: Record<string, unknown>): Plan {
  const made = planFor(input, profile);
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  return made.plan;
}
const front = (made: Plan): Cell[] => made.sheets[0]?.front.cells ?? [];

const outlineOf = (cell: Cell, die: DieShape) => pointsOf(dieOnSheet(die, cell));
const distance = (a: { x: number; y: number }[], b: { x: number; y: number }[]): number =>
  Math.min(...a.map((p) => Math.min(...b.map((q) => Math.hypot(p.x - q.x, p.y - q.y)))));

test('nesting by outline places more pieces on a sheet than a grid, none closer than the gap', () => {
  const settings = (nesting: string) => ({ die: { source: 'Artwork' }, stations: { nesting, gap: '4mm' } });
  const input = { dies: [tee, tee] };
  const [grid, nested] = [front(plan(input, settings('Grid'))), front(plan(input, settings('TrueShape')))];
  expect(nested.length).toBeGreaterThanOrEqual(grid.length * 1.4);
  for (const [i, one] of nested.slice(0, 8).entries()) {
    for (const other of nested.slice(i + 1)) {
      if (Math.hypot(one.x - other.x, one.y - other.y) > 100 * mm) continue;
      expect(distance(outlineOf(one, tee), outlineOf(other, tee)) / mm).toBeGreaterThan(3.9);
    }
  }
});

test('pieces of any shape keep the gap and stay on the sheet', () => {
  const radii = fc.array(fc.integer({ min: 8, max: 40 }), { minLength: 3, maxLength: 9 });
  fc.assert(
    fc.property(radii, fc.integer({ min: 0, max: 10 }), (list, gap) => {
      const die = polygon(
        list.map((radius, i) => {
          const angle = (i * 2 * Math.PI) / list.length;
          return [45 + radius * Math.cos(angle), 45 + radius * Math.sin(angle)];
        }),
      );
      const made = plan(
        { dies: [die, die] },
        { die: { source: 'Artwork' }, stations: { nesting: 'TrueShape', gap: `${gap}mm` }, sheet: 'A3' },
      );
      const cells = front(made).slice(0, 5);
      const points = cells.map((cell) => outlineOf(cell, die));
      for (let i = 0; i < points.length; i++) {
        for (let j = i + 1; j < points.length; j++) {
          expect(distance(points[i] ?? [], points[j] ?? []) / mm).toBeGreaterThan(gap - 0.1);
        }
      }
      const sheet = made.sheets[0] as Rect & Plan['sheets'][number];
      for (const cell of front(made)) {
        expect(cell.x > 0 && cell.y > 0).toBe(true);
        expect(cell.x + cell.width < sheet.width && cell.y + cell.height < sheet.height).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});

test('artwork is clipped to the outline plus bleed, at most half the gap, or to the cell', () => {
  const shape = (stations: object) =>
    front(plan({ dies: [tee, tee] }, { die: { source: 'Artwork' }, stations: { gap: '3mm', ...stations } }))[0]?.shape;
  expect((shape({})?.grow ?? 0) / mm).toBeCloseTo(1.5, 6);
  expect((shape({ bleedBeyondDie: '1mm' })?.grow ?? 0) / mm).toBeCloseTo(1, 6);
  expect(shape({})?.outline).toHaveLength(9);
  expect(shape({ clipTo: 'Cell' })).toBeUndefined();
  expect(front(plan({}, {}))[0]?.shape).toBeUndefined();
});

test('the outline on the back is mirrored as the sheet is turned', () => {
  const made = plan({ dies: [tee, tee] }, { die: { source: 'Artwork' }, duplex: true, rotation: 90 });
  const [sheet] = made.sheets;
  for (const cell of sheet?.front.cells ?? []) {
    const back = sheet?.back?.cells.find(({ station }) => station === cell.station);
    const mirrored = pointsOf(cell.shape?.outline ?? []).map(({ x, y }) => ({ x: (sheet?.width ?? 0) - x, y }));
    expect(distance(mirrored, pointsOf(back?.shape?.outline ?? []))).toBeLessThan(0.01);
  }
});

test.each([
  ['DieCentre', 45, 45],
  ['TrimCentre', 45, 45],
  ['ArtBox', 45, 45],
])('%s is centred on its station', (placeBy) => {
  const off = { ...tee, box: { ...tee.box, x: tee.box.x + 5 * mm } };
  const [cell] = front(plan({ dies: [off, off] }, { die: { source: 'Artwork', placeBy }, rotation: 0 }));
  const held = { DieCentre: off.box, TrimCentre: page.trim, ArtBox: page.art as Rect }[placeBy] as Rect;
  const middle = (rect: Rect) => [rect.x + rect.width / 2, rect.y + rect.height / 2] as const;
  const [tx, ty] = middle(page.trim);
  const [hx, hy] = middle(held);
  expect(cell?.shift.x).toBeCloseTo(tx - hx, 6);
  expect(cell?.shift.y).toBeCloseTo(ty - hy, 6);
});

test('the outlines of a die sheet are its stations, with their rotation', () => {
  const at = (x: number, y: number, rotation: 0 | 90 | 180 | 270): DieShape => {
    const turned = turnedDie(tee, rotation);
    return {
      box: { ...turned.box, x: x * mm, y: y * mm },
      outline: dieOnSheet(turned, { ...turned.box, x: x * mm, y: y * mm, rotation: 0 }),
    };
  };
  const dies = [at(20, 200, 0), at(120, 200, 180), at(20, 100, 90)];
  const dieSheet = { width: 320 * mm, height: 450 * mm, dies };
  const settings = { die: { source: 'File' }, stations: { source: 'DieSheet' } };
  const made = plan({ dies: [tee, tee], dieSheet }, settings);
  expect(front(made).map(({ x, y, rotation, station }) => [x / mm, y / mm, rotation, station])).toEqual([
    [expect.closeTo(20, 6), expect.closeTo(200, 6), 0, 1],
    [expect.closeTo(120, 6), expect.closeTo(200, 6), 180, 2],
    [expect.closeTo(20, 6), expect.closeTo(100, 6), 90, 3],
  ]);
  const odd = planFor(
    {
      dies: [tee, tee],
      dieSheet: {
        ...dieSheet,
        dies: [
          polygon([
            [0, 0],
            [60, 0],
            [30, 50],
          ]),
        ],
      },
    },
    settings,
  );
  expect(odd).toMatchObject({ ok: false, problems: [{ code: 'impose.dieStationOdd', params: { station: 1 } }] });
});

test('artwork with a die other than that of the die file is refused', () => {
  const wrong = polygon([
    [15, 15],
    [75, 15],
    [75, 75],
    [15, 75],
  ]);
  const made = planFor({ dies: [tee, tee], artworkDies: [wrong, null] }, { die: { source: 'File' } });
  expect(made).toMatchObject({ ok: false, problems: [{ code: 'impose.dieMismatch', params: { page: 1 } }] });
});

test('stations that reach into the next row are not moved by row', () => {
  const settings = { rows: 2, columns: 2, stations: { nesting: 'BrickHalfDrop', gap: '0mm' } };
  const [made, moved] = [false, true].map((rowByRow) =>
    front(plan({}, { ...settings, alignment: { point: 'TopRight', rowByRow } })),
  );
  expect(moved).toEqual(made);
});

test('a back whose trim is not that of its front is refused', () => {
  const larger: LayoutPage = { ...page, trim: { ...page.trim, height: page.trim.height + 2 * mm } };
  const made = planFor({ pages: [page, larger] }, { duplex: true });
  expect(made.ok ? [] : made.problems.map(({ code, params }) => [code, params.page])).toEqual([
    ['impose.dieMismatch', 2],
  ]);
  expect(planFor({ pages: [page, page] }, { duplex: true }).ok).toBe(true);
});
