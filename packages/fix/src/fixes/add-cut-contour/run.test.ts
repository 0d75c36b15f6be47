import { interpretPage, isDict, isName, type Layers, type PathEvent, type Rect } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { documentFacts } from '../../gate/facts.ts';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'AddCutContour';
const ink = (name: string) =>
  `/${name}[/Separation/${name}/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 .2 .8 .1]/N 1>>]`;
const pdf = (
  content: string,
  { extra = '/TrimBox[20 20 220 320]', ...rest }: { extra?: string; [key: string]: unknown } = {},
) =>
  buildPdf({
    pages: [{ content, mediaBox: [0, 0, 240, 340], extra, resources: `/ColorSpace<<${ink('Gold')}${ink('Crease')}>>` }],
    ...rest,
  });

interface Line {
  box: Rect;
  points: (readonly [number, number])[];
  hasCurves: boolean;
  width: number;
  ink: string;
  overprints: boolean;
  layers: Layers['names'];
}

function lineOf({ bbox, state, layers, lineWidth, segments }: PathEvent): Line {
  const parts = segments();
  return {
    box: bbox,
    points: parts.flatMap((part) => (part[0] === 'M' || part[0] === 'L' ? [[part[1], part[2]] as const] : [])),
    hasCurves: parts.some(([letter]) => letter === 'C'),
    width: lineWidth,
    ink: state.stroke.space.family === 'Separation' ? (state.stroke.space.names[0] ?? '') : '',
    overprints: state.strokeOverprint,
    layers: layers.names,
  };
}

/** The lines in spot colours on the first page. */
const linesOn = (path: string): Line[] =>
  look(path, (file) => {
    const lines: Line[] = [];
    const note = (event: PathEvent) => void (event.paints === 'stroke' && lines.push(lineOf(event)));
    interpretPage(file, 1, [{ path: note }]);
    return lines;
  });

const cut = async (content: string, settings: object, options = {}) => {
  const { report, path, before } = await quicklyFixedBy(pdf(content, options), key, settings);
  return { action: report.actions[0], changes: report.changes, lines: linesOn(path), path, before };
};

/** Points between the corners of a line, too, so that no piece is left out. */
const along = ({ points }: Line) =>
  points.flatMap(([x, y], at) => {
    const [nextX, nextY] = points[(at + 1) % points.length] ?? [x, y];
    return [0, 0.25, 0.5, 0.75].map((part) => [x + (nextX - x) * part, y + (nextY - y) * part] as const);
  });
/** Distance of a point from a rectangle; below 0 inside. */
function fromRect([x0, y0, x1, y1]: Rect, [x, y]: readonly [number, number]): number {
  const [dx, dy] = [Math.max(x0 - x, x - x1), Math.max(y0 - y, y - y1)];
  return dx > 0 && dy > 0 ? Math.hypot(dx, dy) : Math.max(dx, dy);
}

const square = '0 1 0 0 k 60 100 80 60 re f';
const box: Rect = [60, 100, 140, 160];
/** The tolerance of 0.1 mm, and half a pixel of 300 dpi. */
const allowed = 0.283 + 0.12;

test('the trim: one overprinting line of the spot colour, on a layer that is the step of cutting', async () => {
  const { action, lines, path, changes } = await cut(square, {});
  expect(action).toMatchObject({ outcome: 'Applied', gate: { isPassed: true }, warnings: [] });
  expect(changes).toMatchObject([{ what: 'contour', after: 'CutContour', box: [20, 20, 220, 320] }]);
  expect(lines).toEqual([
    {
      box: [20, 20, 220, 320],
      points: [
        [20, 20],
        [220, 20],
        [220, 320],
        [20, 320],
        [20, 20],
      ],
      hasCurves: false,
      width: 0.25,
      ink: 'CutContour',
      overprints: true,
      layers: ['CutContour'],
    },
  ]);
  const step = look(path, (file) => {
    const properties = file.entry(file.catalog, 'OCProperties');
    const [group] = (isDict(properties) && (file.entry(properties, 'OCGs') as [never])) || [];
    const metadata = file.entry(file.resolve(group) as never, 'GTS_Metadata') as never;
    return [file.entry(metadata, 'GTS_ProcStepsGroup'), file.entry(metadata, 'GTS_ProcStepsType'), file.version];
  });
  expect([isName(step[0] as never, 'Structural'), isName(step[1] as never, 'Cutting')]).toEqual([true, true]);
  expect(Number(step[2])).toBeGreaterThanOrEqual(1.5);
});

