import { isNight } from '@pdf2press/config/by-day';
import {
  createColourService,
  defaultCmykProfile,
  encodeJpeg,
  type ImageFacts,
  interpretPage,
  openPdf,
  openRenderService,
  readSamples,
} from '@pdf2press/pdf';
import { buildPdf, type ObjectSource } from '@pdf2press/pdf/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processValues } from '../../editing/blacks.ts';
import { look, quicklyFixedBy, testDir } from '../../testing/fix-files.ts';
import { createLimiter, type Inks } from './limiter.ts';

const key = 'LimitInk';
let colour: Awaited<ReturnType<typeof createColourService>>;
beforeAll(async () => {
  colour = await createColourService();
});
afterAll(() => colour.close());

const labOf = (inks: readonly number[]) =>
  colour.convert(inks, { from: defaultCmykProfile, to: 'Lab', intent: 'relative', blackPointCompensation: false });
const apart = (one: readonly number[], other: readonly number[]): number => {
  const [a, b] = [labOf(one), labOf(other)];
  return Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)));
};
const totalOf = (inks: readonly number[]): number => inks.reduce((sum, ink) => sum + ink, 0);

describe('the limiter', () => {
  const limits = { maxInk: 2.6, maxBlack: 1, blackStart: 0 };
  /** Colours of pictures above the limit, which less ink can make as well. */
  const reachable: readonly Inks[] = [
    [0.9, 0.8, 0.8, 0.2],
    [0.95, 0.7, 0.75, 0.3],
    [0.7, 0.95, 0.9, 0.15],
    [0.8, 0.9, 0.7, 0.25],
    [0.75, 0.7, 0.95, 0.3],
    [1, 0.75, 0.85, 0.1],
  ];

  test.each(reachable.map((inks) => [inks]))('%j keeps its colour with less ink', (inks) => {
    const found = createLimiter(colour, defaultCmykProfile, limits).limit(inks);
    expect(totalOf(found)).toBeLessThanOrEqual(2.6 + 1e-9);
    expect(apart(inks, found)).toBeLessThan(0.5);
    expect(found[3]).toBeGreaterThan(inks[3]);
    // The least black: less of it, with the inks that then make this colour, is above the limit.
    expect(totalOf(found)).toBeGreaterThan(2.55);
  });

  test('a colour within the limit is not touched, to the last bit', () => {
    const limiter = createLimiter(colour, defaultCmykProfile, limits);
    const inks: Inks = [0.8, 0.7, 0.6, 0.5];
    expect(limiter.limit(inks)).toBe(inks);
    expect(limiter.worst()).toBe(0);
  });

  test('what less ink cannot make becomes as dark as the limit allows, and its difference is known', () => {
    const limiter = createLimiter(colour, defaultCmykProfile, limits);
    const found = limiter.limit([1, 1, 1, 1]);
    expect(totalOf(found)).toBeLessThanOrEqual(2.6 + 1e-9);
    expect(totalOf(found)).toBeGreaterThan(2.59);
    expect(found[3]).toBe(1);
    expect(limiter.worst()).toBeCloseTo(apart([1, 1, 1, 1], found), 6);
    // Black alone, or inks scaled alike, is lighter.
    expect(labOf(found)[0]).toBeLessThan((labOf([0, 0, 0, 1])[0] ?? 0) - 5);
  });

  test('all over the range of inks colours stay: nine tenths of them by less than 1.5, all by less than 4 (CIE 1976)', () => {
    const limiter = createLimiter(colour, defaultCmykProfile, { ...limits, maxInk: 2.8 });
    const range = [0, 0.25, 0.5, 0.75, 1];
    const all = range.flatMap((c) => range.flatMap((m) => range.flatMap((y) => range.map((k): Inks => [c, m, y, k]))));
    const over = all.filter((inks) => totalOf(inks) > 2.8);
    const found = over.map((inks) => ({ inks, less: limiter.limit(inks) }));
    for (const { less } of found) {
      expect(totalOf(less)).toBeLessThanOrEqual(2.8 + 1e-9);
      expect([Math.min(...less) >= 0, Math.max(...less) <= 1]).toEqual([true, true]);
    }
    const differences = found.map(({ inks, less }) => apart(inks, less)).sort((a, b) => a - b);
    expect(differences.length).toBeGreaterThan(60);
    expect(differences[Math.floor(differences.length * 0.9)]).toBeLessThan(1.5);
    expect(differences.at(-1)).toBeLessThan(4);
  });

  test('most black, and where it starts', () => {
    const inks: Inks = [0.9, 0.8, 0.8, 0.2];
    const most = createLimiter(colour, defaultCmykProfile, { ...limits, maxBlack: 0.3 }).limit(inks);
    expect([most[3] <= 0.3, totalOf(most) <= 2.6 + 1e-9]).toEqual([true, true]);
    const start = createLimiter(colour, defaultCmykProfile, { ...limits, blackStart: 0.85 }).limit(inks);
    expect([start[3], totalOf(start) <= 2.6 + 1e-9]).toEqual([0.2, true]);
  });

  test('pixels: those within the limit stay, the others come as near as single colours', () => {
    const limiter = createLimiter(colour, defaultCmykProfile, limits);
    const levels = reachable.map((inks) => inks.map((ink) => Math.round(ink * 255)));
    const low = [200, 180, 160, 100];
    const pixels = Uint8Array.from([...levels.flat(), ...low]);
    expect(limiter.limitPixels(pixels)).toBe(levels.length);
    expect([...pixels.subarray(-4)]).toEqual(low);
    levels.forEach((before, at) => {
      const after = [...pixels.subarray(at * 4, at * 4 + 4)];
      expect(totalOf(after)).toBeLessThanOrEqual(2.6 * 255 + 2);
      const share = (values: readonly number[]) => values.map((value) => value / 255);
      expect(apart(share(before), share(after))).toBeLessThan(2.5);
    });
    const again = Uint8Array.from(pixels);
    expect(limiter.limitPixels(again)).toBe(0);
  });
});

