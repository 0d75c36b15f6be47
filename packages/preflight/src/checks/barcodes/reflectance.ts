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

/** By amount of the ink: what it leaves of the light. */
function curveOf(cmyk: readonly number[], absorption: Absorption): Float32Array {
  return Float32Array.from({ length: 256 }, (_, value) =>
    absorption.reduce((left, share, at) => left * (1 - share * (cmyk[at] ?? 0) * (value / 255)), 1),
  );
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
const seen = 25;

/** The light of an area; `other` is null where it would show nothing that red light does not show. */
export function lightOf(plates: PagePlates, area: PixelRect): { red: Light; other: Light | null } {
  const size = area.width * area.height;
  const shape = { width: area.width, height: area.height };
  const inks = plates.inks.map(({ id, cmyk }) => {
    const solid = process[id] ?? cmyk;
    return { id, red: curveOf(solid, red), other: curveOf(solid, greenAndBlue) };
  });
  const [inRed, inOther] = [new Uint8Array(size), new Uint8Array(size)];
  const [brightRed, brightOther] = [new Float32Array(area.width), new Float32Array(area.width)];
  let differs = false;
  for (let top = 0; top < area.height; top += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, area.height - top);
    const rows = inks.map((ink) => ({ ...ink, plate: plates.plate(ink.id, { from: area.top + top, count }) }));
    for (let row = 0; row < count; row += 1) {
      brightRed.fill(255 * paper);
      brightOther.fill(255 * paper);
      const from = row * plates.width + area.left;
      for (const ink of rows) dim(ink, from, brightRed, brightOther);
      const to = (top + row) * area.width;
      inRed.set(brightRed, to);
      inOther.set(brightOther, to);
      differs ||= areDifferent(brightRed, brightOther);
    }
  }
  return { red: { ...shape, pixels: inRed }, other: differs ? { ...shape, pixels: inOther } : null };
}

function areDifferent(a: Float32Array, b: Float32Array): boolean {
  for (let at = 0; at < a.length; at += 1) if (Math.abs((a[at] as number) - (b[at] as number)) > seen) return true;
  return false;
}

/** Takes away what one ink takes away in one row. */
function dim(
  { plate, red: inRed, other }: { plate: Uint8Array; red: Float32Array; other: Float32Array },
  from: number,
  brightRed: Float32Array,
  brightOther: Float32Array,
): void {
  for (let at = 0; at < brightRed.length; at += 1) {
    const value = plate[from + at];
    if (!value) continue;
    brightRed[at] = (brightRed[at] as number) * (inRed[value] as number);
    brightOther[at] = (brightOther[at] as number) * (other[value] as number);
  }
}

/** How bright a point is, 0 to 255, between the centres of its four nearest pixels; beyond the raster null. */
export function brightnessAt({ pixels, width, height }: Light, x: number, y: number): number | null {
  if (x < 0 || y < 0 || x > width || y > height) return null;
  const left = Math.min(Math.max(Math.floor(x - 0.5), 0), width - 1);
  const top = Math.min(Math.max(Math.floor(y - 0.5), 0), height - 1);
  const [right, below] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const [dx, dy] = [Math.min(Math.max(x - 0.5 - left, 0), 1), Math.min(Math.max(y - 0.5 - top, 0), 1)];
  const at = (column: number, row: number) => pixels[row * width + column] as number;
  const upper = at(left, top) * (1 - dx) + at(right, top) * dx;
  const lower = at(left, below) * (1 - dx) + at(right, below) * dx;
  return upper * (1 - dy) + lower * dy;
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
