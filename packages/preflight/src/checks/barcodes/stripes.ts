/**
 * Finds areas of parallel stripes in any direction, which the bars of a linear code are. A reader finds them only where
 * they stand upright or lie, or are tall enough to be crossed aslant.
 */
import type { PixelRect } from '@pdf2press/pdf';
import { brightnessAt, cutOut, type Light } from './reflectance.ts';

export interface Stripes {
  /** Centre, in pixels. */
  readonly x: number;
  readonly y: number;
  /** Direction across the stripes, radians. */
  readonly angle: number;
  /** Across and along the stripes, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** A square of the raster with edges in one direction. */
export interface Block {
  column: number;
  row: number;
  angle: number;
}

/** Pixels along each side of a block; more than two modules of the usual codes, so that each has edges. */
export const side = 16;
/** From this on nearly all edges of a block run in one direction. */
const coherent = 0.75;
/** Least sum of squared slopes per pixel: three edges of 20 % of the light in a block. */
const leastSlope = 100;
/** Blocks belong together when their directions differ by less than 10°. */
const sameDirection = Math.PI / 18;
/** At 400 dpi 5 mm; the smallest EAN-8 symbol is 18 mm wide, a short Code 128 at 0.17 mm 10 mm. */
const leastAcross = 5 * side;
const mostAreas = 40;
/** A code of 100 × 80 mm at 400 dpi; larger stripes are patterns. */
const mostPixels = 2_000_000;

/** The areas of stripes, largest first. */
export function stripesOf(light: Light): Stripes[] {
  const blocks = new Map<number, Block>();
  const columns = Math.floor(light.width / side);
  const rows = Math.floor(light.height / side);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const angle = directionOf(light, column * side, row * side);
      if (angle !== null) blocks.set(row * columns + column, { column, row, angle });
    }
  return groupsOf(blocks, columns)
    .filter((group) => group.length >= 4)
    .map(areaOf)
    .filter(({ width, height }) => width >= leastAcross && width * height <= mostPixels)
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, mostAreas);
}

/**
 * Calls back with the slope at each pixel of a part of a raster, across and down, without the raster's own edge: over three
 * pixels (Sobel), because the edges of bars that stand aslant are steps.
 */
export function eachSlope(
  { pixels, width, height }: Light,
  part: PixelRect,
  see: (dx: number, dy: number) => void,
): void {
  const bottom = Math.min(part.top + part.height, height - 1);
  const right = Math.min(part.left + part.width, width - 1);
  const left = Math.max(part.left, 1);
  for (let y = Math.max(part.top, 1); y < bottom; y += 1)
    for (let at = y * width + left, end = y * width + right; at < end; at += 1) {
      const [a, b, c] = [pixels[at - width - 1], pixels[at - width], pixels[at - width + 1]] as [
        number,
        number,
        number,
      ];
      const [d, f] = [pixels[at - 1], pixels[at + 1]] as [number, number];
      const [g, h, i] = [pixels[at + width - 1], pixels[at + width], pixels[at + width + 1]] as [
        number,
        number,
        number,
      ];
      see((c + 2 * f + i - a - 2 * d - g) / 4, (g + 2 * h + i - a - 2 * b - c) / 4);
    }
}

/** Direction in which a block changes; null when it changes in none or in several (structure tensor). */
export function directionOf(light: Light, left: number, top: number): number | null {
  const { pixels, width } = light;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  // As `eachSlope`, without a call for each of the million pixels of a page.
  const bottom = Math.min(top + side, light.height - 1);
  const right = Math.min(left + side, width - 1);
  const first = Math.max(left, 1);
  for (let y = Math.max(top, 1); y < bottom; y += 1) {
    const end = y * width + right;
    for (let at = y * width + first; at < end; at += 1) {
      const above = at - width;
      const below = at + width;
      const rising = (pixels[below + 1] as number) - (pixels[above - 1] as number);
      const falling = (pixels[above + 1] as number) - (pixels[below - 1] as number);
      const dx = (rising + falling + 2 * ((pixels[at + 1] as number) - (pixels[at - 1] as number))) / 4;
      const dy = (rising - falling + 2 * ((pixels[below] as number) - (pixels[above] as number))) / 4;
      xx += dx * dx;
      yy += dy * dy;
      xy += dx * dy;
    }
  }
  const sum = xx + yy;
  if (sum < leastSlope * side * side) return null;
  return Math.hypot(xx - yy, 2 * xy) < coherent * sum ? null : Math.atan2(2 * xy, xx - yy) / 2;
}

/** Directions have no sense: half a turn is the same. */
export function between(a: number, b: number): number {
  const turn = Math.abs(a - b) % Math.PI;
  return Math.min(turn, Math.PI - turn);
}