const size = 24;
/** A picture whose left half is above the limit and whose right half is not. */
const picture = Uint8Array.from({ length: size * size * 4 }, (_, at) => {
  const isLeft = Math.floor(at / 4) % size < size / 2;
  return (isLeft ? [230, 205, 205, 50] : [120, 100, 90, 20])[at % 4] as number;
});
const image = (data: Uint8Array, extra = ''): ObjectSource => ({
  dict: `/Type/XObject/Subtype/Image/Width ${size}/Height ${size}/ColorSpace/DeviceCMYK/BitsPerComponent 8${extra}`,
  data,
});
const pdf = (content: string, objects: Record<number, ObjectSource> = {}) =>
  buildPdf({
    pages: [{ content, mediaBox: [0, 0, 200, 200], resources: '/XObject<</A 60 0 R/B 61 0 R>>/Shading<</S 62 0 R>>' }],
    objects: { 60: image(picture), 61: image(picture.map((level) => level >> 1)), ...objects },
  });

const coloursOn = (path: string) =>
  look(path, (file) => {
    const found: (readonly number[])[] = [];
    const note = ({ paints, state }: { paints: string; state: { fill: never; stroke: never } }) =>
      void found.push([...(processValues(paints === 'stroke' ? state.stroke : state.fill) ?? [])]);
    interpretPage(file, 1, [{ path: note as never, text: note as never }]);
    return found;
  });

test('shapes, lines and text above the limit change and keep their colour; others stay as written', async () => {
  const content =
    '0.9 0.8 0.8 0.2 k 10 10 50 50 re f 0.7 0.95 0.9 0.15 K 4 w 10 100 m 90 100 l S 0.2 0.3 0.4 0.5 k 100 10 50 50 re f';
  const { report, path } = await quicklyFixedBy(pdf(content), key, { maxInk: 260 });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [], gate: { isPassed: true } });
  const [shape = [], line = [], other = []] = coloursOn(path);
  for (const [before, after] of [
    [[0.9, 0.8, 0.8, 0.2], shape],
    [[0.7, 0.95, 0.9, 0.15], line],
  ] as const) {
    expect(totalOf(after)).toBeLessThanOrEqual(2.6 + 1e-6);
    expect(apart(before, after)).toBeLessThan(0.6);
  }
  expect(other.map((ink) => Math.round(ink * 1000) / 1000)).toEqual([0.2, 0.3, 0.4, 0.5]);
  expect(report.changes.map(({ what, before }) => [what, before])).toEqual([
    ['vector', 'C 90 M 80 Y 80 K 20'],
    ['vector', 'C 70 M 95 Y 90 K 15'],
  ]);
});

