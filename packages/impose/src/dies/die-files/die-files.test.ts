import { expect, test } from 'vitest';
import { pointsOf } from '../../layouts/die-cut/die.ts';
import { readDieText } from './die-files.ts';

const mm = 72 / 25.4;
const read = (text: string, names: readonly string[] = ['*cut*']) => readDieText(text, names);
const dxf = (entities: string, units = 4) =>
  `0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n${units}\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n${entities}0\nENDSEC\n0\nEOF\n`;
const entity = (type: string, ...codes: [number, string | number][]) =>
  `0\n${type}\n${codes.map(([code, value]) => `${code}\n${value}\n`).join('')}`;
const closed = (outline: readonly [string, number[]][] = []) => outline.filter(([letter]) => letter === 'Z').length;

test('separate lines of a DXF become one closed path, in millimetres or inches', () => {
  const lines = [
    entity('LINE', [8, 'CUT'], [10, 10], [20, 10], [11, 70], [21, 10]),
    entity('LINE', [8, 'CUT'], [10, 10], [20, 50], [11, 10], [21, 10]),
    entity('LINE', [8, 'CUT'], [10, 70], [20, 50], [11, 70], [21, 10]),
    entity('LINE', [8, 'CUT'], [10, 70], [20, 50], [11, 10], [21, 50]),
    entity('LINE', [8, 'CREASE'], [10, 0], [20, 0], [11, 500], [21, 0]),
  ].join('');
  const die = read(dxf(lines));
  expect([die?.width, die?.height].map((value) => (value ?? 0) / mm)).toEqual([expect.closeTo(60), expect.closeTo(40)]);
  expect(closed(die?.outline)).toBe(1);
  expect(die?.outline).toHaveLength(6);
  expect((read(dxf(lines, 1))?.width ?? 0) / 72).toBeCloseTo(60, 6);
});

test.each([
  ['a circle', entity('CIRCLE', [8, 'cut'], [10, 5], [20, 5], [40, 25]), 50, 50],
  ['an ellipse', entity('ELLIPSE', [8, 'cut'], [10, 0], [20, 0], [11, 40], [21, 0], [40, 0.5]), 80, 40],
  [
    'a polyline whose ends are half circles',
    entity(
      'LWPOLYLINE',
      [8, 'cut'],
      [90, 4],
      [70, 1],
      [10, 0],
      [20, 0],
      [10, 60],
      [20, 0],
      [42, 1],
      [10, 60],
      [20, 20],
      [10, 0],
      [20, 20],
      [42, 1],
    ),
    80,
    20,
  ],
  [
    'a polyline of the old kind',
    `${entity('POLYLINE', [8, 'cut'], [66, 1], [70, 1], [10, 0], [20, 0])}${[
      [0, 0],
      [30, 0],
      [30, 20],
    ]
      .map(([x = 0, y = 0]) => entity('VERTEX', [8, 'cut'], [10, x], [20, y]))
      .join('')}${entity('SEQEND')}`,
    30,
    20,
  ],
  [
    'a spline along a straight line and an arc',
    entity(
      'SPLINE',
      [8, 'cut'],
      [71, 3],
      [40, 0],
      [40, 0],
      [40, 0],
      [40, 0],
      [40, 1],
      [40, 1],
      [40, 1],
      [40, 1],
      [10, 0],
      [20, 0],
      [10, 0],
      [20, 10],
      [10, 20],
      [20, 10],
      [10, 20],
      [20, 0],
    ),
    20,
    7.5,
  ],
])('a DXF with %s', (_name, entities, width, height) => {
  const points = pointsOf(read(dxf(entities))?.outline ?? []);
  const span = (values: number[]) => (Math.max(...values) - Math.min(...values)) / mm;
  expect(span(points.map(({ x }) => x))).toBeCloseTo(width, 1);
  expect(span(points.map(({ y }) => y))).toBeCloseTo(height, 1);
});

const cff2 = (body: string) => `$BOF\nV2\nORDER\nEND\nMAIN,BOX\nUM\nLL,0,0\nUR,80,40\nSCALE,1,1\n${body}END\n$EOF\n`;

test('a CFF2 die gives cut lines and arcs of placed and rotated subroutines, without creases', () => {
  const half = [
    'L,2,1,0,0,0,60,0,0,0',
    'A,2,1,0,60,0,60,20,60,10,1,0,0',
    'L,2,1,0,60,20,0,20,0,0',
    'L,2,1,0,0,20,0,0,0,0',
    'L,2,2,0,30,0,30,20,0,0',
  ].join('\n');
  const flat = read(cff2(`${half}\n`));
  expect([(flat?.width ?? 0) / mm, (flat?.height ?? 0) / mm]).toEqual([expect.closeTo(70, 2), expect.closeTo(20, 2)]);
  expect(closed(flat?.outline)).toBe(1);
  const called = read(`${cff2('C,FLAP,100,50,90,1,1\n').replace('$EOF\n', '')}SUB,FLAP\n${half}\nEND\n$EOF\n`);
  expect([(called?.width ?? 0) / mm, (called?.height ?? 0) / mm]).toEqual([
    expect.closeTo(20, 2),
    expect.closeTo(70, 2),
  ]);
});

/** A tray of two panels in inches: the outline with a rounded corner is rule 0, the crease across it is rule 1. */
const ddes = (scale: number, width: string) => {
  const n = (...values: number[]) => values.map((value) => (value * scale).toFixed(4)).join(' ');
  return `\\ TRAY\n* a remark\nSUB 1
LINE ${n(0, 0, 4, 0)} 0 ${width} 2 ${n(0.25)}
LINE ${n(4, 0, 4, 1)} 0 ${width} 0 0.0
ARC ${n(4, 1, 3, 2, 3, 1, 1)} 0 ${width} 0 0.0
LINE ${n(3, 2, 0, 2)} 0 ${width} 0 0.0
ARC ${n(0, 2, 0, 0, 0, 1, 1)} 0 ${width} 0 0.0
LINE ${n(2, 0, 2, 2)} 1 ${width} 0 0.0
`;
};

test.each([
  ['inches', ddes(1, '0.0280')],
  ['millimetres', ddes(25.4, '0.7100')],
])('a DDES2 die in %s gives lines and arcs of the cutting rule, in the direction of their radius', (_unit, text) => {
  const die = read(text);
  const xs = pointsOf(die?.outline ?? []).map(({ x }) => x);
  // The half circle on the left bulges outwards.
  expect((Math.max(...xs) - Math.min(...xs)) / 72).toBeCloseTo(5, 2);
  expect((die?.height ?? 0) / 72).toBeCloseTo(2, 4);
  expect(closed(die?.outline)).toBe(1);
  expect(die?.outline.filter(([letter]) => letter === 'M')).toHaveLength(1);
});

test('a DDES2 die gives the rules named by number, and clockwise arcs', () => {
  const crease = read(ddes(1, '0.028'), ['1']);
  expect(crease?.outline).toEqual([
    ['M', [0, 0]],
    ['L', [0, 144]],
  ]);
  const inwards = read(
    ddes(1, '0.028').replace(
      '0.0000 1.0000 1.0000 0 0.028 0 0.0\nLINE 2',
      '0.0000 1.0000 -1.0000 0 0.028 0 0.0\nLINE 2',
    ),
  );
  expect((inwards?.width ?? 0) / 72).toBeCloseTo(4, 2);
});

test('a PDF is not read as text, and a drawing without lines has an empty outline', () => {
  expect(read('%PDF-1.7\n')).toBeNull();
  expect(read('something else')).toBeNull();
  expect(read(dxf(''))?.outline).toEqual([]);
});
