/** How bright a page is under a scanner, from its plates. */
import type { PagePlates, PixelRect } from '@pdf2press/pdf';

/** A raster of a part of a page: 255 reflects all light. Positions in it are pixels from its upper left corner. */
export interface Light {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Of white coated paper. */
export const paper = 0.85;

/** The share of light that solid cyan, magenta, yellow and black take away. */
type Absorption = readonly [number, number, number, number];

/**
 * Red light of 660 nm, which ISO/IEC 15416 and 15415 measure with and scanners read with: only cyan and black are dark in it.
 * Rounded values of solids in offset on coated paper: what is near a limit is to be measured on the print.
 */
const red: Absorption = [0.92, 0.08, 0.03, 0.98];
/** The mean of green and blue, in which what red light does not see stands out. It only finds codes; nothing is measured in it. */
const greenAndBlue: Absorption = [0.35, 0.75, 0.5, 0.98];

/** Densities are whole numbers of these, so that those of all inks are added quickly: 0.1 % of the light. */
const perDensity = 1024;
/** By density: the light that is left of that of white paper. */
const brightness = Uint8Array.from({ length: 16 * perDensity }, (_, density) =>
  Math.floor(255 * paper * Math.exp(-density / perDensity)),
);

/** By amount of the ink: its density. */
function densityOf(cmyk: readonly number[], absorption: Absorption): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, value) => {
    const left = absorption.reduce((rest, share, at) => rest * (1 - share * (cmyk[at] ?? 0) * (value / 255)), 1);
    return Math.round(-Math.log(Math.max(left, 0.001)) * perDensity);
  });
}

const process: Readonly<Record<string, readonly number[]>> = {
  c: [1, 0, 0, 0],
  m: [0, 1, 0, 0],
  y: [0, 0, 1, 0],
  k: [0, 0, 0, 1],
};

/** Rows whose plates are held at a time. */
const rowsAtOnce = 64;

/** Differences below this are none: 10 % of the light. */
export const seen = 25;

/** The light of an area; `other` is null where it would show nothing that red light does not show. */
export interface Lights {
  red: Light;
  other: Light | null;
}

export function lightOf(plates: PagePlates, area: PixelRect): Lights {
  const size = area.width * area.height;
  const shape = { width: area.width, height: area.height };
  const inks = plates.inks.map(({ id, cmyk }) => {
    const solid = process[id] ?? cmyk;
    return { id, red: densityOf(solid, red), other: densityOf(solid, greenAndBlue) };
  });
  const [inRed, inOther] = [new Uint8Array(size), new Uint8Array(size)];
  const band = Math.min(rowsAtOnce, area.height) * area.width;
  const [denseRed, denseOther] = [new Uint32Array(band), new Uint32Array(band)];
  let differs = false;
  for (let top = 0; top < area.height; top += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, area.height - top);
    denseRed.fill(0);
    denseOther.fill(0);
    for (const ink of inks) {
      const plate = plates.plate(ink.id, { from: area.top + top, count });
      const from = { plate, left: area.left, step: plates.width, width: area.width, count };
      addDensity(from, ink.red, denseRed, ink.other, denseOther);
    }
    differs = lighten(denseRed, inRed, denseOther, inOther, top * area.width, count * area.width) || differs;
  }
  return { red: { ...shape, pixels: inRed }, other: differs ? { ...shape, pixels: inOther } : null };
}

/** Adds the densities of one ink in some rows. */
function addDensity(
  { plate, left, step, width, count }: { plate: Uint8Array; left: number; step: number; width: number; count: number },
  inRed: Uint16Array,
  denseRed: Uint32Array,
  inOther: Uint16Array,
  denseOther: Uint32Array,
): void {
  for (let row = 0, to = 0; row < count; row += 1)
    for (let from = row * step + left, end = from + width; from < end; from += 1, to += 1) {
      const value = plate[from] as number;
      if (value === 0) continue;
      denseRed[to] = (denseRed[to] as number) + (inRed[value] as number);
      denseOther[to] = (denseOther[to] as number) + (inOther[value] as number);
    }
}