async function imagesOn(path: string) {
  const file = openPdf({ path });
  try {
    const found: ImageFacts[] = [];
    interpretPage(file, 1, [{ image: ({ image: one }) => void found.push(one) }]);
    const pixels: number[][] = [];
    for (const one of found) pixels.push([...((await readSamples(file, one, null))?.data ?? [])]);
    return pixels;
  } finally {
    file.close();
  }
}

test('a picture above the limit changes only where it is, another stays as it is', async () => {
  const content = 'q 90 0 0 90 10 10 cm /A Do Q q 90 0 0 90 105 10 cm /B Do Q';
  const { report, path, before } = await quicklyFixedBy(pdf(content), key, { maxInk: 260 });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(report.changes).toMatchObject([{ what: 'image', after: '260 %', params: { share: 50 } }]);
  const [was, is] = [await imagesOn(before), await imagesOn(path)];
  expect(is[1]).toEqual(was[1]);
  for (let at = 0; at < size * size; at += 1) {
    const [one, two] = [was, is].map((all) => all[0]?.slice(at * 4, at * 4 + 4) ?? []) as [number[], number[]];
    if (at % size >= size / 2) expect(two).toEqual(one);
    else expect(totalOf(two)).toBeLessThanOrEqual(2.6 * 255 + 2);
  }
});

test('a JPEG that changes becomes lossless and is below the limit for good; one that does not stays a JPEG', async () => {
  const data = await encodeJpeg(picture, { width: size, height: size, components: 4 }, 90 as never);
  const jpeg = image(data, '/Filter/DCTDecode/Decode[1 0 1 0 1 0 1 0]');
  const content = 'q 90 0 0 90 10 10 cm /A Do Q';
  const once = await quicklyFixedBy(pdf(content, { 60: jpeg }), key, { maxInk: 240 });
  const twice = await quicklyFixedBy(once.path, key, { maxInk: 240 });
  expect(twice.report.actions[0]?.outcome).toBe('NothingToDo');
});

test('the plates of the page are within the limit', async () => {
  const content = '0.9 0.8 0.8 0.2 k 10 110 80 80 re f 1 1 1 1 k 110 110 80 80 re f q 90 0 0 90 10 10 cm /A Do Q';
  const { path, report } = await quicklyFixedBy(pdf(content), key, { maxInk: 260, tolerance: 0.1 });
  expect(report.actions[0]?.warnings).toMatchObject([{ code: 'beyond', params: { tolerance: 0.1 } }]);
  const service = openRenderService({ path, workDir: testDir() });
  try {
    const totals = (await service.plates(1, { dpi: 72 })).totalInk('process');
    expect(Math.max(...totals)).toBeLessThanOrEqual(2.6 * 255 + 3);
    expect(Math.max(...totals)).toBeGreaterThan(2.5 * 255);
  } finally {
    service.close();
  }
});

/** Ink of each plate as Ghostscript separates page 1: 0–255, 72 dpi, rows of 200. */
async function platesOf(path: string): Promise<{ inks: Record<string, Uint8Array>; total: Uint16Array }> {
  const service = openRenderService({ path, workDir: testDir() });
  try {
    const plates = await service.plates(1, { dpi: 72 });
    const inks = Object.fromEntries(plates.inks.map(({ id, name }) => [name, plates.plate(id)]));
    return { inks, total: plates.totalInk('process') };
  } finally {
    service.close();
  }
}