/** Neighbours in the same direction; a wide bar may fill a block, so one block between two is no end. */
export function groupsOf<B extends Block>(blocks: ReadonlyMap<number, B>, columns: number): B[][] {
  const groups: B[][] = [];
  const waiting = new Map(blocks);
  for (const [key, first] of blocks) {
    if (!waiting.delete(key)) continue;
    const group = [first];
    for (let at = 0; at < group.length; at += 1) {
      const { column, row, angle } = group[at] as B;
      for (let dy = -2; dy <= 2; dy += 1)
        for (let dx = -2; dx <= 2; dx += 1) {
          const next = waiting.get((row + dy) * columns + column + dx);
          if (!next || Math.abs(next.column - column) > 2 || between(next.angle, angle) > sameDirection) continue;
          waiting.delete(next.row * columns + next.column);
          group.push(next);
        }
    }
    groups.push(group);
  }
  return groups;
}

export function areaOf(group: readonly Block[]): Stripes {
  // Twice the angle, because half a turn is the same direction.
  const sum = (of: (angle: number) => number) => group.reduce((all, { angle }) => all + of(2 * angle), 0);
  const angle = Math.atan2(sum(Math.sin), sum(Math.cos)) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const points = group.map(({ column, row }) => [(column + 0.5) * side, (row + 0.5) * side] as const);
  const across = points.map(([x, y]) => x * cos + y * sin);
  const along = points.map(([x, y]) => y * cos - x * sin);
  const [u0, u1, v0, v1] = [Math.min(...across), Math.max(...across), Math.min(...along), Math.max(...along)];
  const [u, v] = [(u0 + u1) / 2, (v0 + v1) / 2];
  return { x: u * cos - v * sin, y: u * sin + v * cos, angle, width: u1 - u0 + side, height: v1 - v0 + side };
}

/** Whether a point is in an area of stripes. */
export function isAmong({ x, y, angle, width, height }: Stripes, point: { x: number; y: number }): boolean {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [across, along] = [(point.x - x) * cos + (point.y - y) * sin, (point.y - y) * cos - (point.x - x) * sin];
  return Math.abs(across) * 2 <= width && Math.abs(along) * 2 <= height;
}

/** Twice the samples across, so that edges that fall between two pixels stay where they are. */
export const samples = 2;

interface Upright {
  width: number;
  height: number;
  back: (at: { x: number; y: number }) => { x: number; y: number };
}

/** The size of a raster in which stripes stand upright, with so many pixels around, and the way back from it. */
function uprightShape({ x, y, angle, width, height }: Stripes, around: number): Upright {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const shape = { width: Math.ceil((width + 2 * around) * samples), height: Math.ceil(height) };
  const back = (at: { x: number; y: number }) => {
    const [u, v] = [(at.x - shape.width / 2) / samples, at.y - shape.height / 2];
    return { x: x + u * cos - v * sin, y: y + u * sin + v * cos };
  };
  return { ...shape, back };
}

/** Writes one row of an upright raster, as `brightnessAt` has it: most of what stripes cost is spent here. */
function sampleRow(light: Light, { width, back }: Upright, row: number, into: Uint8Array): void {
  const { pixels, width: stride } = light;
  const [from, to] = [back({ x: 0.5, y: row + 0.5 }), back({ x: width + 0.5, y: row + 0.5 })];
  const [dx, dy] = [(to.x - from.x) / width, (to.y - from.y) / width];
  const [lastX, lastY] = [stride - 1, light.height - 1];
  for (let column = 0; column < width; column += 1) {
    const x = from.x + dx * column;
    const y = from.y + dy * column;
    const right = x - 0.5;
    const down = y - 0.5;
    if (right < 0 || down < 0 || right >= lastX || down >= lastY) into[column] = brightnessAt(light, x, y) ?? 255;
    else {
      const left = right | 0;
      const top = down | 0;
      const shareX = right - left;
      const shareY = down - top;
      const at = top * stride + left;
      const upper = (pixels[at] as number) * (1 - shareX) + (pixels[at + 1] as number) * shareX;
      const below = at + stride;
      const lower = (pixels[below] as number) * (1 - shareX) + (pixels[below + 1] as number) * shareX;
      into[column] = upper * (1 - shareY) + lower * shareY;
    }
  }
}

/**
 * An area of stripes as a raster in which they stand upright, with so many pixels around, and the way back.
 * @param every of so many rows one is sampled; the way back is that of all rows
 */
export function uprightOf(
  light: Light,
  area: Stripes,
  around: number,
  every = 1,
): { light: Light; back: Upright['back'] } {
  const shape = uprightShape(area, around);
  const { width, back } = shape;
  const height = Math.ceil(shape.height / every);
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1)
    sampleRow(light, shape, row * every, pixels.subarray(row * width, (row + 1) * width));
  return { light: { width, height, pixels }, back };
}