test('corners of the trim are quarters of circles', async () => {
  const { lines, action } = await cut(square, {
    cornerRadius: '30pt',
    weight: '1pt',
    spotName: 'Thru-cut',
    layer: false,
  });
  expect(action?.gate?.isPassed).toBe(true);
  expect(lines).toMatchObject([{ box: [20, 20, 220, 320], hasCurves: true, width: 1, ink: 'Thru-cut', layers: [] }]);
  // The middle of the lower left corner.
  const [x = 0, y = 0] = [50 - 30 * Math.SQRT1_2, 50 - 30 * Math.SQRT1_2];
  const [, ...numbers] =
    /([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) 50 20 c\nh/.exec(
      contentOf((await cut(square, { cornerRadius: '30pt' })).path),
    ) ?? [];
  const [ax = 0, ay = 0, bx = 0, by = 0] = numbers.map(Number);
  const middle = [(20 + 3 * ax + 3 * bx + 50) / 8, (50 + 3 * ay + 3 * by + 20) / 8];
  expect(Math.hypot((middle[0] ?? 0) - x, (middle[1] ?? 0) - y)).toBeLessThan(0.02);
});

test.each([0, 5, 20])('the ink: each place of the line is %i pt from it, with round corners', async (distance) => {
  const { action, lines } = await cut(square, { from: 'Ink', distance: `${distance}pt` });
  expect([action?.outcome, action?.gate?.isPassed, lines.length]).toEqual(['Applied', true, 1]);
  const off = along(lines[0] as Line).map((point) => Math.abs(fromRect(box, point) - distance));
  expect(Math.max(...off)).toBeLessThan(allowed);
  // Few nodes: straight sides are two points each.
  expect((lines[0] as Line).points.length).toBeLessThan(60);
});

test('below 0 the line lies inside', async () => {
  const { lines } = await cut(square, { from: 'Ink', distance: '-6pt' });
  const inner: Rect = [66, 106, 134, 154];
  expect(Math.max(...along(lines[0] as Line).map((point) => Math.abs(fromRect(inner, point))))).toBeLessThan(allowed);
});

const circle = (x: number, y: number, r: number) => {
  const k = 0.5523 * r;
  return `${x + r} ${y} m ${x + r} ${y + k} ${x + k} ${y + r} ${x} ${y + r} c ${x - k} ${y + r} ${x - r} ${y + k} ${x - r} ${y} c ${x - r} ${y - k} ${x - k} ${y - r} ${x} ${y - r} c ${x + k} ${y - r} ${x + r} ${y - k} ${x + r} ${y} c h`;
};

test('a ring in a spot colour: a circle around it, and its hole where asked', async () => {
  const ring = `/Gold cs 1 scn ${circle(120, 170, 60)} ${circle(120, 170, 30)} f*`;
  const radii = async (holes: boolean) =>
    (await cut(ring, { from: 'Ink', distance: '4pt', holes })).lines.map((line) => {
      const lengths = along(line).map(([x, y]) => Math.hypot(x - 120, y - 170));
      return [Math.min(...lengths), Math.max(...lengths)];
    });
  const [outer = [], ...rest] = await radii(false);
  expect(rest).toEqual([]);
  expect(Math.max(...outer.map((radius) => Math.abs(radius - 64)))).toBeLessThan(allowed);
  const both = (await radii(true)).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  expect(both).toHaveLength(2);
  expect(Math.max(...(both[0] ?? []).map((radius) => Math.abs(radius - 26)))).toBeLessThan(allowed);
});

test('separate shapes have a line each, those that would meet share one, specks have none', async () => {
  const shapes = '1 0 0 0 k 40 60 30 30 re f 150 60 30 30 re f 150 98 30 30 re f 100 250 3 3 re f';
  const { lines } = await cut(shapes, { from: 'Ink', distance: '6pt' });
  const boxes = lines
    .map(({ box: [x0, y0, x1, y1] }) => [x0, y0, x1, y1].map(Math.round))
    .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  expect(boxes).toEqual([
    [34, 54, 76, 96],
    [144, 54, 186, 134],
  ]);
});

test('white, faint ink and technical inks are no ink', async () => {
  const content = '0 0 0 0 k 30 30 50 50 re f 0 0 0 .01 k 100 30 50 50 re f /Crease cs 1 scn 30 200 50 50 re f';
  const { action, changes } = await cut(content, { from: 'Ink' });
  expect([action?.outcome, changes, action?.warnings]).toEqual([
    'NothingToDo',
    [],
    [{ code: 'nothing', params: { page: 1 } }],
  ]);
});

test('on a turned page with a user unit lengths and places are true', async () => {
  const { lines } = await cut(
    square,
    { from: 'Ink', distance: '10pt', weight: '1pt' },
    { extra: '/UserUnit 2/Rotate 90' },
  );
  const off = along(lines[0] as Line).map((point) => Math.abs(fromRect(box, point) - 5));
  expect(Math.max(...off)).toBeLessThan(allowed);
  // In units of 2 pt.
  expect(lines[0]?.width).toBeCloseTo(0.5, 3);
});

test('what the page has in this colour stays; a second run does nothing', async () => {
  const once = await cut(square, { from: 'Ink' });
  const twice = await quicklyFixedBy(once.path, key, { from: 'Ink' });
  expect([twice.report.actions[0]?.outcome, twice.report.actions[0]?.warnings]).toEqual(['NothingToDo', []]);
  const other = await quicklyFixedBy(once.path, key, {});
  expect(other.report.actions[0]?.warnings).toEqual([{ code: 'present', params: { page: 1, name: 'CutContour' } }]);
  const second = await quicklyFixedBy(once.path, key, { spotName: 'Kiss-cut' });
  expect(look(second.path, documentFacts).layers).toBe('["CutContour","Kiss-cut"]');
});

test('a layer of the file is used, others stay; PDF/X-1a gets none; a line outside the page is told', async () => {
  const layered = {
    objects: {
      60: '<</Type/OCG/Name(Print)>>',
      61: '<</Type/OCG/Name(CutContour)/GTS_Metadata<</GTS_ProcStepsGroup/Structural/GTS_ProcStepsType/Cutting>>>>',
    },
    catalog: '/OCProperties<</OCGs[60 0 R 61 0 R]/D<</Order[60 0 R 61 0 R]>>>>',
  };
  const known = await cut(square, {}, layered);
  expect([look(known.path, documentFacts).layers, known.lines[0]?.layers]).toEqual([
    '["Print","CutContour"]',
    ['CutContour'],
  ]);
  const x1a = await cut(square, {}, { trailer: '/Info<</GTS_PDFXVersion(PDF/X-1a:2003)>>' });
  expect([x1a.action?.warnings, x1a.lines[0]?.layers]).toEqual([[{ code: 'noLayer', params: {} }], []]);
  const outside = await cut(square, { from: 'Ink', distance: '80pt' });
  expect(outside.action?.warnings).toEqual([{ code: 'outside', params: { page: 1 } }]);
});