const fade = (c0: string, c1: string) => `/Function<</FunctionType 2/Domain[0 1]/C0[${c0}]/C1[${c1}]/N 1>>`;
const tint = (inks: number, program: string): ObjectSource => ({
  dict: `/FunctionType 4/Domain[${'0 1 '.repeat(inks)}]/Range[0 1 0 1 0 1 0 1]`,
  data: Buffer.from(program),
});
const corner = (flag: number, x: number, y: number, ...inks: number[]) => [flag, x, y, ...inks];
const gold = tint(5, '{pop}');
const goldSpace = '[/DeviceN[/Cyan/Magenta/Yellow/Black/Gold]/DeviceCMYK 63 0 R]';

const gradients: readonly [name: string, shading: ObjectSource][] = [
  [
    'axial',
    `<</ShadingType 2/ColorSpace/DeviceCMYK/Coords[0 0 200 0]${fade('1 1 1 1', '0 0 0 0')}/Extend[true true]>>`,
  ],
  [
    'radial',
    `<</ShadingType 3/ColorSpace/DeviceCMYK/Coords[100 100 0 100 100 99]${fade('.9 .8 .9 .4', '.1 0 0 0')}/Extend[true true]>>`,
  ],
  ['of two inputs', '<</ShadingType 1/ColorSpace/DeviceCMYK/Domain[0 1 0 1]/Matrix[200 0 0 200 0 0]/Function 64 0 R>>'],
  [
    'a mesh of triangles',
    {
      dict: '/ShadingType 4/ColorSpace/DeviceCMYK/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8/Decode[0 200 0 200 0 1 0 1 0 1 0 1]',
      data: Uint8Array.from([
        ...corner(0, 0, 0, 255, 240, 230, 120),
        ...corner(0, 255, 0, 40, 0, 0, 0),
        ...corner(0, 0, 255, 220, 255, 200, 90),
      ]),
    },
  ],
  [
    'of named inks',
    `<</ShadingType 2/ColorSpace ${goldSpace}/Coords[0 0 200 0]${fade('1 .9 .9 .6 1', '0 0 0 0 .2')}/Extend[true true]>>`,
  ],
];
const twoInputs = tint(2, '{2 copy mul 3 1 roll 1 index}');

describe.each(gradients)('a gradient: %s', (name, shading) => {
  const objects = { 62: shading, 63: gold, 64: twoInputs };
  const asPattern = {
    ...objects,
    65: '<</PatternType 2/Shading 62 0 R>>',
  };
  const ways = [
    ['painted', '/S sh', objects],
    ['as the pattern of a shape', '/Pattern cs /P scn 0 0 200 200 re f', asPattern],
  ] as const;
  // By day the first as a pattern, too.
  test.each(ways.slice(0, isNight || name === gradients[0]?.[0] ? 2 : 1))(
    '%s is within the limit on the plates, and stays as it was below it',
    async (_how, content, all) => {
      const source = buildPdf({
        pages: [{ content, mediaBox: [0, 0, 200, 200], resources: '/Shading<</S 62 0 R>>/Pattern<</P 65 0 R>>' }],
        objects: { 65: '<<>>', ...all },
      });
      const { report, path, before } = await quicklyFixedBy(source, key, { maxInk: 220 });
      expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
      expect(report.changes).toMatchObject([{ what: 'shading', after: '220 %' }]);
      const [was, is] = [await platesOf(before), await platesOf(path)];
      expect(Math.max(...was.total)).toBeGreaterThan(2.6 * 255);
      expect(Math.max(...is.total)).toBeLessThanOrEqual(2.2 * 255 + 4);
      expect(Object.keys(is.inks)).toEqual(Object.keys(was.inks));
      // Between the samples of a function, and the corners of a mesh, colours follow what was made of these.
      const untouched: Record<string, number> = { 'of two inputs': 2, 'a mesh of triangles': 0 };
      const stays = (at: number) => (was.total[at] as number) < (untouched[name] ?? 2.15) * 255;
      for (const [ink, pixels] of Object.entries(was.inks)) {
        const changes = [...pixels].filter((level, at) => {
          const now = is.inks[ink]?.[at] ?? 0;
          return (stays(at) || ink === 'Gold') && Math.abs(level - now) > 2;
        });
        expect({ ink, changes: changes.length }).toEqual({ ink, changes: 0 });
      }
      const again = await quicklyFixedBy(path, key, { maxInk: 220 });
      expect(again.report.actions[0]?.outcome).toBe('NothingToDo');
    },
  );
});

