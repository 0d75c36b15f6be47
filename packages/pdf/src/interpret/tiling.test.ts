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

/** A cell of 100 by 100, larger than what is painted with it, with a square of 10 in its lower left and upper right quarter. */
describe('a cell that is used several times with the same paint', () => {
  const cell = (matrix: string) => ({
    dict: `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 100 100] /XStep 100 /YStep 100 /Matrix ${matrix} /Resources << >>`,
    data: '10 10 10 10 re f 80 80 10 10 re f',
  });
  /** The boxes of what shows, of each use after the other. */
  const uses = (content: string, matrix = '[1 0 0 1 0 0]'): number[][] =>
    page(
      `/Pattern cs /T scn ${content}`,
      '/Pattern << /T 9 0 R >>',
      { 9: cell(matrix) },
      '/MediaBox [-600 -600 600 600]',
    )
      .paths.filter(({ place }) => place.run.isInPattern)
      .map(({ place, painted }) => shownOnPage(place.run, painted))
      .filter((box) => box[0] < box[2] && box[1] < box[3])
      .map(rounded);

  test('each part that a later use shows is told', () => {
    expect(uses('0 0 50 50 re f 50 50 50 50 re f')).toEqual([
      [10, 10, 20, 20],
      [80, 80, 90, 90],
    ]);
    // In the next cell, and in a pattern that is turned by a quarter.
    expect(uses('0 0 50 50 re f 150 50 50 50 re f')).toEqual([
      [10, 10, 20, 20],
      [180, 80, 190, 90],
    ]);
    expect(uses('-50 0 50 50 re f -100 50 50 50 re f', '[0 1 -1 0 0 0]')).toEqual([
      [-20, 10, -10, 20],
      [-90, 80, -80, 90],
    ]);
  });

  test('a part that showed before is told once', () => {
    expect(uses('0 0 50 50 re f 100 100 50 50 re f 5 5 30 30 re f')).toEqual([[10, 10, 20, 20]]);
    expect(uses('0 0 100 100 re f 0 0 50 50 re f 250 250 50 50 re f')).toEqual([
      [10, 10, 20, 20],
      [80, 80, 90, 90],
    ]);
  });
});