/** The linear code with the fewest elements, UPC-E, has 17 bars and 16 spaces; a wide edge of either may be lost in blur. */
const fewestEdges = 30;

/** Whether stripes are many and the same at several heights, as bars are and textures and letters are not. */
export function mayBeBars(light: Light, area: Stripes, around: number): boolean {
  const shape = uprightShape(area, around);
  const row = new Uint8Array(shape.width);
  const counts = [0.3, 0.5, 0.7].map((down) => {
    sampleRow(light, shape, Math.floor(down * shape.height), row);
    const sorted = row.toSorted();
    const middle = ((sorted[Math.floor(row.length * 0.05)] ?? 0) + (sorted[Math.floor(row.length * 0.95)] ?? 0)) / 2;
    let edges = 0;
    for (let at = 1; at < row.length; at += 1)
      if ((row[at - 1] as number) > middle !== (row[at] as number) > middle) edges += 1;
    return edges;
  });
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least >= fewestEdges && most - least <= least / 5;
}

/** Bars are of two to four widths, the wider ones at least twice as wide: widths that differ by less than this share are one. */
const alike = 0.4;
/** A pattern may have a hole or an end in it; of no code are so many bars as wide as each other. */
const mostAlike = 0.9;

/** Whether widths are all alike. */
export function areEven(widths: readonly number[]): boolean {
  const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 0;
  return widths.filter((each) => Math.abs(each - usual) < alike * usual).length >= mostAlike * widths.length;
}

/**
 * Whether dark stripes are all as wide as each other, and bright ones as well, as those of patterns and textures are. Every
 * symbology has bars and spaces of several widths.
 */
export function areRegular(light: Light, area: Stripes): boolean {
  const shape = uprightShape(area, 0);
  const row = new Uint8Array(shape.width);
  return [0.3, 0.5, 0.7].every((down) => {
    sampleRow(light, shape, Math.floor(down * shape.height), row);
    const sorted = row.toSorted();
    const middle = ((sorted[Math.floor(row.length * 0.05)] ?? 0) + (sorted[Math.floor(row.length * 0.95)] ?? 0)) / 2;
    const widths: number[] = [];
    let last = -1;
    for (let at = 1; at < row.length; at += 1)
      if ((row[at - 1] as number) > middle !== (row[at] as number) > middle) {
        if (last >= 0) widths.push(at - last);
        last = at;
      }
    const every = (other: number) => widths.filter((_, at) => at % 2 === other);
    return widths.length >= 8 && areEven(every(0)) && areEven(every(1));
  });
}

/** The part of a raster around stripes, and the stripes in it. */
export function around(
  light: Light,
  area: Stripes,
  by: number,
): { light: Light; area: Stripes; left: number; top: number } {
  const half = Math.hypot(area.width / 2 + by, area.height / 2) + 2;
  const [left, top] = [Math.max(0, Math.floor(area.x - half)), Math.max(0, Math.floor(area.y - half))];
  const right = Math.min(light.width, Math.ceil(area.x + half));
  const bottom = Math.min(light.height, Math.ceil(area.y + half));
  const part = cutOut(light, left, top, right - left, bottom - top);
  return { light: part, area: { ...area, x: area.x - left, y: area.y - top }, left, top };
}

/** Stripes of one direction in one line are one symbol where what is between them is less than this share of the whole. */
const mostBetween = 0.45;

/** Stripes that stand in one line, as those of a code of which a part is missing, put together. */
export function joined(areas: readonly Stripes[]): Stripes[] {
  const whole: Stripes[] = [];
  for (const area of areas) {
    let one = area;
    for (let at = 0; at < whole.length; ) {
      const both = together(whole[at] as Stripes, one);
      if (both) {
        one = both;
        whole.splice(at, 1);
        at = 0;
      } else at += 1;
    }
    whole.push(one);
  }
  return whole;
}

function together(a: Stripes, b: Stripes): Stripes | null {
  if (between(a.angle, b.angle) > sameDirection) return null;
  const { angle } = a.width >= b.width ? a : b;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [across, along] = [(b.x - a.x) * cos + (b.y - a.y) * sin, (b.y - a.y) * cos - (b.x - a.x) * sin];
  const [from, to] = [Math.min(-a.width / 2, across - b.width / 2), Math.max(a.width / 2, across + b.width / 2)];
  const free = Math.abs(across) - (a.width + b.width) / 2;
  const [low, high] = [Math.min(-a.height / 2, along - b.height / 2), Math.max(a.height / 2, along + b.height / 2)];
  const common = (a.height + b.height - (high - low)) / Math.max(a.height, b.height);
  if (free > mostBetween * (to - from) || common < 0.6) return null;
  const [u, v] = [(from + to) / 2, (low + high) / 2];
  return { x: a.x + u * cos - v * sin, y: a.y + u * sin + v * cos, angle, width: to - from, height: high - low };
}
