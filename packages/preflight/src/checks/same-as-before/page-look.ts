import { deflateSync, inflateSync } from 'node:zlib';
import { type PageFrame, type PagePlates, type PixelRect, pointsOf, type Rect } from '@pdf2press/pdf';
import { mm } from '@pdf2press/settings';
import { z } from 'zod';

/** How a page looks, small enough to keep: the mean ink of squares over trim and bleed. */
export const pageLookSchema = z.object({
  /** Of the trim as seen, points. */
  width: z.number().nonnegative(),
  height: z.number().nonnegative(),
  columns: z.int().min(1).max(1000),
  rows: z.int().min(1).max(1000),
  /** Cyan, magenta, yellow, black and all spot inks together, each row by row from the top, 255 = 100 %; deflated, Base64. */
  ink: z.string(),
});
export type PageLook = z.infer<typeof pageLookSchema>;

/** Where the squares of a look lie on the raster it was made from. */
export interface LookPlace {
  frame: PageFrame;
  left: number;
  top: number;
  cellWidth: number;
  cellHeight: number;
}

const planes = ['c', 'm', 'y', 'k', 'spots'] as const;
/** Side of a square: less than a letter of 8 pt, so that another letter changes more than the noise of a rendering. */
const side = mm(1.5);
/** Squares along the longer side of a page, at most; on larger pages they are larger. */
const most = 200;
/** What lies outside the trim is compared so far: a bleed that is added changes what prints. */
const around = mm(3);

/** The look of a page within its trim and 3 mm around it. */
export function lookOf(plates: PagePlates, trim: Rect): { look: PageLook; place: LookPlace } {
  const { frame } = plates;
  const point = 72 / frame.dpi;
  const grow = around / frame.userUnit;
  const area = onRaster(frame, [trim[0] - grow, trim[1] - grow, trim[2] + grow, trim[3] + grow]);
  const cell = Math.max(side / point, Math.max(area.width, area.height) / most);
  const [columns, rows] = [area.width, area.height].map((size) => Math.max(1, Math.round(size / cell))) as [
    number,
    number,
  ];
  const place = {
    frame,
    left: area.left,
    top: area.top,
    cellWidth: area.width / columns,
    cellHeight: area.height / rows,
  };
  const ink = new Uint8Array(planes.length * columns * rows);
  const sums = planes.map(() => new Float64Array(columns * rows));
  for (const { id } of plates.inks) {
    const at = (planes as readonly string[]).indexOf(id);
    addPlate(sums[at < 0 ? planes.length - 1 : at] as Float64Array, plates, id, { ...place, columns, rows });
  }
  sums.forEach((sum, plane) => {
    sum.forEach((value, index) => {
      ink[plane * columns * rows + index] = Math.min(255, Math.round(value / (place.cellWidth * place.cellHeight)));
    });
  });
  const look = {
    width: area.width * point - 2 * around,
    height: area.height * point - 2 * around,
    columns,
    rows,
    ink: deflateSync(ink).toString('base64'),
  };
  return { look, place };
}

/** A rectangle of the page in pixels, not limited to the raster. */
function onRaster({ toPixel: [a, b, c, d, e, f] }: PageFrame, [x0, y0, x1, y1]: Rect): PixelRect {
  const [xs, ys] = [
    [a * x0 + c * y0 + e, a * x1 + c * y1 + e],
    [b * x0 + d * y0 + f, b * x1 + d * y1 + f],
  ];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Adds one plate to the sums of its squares; beyond the raster there is no ink. */
function addPlate(
  sum: Float64Array,
  plates: PagePlates,
  ink: string,
  { left, top, cellWidth, cellHeight, columns, rows }: LookPlace & { columns: number; rows: number },
): void {
  const plate = plates.plate(ink);
  const columnOf = Int32Array.from({ length: plates.width }, (_, x) => Math.floor((x + 0.5 - left) / cellWidth));
  for (let y = 0; y < plates.height; y += 1) {
    const row = Math.floor((y + 0.5 - top) / cellHeight);
    if (row < 0 || row >= rows) continue;
    for (let x = 0; x < plates.width; x += 1) {
      const value = plate[y * plates.width + x] as number;
      const column = columnOf[x] as number;
      if (value === 0 || column < 0 || column >= columns) continue;
      sum[row * columns + column] = (sum[row * columns + column] as number) + value;
    }
  }
}

/** Sizes that differ less are one size with a rounding. */
const sizeTolerance = mm(0.5);

/**
 * The squares, by index, in which two looks differ by more than a share of 100 % ink; null when the pages differ in size, so
 * that they cannot be compared.
 */
export function differingSquares(one: PageLook, other: PageLook, tolerance: number): number[] | null {
  const isOneSize =
    Math.abs(one.width - other.width) <= sizeTolerance && Math.abs(one.height - other.height) <= sizeTolerance;
  if (!isOneSize || one.columns !== other.columns || one.rows !== other.rows) return null;
  const squares = one.columns * one.rows;
  const [a, b] = [one, other].map(({ ink }) =>
    inflateSync(Buffer.from(ink, 'base64'), { maxOutputLength: planes.length * squares }),
  ) as [Buffer, Buffer];
  const limit = tolerance * 255;
  const found = new Set<number>();
  for (let at = 0; at < planes.length * squares; at += 1)
    if (Math.abs((a[at] ?? 0) - (b[at] ?? 0)) > limit) found.add(at % squares);
  return [...found];
}

/** The box around squares, in default user space. */
export function boxAround(squares: readonly number[], { columns }: PageLook, place: LookPlace): Rect {
  const xs = squares.map((square) => square % columns);
  const ys = squares.map((square) => Math.floor(square / columns));
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const [upper, lower] = [Math.min(...ys), Math.max(...ys)];
  return pointsOf(place.frame, {
    left: place.left + first * place.cellWidth,
    top: place.top + upper * place.cellHeight,
    width: (last - first + 1) * place.cellWidth,
    height: (lower - upper + 1) * place.cellHeight,
  });
}
