/**
 * Appearance at the edges in every page geometry: the bleed continues the page, no paper shows between them, the page
 * stays the same.
 */
import { openPdf, type Raster, renderPreview } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { quicklyFixedBy } from '../../testing/fix-files.ts';

/** Four colours that meet in the middle; the trim is not a whole number of pixels. */
const quarters =
  '1 0 0 0 k 10.3 10.3 60 50 re f 0 1 0 0 k 70.3 10.3 60 50 re f 0 0 1 0 k 10.3 60.3 60 50 re f 1 1 0 0 k 70.3 60.3 60 50 re f';
const depths = [1, 3, 6];

interface Layout {
  rotate: number;
  userUnit: number;
  origin: readonly [number, number];
}

const pageOf = ({ rotate, userUnit, origin: [x, y] }: Layout): Uint8Array =>
  buildPdf({
    pages: [
      {
        content: `1 0 0 1 ${x} ${y} cm ${quarters}`,
        mediaBox: [x, y, x + 140, y + 120],
        extra: `/Rotate ${rotate}/UserUnit ${userUnit}/CropBox[${x + 5} ${y + 5} ${x + 135} ${y + 115}]/TrimBox[${x + 10.3} ${y + 10.3} ${x + 130.3} ${y + 110.3}]`,
      },
    ],
  });

function pictureOf(path: string, box: 'media' | 'trim', dpi: number): Raster {
  const file = openPdf({ path });
  try {
    return renderPreview(file, 1, { dpi, box });
  } finally {
    file.close();
  }
}

function colourAt({ frame, width, pixels }: Raster, x: number, y: number): number[] {
  const [a, b, c, d, e, f] = frame.toPixel;
  const at = 3 * (Math.floor(b * x + d * y + f) * width + Math.floor(a * x + c * y + e));
  return [...pixels.subarray(at, at + 3)];
}

const innerOf = ({ width, height, pixels }: Raster): Buffer =>
  Buffer.concat(
    Array.from({ length: height - 4 }, (_, row) =>
      pixels.subarray(3 * ((row + 2) * width + 2), 3 * ((row + 3) * width - 2)),
    ),
  );

const isClose = (one: readonly number[], two: readonly number[]): boolean =>
  one.every((level, index) => Math.abs(level - (two[index] ?? 0)) <= 12);

test.each<Layout & { amount: string; dpi: number }>([
  { rotate: 0, userUnit: 1, origin: [0, 0], amount: '7pt', dpi: 100 },
  { rotate: 90, userUnit: 2, origin: [-70, -35], amount: '14pt', dpi: 61 },
  { rotate: 180, userUnit: 1, origin: [30, -200], amount: '7pt', dpi: 144 },
  { rotate: 270, userUnit: 3, origin: [-70, 0], amount: '21pt', dpi: 50 },
])('rotated by $rotate, UserUnit $userUnit, from $origin', async (layout) => {
  const { path, before, report } = await quicklyFixedBy(pageOf(layout), 'AddBleeds', { amount: layout.amount });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  const [x0, y0] = [layout.origin[0] + 10.3, layout.origin[1] + 10.3];
  const [x1, y1] = [x0 + 120, y0 + 100];
  const seen = pictureOf(path, 'media', layout.dpi);
  const wrong: string[] = [];
  const compare = (what: string, at: readonly [number, number], wanted: readonly [number, number]): void => {
    if (!isClose(colourAt(seen, ...at), colourAt(seen, ...wanted))) wrong.push(`${what} ${at}`);
  };
  // Across each edge every pixel has the colour of the page there, neither paper nor darker.
  for (let step = -6; step <= 6; step += 0.25) {
    for (const part of [0.2, 0.8]) {
      const [x, y] = [x0 + part * 120, y0 + part * 100];
      compare('left', [x0 + step, y], [x0 + 10, y]);
      compare('right', [x1 + step, y], [x1 - 10, y]);
      compare('bottom', [x, y0 + step], [x, y0 + 10]);
      compare('top', [x, y1 + step], [x, y1 - 10]);
    }
    // Along the corners, where two bands meet.
    for (const out of depths) {
      compare('corner', [x0 + step, y0 - out], [x0 + 10, y0 + 10]);
      compare('corner', [x1 + step, y1 + out], [x1 - 10, y1 - 10]);
      compare('corner', [x1 + out, y0 + step], [x1 - 10, y0 + 10]);
      compare('corner', [x0 - out, y1 + step], [x0 + 10, y1 - 10]);
    }
  }
  expect(wrong).toEqual([]);
  // The outermost pixels are half outside of the trim.
  const [was, is] = [before, path].map((file) => innerOf(pictureOf(file, 'trim', layout.dpi)));
  expect(was && is?.equals(was)).toBe(true);
});
