import { describe, expect, test } from 'vitest';
import { page, rounded } from '../testing/listen-page.ts';
import { shownOnPage } from './tiling.ts';

/** Cells of 20 by 20, turned by 45°, with a square of 2 in a corner. */
const turn = Math.SQRT1_2;
const matrix = `[${turn} ${turn} ${-turn} ${turn} 300 100]`;
const pattern = (step = 20) => ({
  dict: `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 20 20] /XStep ${step} /YStep ${step} /Matrix ${matrix} /Resources << >>`,
  data: '1 1 2 2 re f',
});
const intoPattern = `${turn} ${turn} ${-turn} ${turn} 300 100 cm`;
const font =
  '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 97 /LastChar 97 /Widths [1000] >> >>';

/** Where the squares of all cells painted by the content show. */
function shown(content: string, step?: number): (number[] | null)[] {
  const { paths } = page(
    `/Pattern cs /T scn /Pattern CS /T SCN ${content}`,
    `/Pattern << /T 9 0 R >> ${font}`,
    { 9: pattern(step) },
    '/MediaBox [0 0 600 600]',
  );
  return paths
    .filter(({ place }) => place.run.isInPattern)
    .map(({ place, painted }) => {
      const box = shownOnPage(place.run, painted);
      return box[0] <= box[2] ? rounded(box) : null;
    });
}

/** The square of a cell, counted from the origin of the pattern. */
function square(right: number, up: number): number[] {
  const [x, y] = [right * 20 + 2, up * 20 + 2];
  const [middleX, middleY] = [300 + turn * (x - y), 100 + turn * (x + y)];
  return rounded([middleX - 2 * turn, middleY - 2 * turn, middleX + 2 * turn, middleY + 2 * turn]);
}
const around = (one: number[], other: number[]): number[] =>
  one.map((edge, at) => (at < 2 ? Math.min : Math.max)(edge, other[at] as number));

describe('turned cells of a tiling pattern', () => {
  test('an area that is one cell shows it once, not with the corners of its neighbours', () => {
    expect(shown(`q ${intoPattern} 20 40 20 20 re f Q`)).toEqual([square(1, 2)]);
  });

  test('an area of two cells shows those two', () => {
    expect(shown(`q ${intoPattern} 20 40 40 20 re f Q`)).toEqual([around(square(1, 2), square(2, 2))]);
  });

  test('text that is turned like the cells', () => {
    expect(shown(`q ${intoPattern} BT /F 15 Tf 21 44 Td (a) Tj ET Q`)).toEqual([square(1, 2)]);
  });

  test('an area between the cells shows none of them, and hides no later use', () => {
    expect(shown(`q ${intoPattern} 22 41 14 18 re f Q`, 40)).toEqual([null]);
    expect(shown(`q ${intoPattern} 22 41 14 18 re f Q q ${intoPattern} 40 40 20 20 re f Q`, 40)).toEqual([
      null,
      square(2, 2),
    ]);
  });
});
