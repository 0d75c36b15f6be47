import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rect } from '../interpret/types.ts';
import { clippedFrame, fittingDpi, maxPixels, type PagePlace, pageFrame, pixelsOf, pointsOf } from './page-frame.ts';

const place = (box: Rect, rotate: PagePlace['rotate'] = 0, userUnit = 1): PagePlace => ({
  number: 1,
  effective: { media: box, crop: box, bleed: box, trim: box, art: box },
  rotate,
  userUnit,
});

const places = fc
  .record({
    x: fc.double({ min: -500, max: 500, noNaN: true }),
    y: fc.double({ min: -500, max: 500, noNaN: true }),
    width: fc.double({ min: 20, max: 900, noNaN: true }),
    height: fc.double({ min: 20, max: 900, noNaN: true }),
    rotate: fc.constantFrom(0, 90, 180, 270),
    userUnit: fc.constantFrom(1, 0.5, 2.5),
  })
  .map(({ x, y, width, height, rotate, userUnit }) =>
    place([x, y, x + width, y + height], rotate as PagePlace['rotate'], userUnit),
  );

test('pixels and points map to each other for any box, rotation and UserUnit', () => {
  fc.assert(
    fc.property(places, fc.constantFrom(36, 72, 96.5, 150), fc.nat(), fc.nat(), (page, dpi, a, b) => {
      const frame = pageFrame(page, { dpi });
      const pixel = { left: a % frame.width, top: b % frame.height, width: 1, height: 1 };
      expect(pixelsOf(frame, pointsOf(frame, pixel))).toEqual(pixel);
    }),
  );
});

test('/Rotate turns clockwise: at 90 the lower left corner is shown at the upper left', () => {
  const box: Rect = [10, 20, 110, 220];
  const corner: Rect = [10, 20, 11, 21];
  const shown = ([0, 90, 180, 270] as const).map((rotate) => {
    const frame = pageFrame(place(box, rotate), { dpi: 72 });
    const { left, top } = pixelsOf(frame, corner);
    return [frame.width, frame.height, left, top];
  });
  expect(shown).toEqual([
    [100, 200, 0, 199],
    [200, 100, 0, 0],
    [100, 200, 99, 0],
    [200, 100, 199, 99],
  ]);
});

test('UserUnit scales the size on paper', () => {
  expect(pageFrame(place([0, 0, 100, 50], 0, 2), { dpi: 72 })).toMatchObject({ width: 200, height: 100 });
});

test('a clip covers all pixels that it touches and keeps its position on the page', () => {
  fc.assert(
    fc.property(places, fc.double({ min: 0, max: 0.9, noNaN: true }), (page, at) => {
      const frame = pageFrame(page, { dpi: 72 });
      const [x0, y0, x1, y1] = frame.box;
      const wanted: Rect = [x0 + (x1 - x0) * at, y0, x1, y1 - (y1 - y0) * at * 0.5];
      const clip = clippedFrame(frame, wanted);
      const inside = pixelsOf(clip.frame, wanted);
      expect(inside).toMatchObject({ width: clip.frame.width, height: clip.frame.height });
      const [a, b] = [pointsOf(frame, clip.at), clip.frame.box];
      a.forEach((value, index) => {
        expect(value).toBeCloseTo(b[index] ?? Number.NaN, 6);
      });
    }),
  );
});

test('the number of pixels is limited, and fittingDpi stays within the limit', () => {
  const poster = place([0, 0, 14_400, 14_400]);
  expect(() => pageFrame(poster, { dpi: 300 })).toThrow('PDF_LIMIT_PIXELS');
  fc.assert(
    fc.property(places, (page) => {
      const dpi = fittingDpi(page, { dpi: 100_000 });
      const { width, height } = pageFrame(page, { dpi });
      expect(width * height).toBeLessThanOrEqual(maxPixels);
    }),
  );
  expect(fittingDpi(place([0, 0, 100, 100]), { dpi: 150 })).toBe(150);
});
