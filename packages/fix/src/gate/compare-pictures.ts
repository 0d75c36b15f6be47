/** Colour difference of two rasters of a page, in CIEDE2000. */
import type { PixelRect, Raster } from '@pdf2press/pdf';

export interface PictureDifference {
  mean: number;
  p999: number;
  /** Mean of the tile with the largest mean; shows small faults that do not affect the mean of the page. */
  worst: number;
  /** Number of pixels compared. */
  count: number;
}

export interface CompareOptions {
  /** Pixels to compare; all by default. */
  area?: PixelRect;
  ignore?: readonly PixelRect[];
  /**
   * Tolerates edges that another routine drew: a pixel counts as equal when it lies between its neighbours in the other
   * picture. Faults larger than a pixel are still found.
   */
  isEdgeTolerant?: boolean;
}

const linear = Float64Array.from({ length: 256 }, (_, level) => {
  const value = level / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);

/** Converts sRGB (0–255) to L*a*b* with D65 white. */
export function labOf(red: number, green: number, blue: number): [number, number, number] {
  const [r, g, b] = [linear[red] as number, linear[green] as number, linear[blue] as number];
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const degrees = 180 / Math.PI;
const sin = (angle: number): number => Math.sin(angle / degrees);
const cos = (angle: number): number => Math.cos(angle / degrees);

/** CIEDE2000 (CIE 142-2001, formulas of Sharma, Wu and Dalal 2005) with all weights 1. */
export function deltaE00(one: readonly number[], two: readonly number[]): number {
  const [l1 = 0, a1 = 0, b1 = 0] = one;
  const [l2 = 0, a2 = 0, b2 = 0] = two;
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)));
  const [x1, x2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const hue = (x: number, b: number): number => (x === 0 && b === 0 ? 0 : (Math.atan2(b, x) * degrees + 360) % 360);
  const [h1, h2] = [hue(x1, b1), hue(x2, b2)];
  const isGrey = c1 * c2 === 0;
  const turn = isGrey ? 0 : h2 - h1 > 180 ? h2 - h1 - 360 : h2 - h1 < -180 ? h2 - h1 + 360 : h2 - h1;
  const dH = 2 * Math.sqrt(c1 * c2) * sin(turn / 2);
  const [dL, dC] = [l2 - l1, c2 - c1];
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const h = isGrey
    ? h1 + h2
    : Math.abs(h1 - h2) <= 180
      ? (h1 + h2) / 2
      : h1 + h2 < 360
        ? (h1 + h2 + 360) / 2
        : (h1 + h2 - 360) / 2;
  const t = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const sL = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const sC = 1 + 0.045 * c;
  const sH = 1 + 0.015 * c * t;
  const rotation = -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * sin(60 * Math.exp(-(((h - 275) / 25) ** 2)));
  return Math.sqrt((dL / sL) ** 2 + (dC / sC) ** 2 + (dH / sH) ** 2 + rotation * (dC / sC) * (dH / sH));
}

/** Histogram bins per unit of difference; the histogram goes up to 100. */
const steps = 100;
/**
 * Levels. Stems of one pixel width reach other levels when they fall on other pixels; a larger deviation is another
 * colour.
 */
const slack = 40;

/** Side of a tile in pixels: about the size of a letter. */
const tileSide = 16;

/**
 * Compares two rasters of the same size; differences are in CIEDE2000.
 * @throws RangeError for rasters of different size
 */
export function comparePictures(before: Raster, after: Raster, options: CompareOptions = {}): PictureDifference {
  if (before.width !== after.width || before.height !== after.height)
    throw new RangeError('pictures of different size');
  const { width, height } = before;
  const area = options.area ?? { left: 0, top: 0, width, height };
  const ignored = maskOf(width, height, options.ignore ?? []);
  const histogram = new Uint32Array(100 * steps + 1);
  const tilesAcross = Math.ceil(width / tileSide);
  const tiles = new Float64Array(tilesAcross * Math.ceil(height / tileSide));
  const a = before.pixels;
  const b = after.pixels;
  let count = 0;
  let sum = 0;
  for (let y = area.top; y < area.top + area.height; y += 1) {
    for (let x = area.left; x < area.left + area.width; x += 1) {
      const at = y * width + x;
      if (ignored?.[at]) continue;
      count += 1;
      const i = at * 3;
      if (a[i] === b[i] && a[i + 1] === b[i + 1] && a[i + 2] === b[i + 2]) continue;
      if (
        options.isEdgeTolerant &&
        isBetweenNeighbours(a, b, x, y, width, height) &&
        isBetweenNeighbours(b, a, x, y, width, height)
      )
        continue;
      const difference = deltaE00(
        labOf(a[i] as number, a[i + 1] as number, a[i + 2] as number),
        labOf(b[i] as number, b[i + 1] as number, b[i + 2] as number),
      );
      sum += difference;
      const tile = Math.floor(y / tileSide) * tilesAcross + Math.floor(x / tileSide);
      tiles[tile] = (tiles[tile] as number) + difference;
      const bin = Math.min(100 * steps, Math.ceil(difference * steps));
      histogram[bin] = (histogram[bin] as number) + 1;
    }
  }
  let worst = 0;
  for (const tile of tiles) worst = Math.max(worst, tile / tileSide ** 2);
  return { mean: count ? sum / count : 0, p999: percentile(histogram, Math.floor(count * 0.001)), worst, count };
}

/** The smallest value that at most `rest` pixels exceed. */
function percentile(histogram: Uint32Array, rest: number): number {
  let above = 0;
  for (let bin = histogram.length - 1; bin > 0; bin -= 1) {
    above += histogram[bin] as number;
    if (above > rest) return bin / steps;
  }
  return 0;
}

function maskOf(width: number, height: number, rects: readonly PixelRect[]): Uint8Array | null {
  if (rects.length === 0) return null;
  const mask = new Uint8Array(width * height);
  for (const rect of rects) {
    const [x0, x1] = [Math.max(0, rect.left), Math.min(width, rect.left + rect.width)];
    for (let y = Math.max(0, rect.top); y < Math.min(height, rect.top + rect.height); y += 1) {
      if (x1 > x0) mask.fill(1, y * width + x0, y * width + x1);
    }
  }
  return mask;
}

/**
 * Whether each channel of a pixel of `of` lies between the darkest and lightest value of the 3 × 3 pixels around it in
 * `among`.
 */
function isBetweenNeighbours(
  of: Uint8Array,
  among: Uint8Array,
  x: number,
  y: number,
  width: number,
  height: number,
): boolean {
  const left = Math.max(0, x - 1);
  const right = Math.min(width - 1, x + 1);
  const top = Math.max(0, y - 1);
  const bottom = Math.min(height - 1, y + 1);
  for (let channel = 0; channel < 3; channel += 1) {
    const place = (y * width + x) * 3 + channel;
    const level = of[place] as number;
    // Where the middle one is near enough, the others need no look: that is so at most edges.
    if (Math.abs((among[place] as number) - level) <= slack) continue;
    let low = 255;
    let high = 0;
    for (let v = top; v <= bottom; v += 1) {
      const last = (v * width + right) * 3 + channel;
      for (let at = (v * width + left) * 3 + channel; at <= last; at += 3) {
        const other = among[at] as number;
        if (other < low) low = other;
        if (other > high) high = other;
      }
    }
    if (level < low - slack || level > high + slack) return false;
  }
  return true;
}