test('the colours of a gradient are those that the limiter makes of single colours', async () => {
  const shading = `<</ShadingType 2/ColorSpace/DeviceCMYK/Coords[0 0 200 0]${fade('.95 .8 .85 .3', '.95 .8 .85 0')}>>`;
  const { path } = await quicklyFixedBy(pdf('/S sh', { 62: shading }), key, { maxInk: 260 });
  const { inks } = await platesOf(path);
  const limiter = createLimiter(colour, defaultCmykProfile, { maxInk: 2.6, maxBlack: 1, blackStart: 0 });
  for (const x of [10, 60, 120]) {
    const at = 100 * 200 + x;
    const wanted = limiter.limit([0.95, 0.8, 0.85, 0.3 * (1 - (x + 0.5) / 200)]);
    const found = ['Cyan', 'Magenta', 'Yellow', 'Black'].map((ink) => (inks[ink]?.[at] ?? 0) / 255);
    expect(apart(wanted, found)).toBeLessThan(2);
  }
});

test('a gradient within the limit stays as written, one that cannot be read is told, and so is a profile that is not there', async () => {
  const low = `<</ShadingType 2/ColorSpace/DeviceCMYK/Coords[0 0 200 0]${fade('.5 .5 .5 .5', '0 0 0 0')}>>`;
  const stays = await quicklyFixedBy(pdf('/S sh', { 62: low }), key);
  expect([stays.report.actions[0]?.outcome, stays.report.actions[0]?.warnings]).toEqual(['NothingToDo', []]);
  const broken = '<</ShadingType 2/ColorSpace/DeviceCMYK/Coords[0 0 200 0]/Function<</FunctionType 9>>>>';
  const left = await quicklyFixedBy(pdf('/S sh', { 62: broken }), key);
  expect([left.report.actions[0]?.outcome, left.report.actions[0]?.warnings]).toEqual([
    'NothingToDo',
    [{ code: 'shadingLeft', params: { page: 1 } }],
  ]);
  const unknown = await quicklyFixedBy(pdf(''), key, { profile: 'nothing' });
  expect(unknown.report.actions[0]?.reason).toEqual({ code: 'profileUnknown', params: { profile: 'nothing' } });
});

test('inks by name: process inks come within the limit, spots and missing inks stay as they are', async () => {
  const source = buildPdf({
    pages: [
      {
        content: '/Four cs 1 .9 .9 .6 .5 scn 10 10 80 80 re f /Three cs .9 1 .8 .5 scn 110 10 80 80 re f',
        mediaBox: [0, 0, 200, 200],
        resources: `/ColorSpace<</Four ${goldSpace}/Three[/DeviceN[/Magenta/Yellow/Black/Gold]/DeviceCMYK 66 0 R]>>`,
      },
    ],
    objects: { 63: gold, 66: tint(4, '{pop 0 4 1 roll}') },
  });
  const { report, path, before } = await quicklyFixedBy(source, key, { maxInk: 220 });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  const [was, is] = [await platesOf(before), await platesOf(path)];
  expect(Math.max(...is.total)).toBeLessThanOrEqual(2.2 * 255 + 3);
  expect(is.inks.Gold).toEqual(was.inks.Gold);
  const three = 150 * 200 + 150;
  expect(is.inks.Cyan?.[three]).toBe(0);
  expect(is.inks.Black?.[three]).toBe(was.inks.Black?.[three]);
  const again = await quicklyFixedBy(path, key, { maxInk: 220 });
  expect(again.report.actions[0]?.outcome).toBe('NothingToDo');
});
