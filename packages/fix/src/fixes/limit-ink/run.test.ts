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

test('gradients are left and reported; a profile that is not there is told', async () => {
  const shading =
    '<</ShadingType 2/ColorSpace/DeviceCMYK/Coords[0 0 200 0]/Function<</FunctionType 2/Domain[0 1]/C0[1 1 1 1]/C1[0 0 0 0]/N 1>>>>';
  const left = await quicklyFixedBy(pdf('/S sh', { 62: shading }), key);
  expect([left.report.actions[0]?.outcome, left.report.actions[0]?.warnings]).toEqual([
    'NothingToDo',
    [{ code: 'shadingLeft', params: { page: 1 } }],
  ]);
  const unknown = await quicklyFixedBy(pdf(''), key, { profile: 'nothing' });
  expect(unknown.report.actions[0]?.reason).toEqual({ code: 'profileUnknown', params: { profile: 'nothing' } });
});