/** Writes the light that densities leave; whether the two differ. */
function lighten(
  denseRed: Uint32Array,
  inRed: Uint8Array,
  denseOther: Uint32Array,
  inOther: Uint8Array,
  to: number,
  count: number,
): boolean {
  const darkest = brightness.length - 1;
  let differs = false;
  for (let at = 0; at < count; at += 1) {
    const a = brightness[Math.min(denseRed[at] as number, darkest)] as number;
    const b = brightness[Math.min(denseOther[at] as number, darkest)] as number;
    inRed[to + at] = a;
    inOther[to + at] = b;
    if (a - b > seen || b - a > seen) differs = true;
  }
  return differs;
}

/** How bright a point is, 0 to 255, between the centres of its four nearest pixels; beyond the raster null. */
export function brightnessAt({ pixels, width, height }: Light, x: number, y: number): number | null {
  if (x < 0 || y < 0 || x > width || y > height) return null;
  const left = Math.min(Math.max(Math.floor(x - 0.5), 0), width - 1);
  const top = Math.min(Math.max(Math.floor(y - 0.5), 0), height - 1);
  const [right, below] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const [dx, dy] = [Math.min(Math.max(x - 0.5 - left, 0), 1), Math.min(Math.max(y - 0.5 - top, 0), 1)];
  const [upperRow, lowerRow] = [top * width, below * width];
  const upper = (pixels[upperRow + left] as number) * (1 - dx) + (pixels[upperRow + right] as number) * dx;
  const lower = (pixels[lowerRow + left] as number) * (1 - dx) + (pixels[lowerRow + right] as number) * dx;
  return upper * (1 - dy) + lower * dy;
}

/** A part of the area. */
export function cutOut({ pixels, width }: Light, left: number, top: number, columns: number, rows: number): Light {
  const part = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    const from = (top + row) * width + left;
    part.set(pixels.subarray(from, from + columns), row * columns);
  }
  return { pixels: part, width: columns, height: rows };
}

/** The same area with fewer pixels, each the mean of so many in both directions. */
export function reduced({ pixels, width, height }: Light, by: number): Light {
  const [columns, rows] = [Math.floor(width / by), Math.floor(height / by)];
  const small = new Uint8Array(columns * rows);
  const sums = new Uint32Array(columns);
  for (let row = 0; row < rows; row += 1) {
    sums.fill(0);
    for (let down = 0; down < by; down += 1) {
      let at = (row * by + down) * width;
      for (let column = 0; column < columns; column += 1) {
        let sum = 0;
        for (let across = 0; across < by; across += 1, at += 1) sum += pixels[at] as number;
        sums[column] = (sums[column] as number) + sum;
      }
    }
    for (let column = 0; column < columns; column += 1)
      small[row * columns + column] = (sums[column] as number) / (by * by);
  }
  return { pixels: small, width: columns, height: rows };
}

/** The same area with bright and dark exchanged. */
export const reversed = (light: Light): Light => ({ ...light, pixels: light.pixels.map((value) => 255 - value) });

/** The same area with what is dark narrower by a pixel in both directions. */
export function thinned({ pixels, width, height }: Light): Light {
  const thin = new Uint8Array(pixels.length);
  for (let row = 0; row < height; row += 1) {
    const below = row + 1 < height ? width : 0;
    for (let column = 0, at = row * width; column < width; column += 1, at += 1) {
      const right = column + 1 < width ? at + 1 : at;
      const upper = Math.max(pixels[at] as number, pixels[right] as number);
      const lower = Math.max(pixels[at + below] as number, pixels[right + below] as number);
      thin[at] = Math.max(upper, lower);
    }
  }
  return { pixels: thin, width, height };
}
