/**
 * Ink statistics of the plates of one page, counted in groups of rows so that no plate is held in memory as a whole.
 */
import type { PixelRect } from './page-frame.ts';
import type { PsdFile } from './psd.ts';

export interface InkStatistics {
  /** Mean coverage over all pixels, 0 to 1, in the order of the inks. */
  coverage: readonly number[];
  /** Share of pixels with any of this ink, 0 to 1. */
  inked: readonly number[];
  /** Share of pixels with any ink, 0 to 1. */
  anyInk: number;
  /** Total ink of all plates. */
  tac: TotalInk;
  /** Total ink of Cyan, Magenta, Yellow and Black. */
  tacProcess: TotalInk;
}

/** Total area coverage in percent; 400 is four solid inks. */
export interface TotalInk {
  max: number;
  /** 99.9th percentile over all pixels, interpolated. */
  p999: number;
  mean: number;
  /** Share of pixels, 0 to 1, above a limit in percent. */
  shareOver(limit: number): number;
}

/** Histograms as plain data, which can be sent between threads. */
export interface InkHistograms {
  pixels: number;
  /** For each ink, how often each value 0 to 255 occurs. */
  inks: readonly Uint32Array[];
  total: Uint32Array;
  process: Uint32Array;
}

const rowsPerPass = (width: number): number => Math.max(1, Math.floor(262_144 / width));

/** Counts all plates in one pass. */
export function countInks(psd: PsdFile): InkHistograms {
  const { width, height, inks } = psd;
  const rows = rowsPerPass(width);
  const plate = new Uint8Array(rows * width);
  const sums = new Uint16Array(rows * width);
  const histograms = inks.map(() => new Uint32Array(256));
  const total = new Uint32Array(255 * inks.length + 1);
  const process = new Uint32Array(255 * 4 + 1);
  const processCount = inks.filter((ink) => ink.kind === 'process').length;
  for (let from = 0; from < height; from += rows) {
    const count = Math.min(rows, height - from);
    const pixels = count * width;
    sums.fill(0);
    inks.forEach((_, ink) => {
      psd.readPlate(ink, { from, count }, plate);
      addPlate(plate, sums, histograms[ink] as Uint32Array, pixels);
      if (ink === processCount - 1) tally(sums, process, pixels);
    });
    tally(sums, total, pixels);
  }
  return { pixels: width * height, inks: histograms, total, process };
}

function addPlate(plate: Uint8Array, sums: Uint16Array, histogram: Uint32Array, pixels: number): void {
  let empty = 0;
  for (let index = 0; index < pixels; index += 1) {
    const ink = plate[index] as number;
    // Most pixels of most plates have no ink.
    if (ink === 0) {
      empty += 1;
      continue;
    }
    histogram[ink] = (histogram[ink] as number) + 1;
    sums[index] = (sums[index] as number) + ink;
  }
  histogram[0] = (histogram[0] as number) + empty;
}

function tally(sums: Uint16Array, histogram: Uint32Array, pixels: number): void {
  for (let index = 0; index < pixels; index += 1) {
    const sum = sums[index] as number;
    histogram[sum] = (histogram[sum] as number) + 1;
  }
}

/** Statistics of a page from its histograms. */
export function statisticsOf(histograms: InkHistograms): InkStatistics {
  const { pixels, inks } = histograms;
  const coverage = inks.map((histogram) => {
    let sum = 0;
    for (let value = 1; value < 256; value += 1) sum += value * (histogram[value] as number);
    return sum / (255 * pixels);
  });
  return {
    coverage,
    inked: inks.map((histogram) => 1 - (histogram[0] as number) / pixels),
    anyInk: 1 - (histograms.total[0] as number) / pixels,
    tac: totalInk(histograms.total, pixels),
    tacProcess: totalInk(histograms.process, pixels),
  };
}

const levelsPerPercent = 2.55;

function totalInk(histogram: Uint32Array, pixels: number): TotalInk {
  let max = 0;
  let sum = 0;
  histogram.forEach((count, value) => {
    if (count === 0) return;
    max = value;
    sum += value * count;
  });
  return {
    max: max / levelsPerPercent,
    p999: percentile(histogram, pixels, 0.999) / levelsPerPercent,
    mean: sum / pixels / levelsPerPercent,
    shareOver(limit) {
      let over = 0;
      // 300 % is exactly 765 levels; only more than that is above the limit.
      for (let value = Math.floor(limit * levelsPerPercent + 1e-9) + 1; value < histogram.length; value += 1) {
        over += histogram[value] as number;
      }
      return over / pixels;
    },
  };
}

/** Linear interpolation between the two nearest ranks. */
function percentile(histogram: Uint32Array, pixels: number, share: number): number {
  const rank = (pixels - 1) * share;
  const low = valueAt(histogram, Math.floor(rank));
  const high = valueAt(histogram, Math.ceil(rank));
  return low + (high - low) * (rank - Math.floor(rank));
}

function valueAt(histogram: Uint32Array, rank: number): number {
  let seen = 0;
  for (let value = 0; value < histogram.length; value += 1) {
    seen += histogram[value] as number;
    if (seen > rank) return value;
  }
  return histogram.length - 1;
}

/** A square area of a page, in pixels from the upper left. */
export interface InkWindow {
  /** Mean total ink in the window, percent. */
  value: number;
  left: number;
  top: number;
}

/**
 * The window of `side` × `side` pixels with the highest mean total ink. Drying problems depend on the mean over an
 * area, not on single pixels (GWG 2022, R0025 and R0026). An area smaller than the window is treated as one window.
 * @param total as returned by `PagePlates.totalInk`
 * @param width pixels of a row of `total`
 * @param area the part that counts; the place of the window is measured from its corner
 */
export function largestWindow(total: Uint16Array, width: number, area: PixelRect, side: number): InkWindow {
  const across = Math.max(1, Math.min(Math.round(side), area.width));
  const down = Math.max(1, Math.min(Math.round(side), area.height));
  const rowOf = (y: number): Uint16Array => {
    const from = (area.top + y) * width + area.left;
    return total.subarray(from, from + area.width);
  };
  const nothing = new Uint16Array(area.width);
  const columns = new Int32Array(area.width);
  const best = { sum: -1, left: 0, top: 0 };
  for (let y = 0; y < area.height; y += 1) {
    moveDown(columns, rowOf(y), y >= down ? rowOf(y - down) : nothing);
    if (y < down - 1) continue;
    let sum = 0;
    for (let x = 0; x < across; x += 1) sum += columns[x] as number;
    let [most, left] = [sum, 0];
    for (let x = across; x < columns.length; x += 1) {
      sum += (columns[x] as number) - (columns[x - across] as number);
      if (sum > most) {
        most = sum;
        left = x - across + 1;
      }
    }
    if (most > best.sum) Object.assign(best, { sum: most, left, top: y - down + 1 });
  }
  const value = best.sum / (across * down) / levelsPerPercent;
  return { value, left: best.left, top: best.top };
}

/** Moves the sums of the columns of a window down by one row. */
function moveDown(columns: Int32Array, entering: Uint16Array, leaving: Uint16Array): void {
  for (let x = 0; x < columns.length; x += 1)
    columns[x] = (columns[x] as number) + (entering[x] as number) - (leaving[x] as number);
}

/**
 * Adds the first plates of a page for each pixel; 255 is 100 %. The plates are read in groups of rows, and of four pixels
 * without ink, as most are, nothing is added.
 * @param into one element for each pixel; overwritten
 */
export function sumPlates(psd: PsdFile, plates: number, into: Uint16Array): void {
  const { width, height } = psd;
  const rows = rowsPerPass(width);
  const plate = new Uint8Array(Math.ceil((rows * width) / 4) * 4);
  const fours = new Uint32Array(plate.buffer);
  into.fill(0);
  for (let from = 0; from < height; from += rows) {
    const count = Math.min(rows, height - from);
    const pixels = count * width;
    const sums = into.subarray(from * width, from * width + pixels);
    for (let ink = 0; ink < plates; ink += 1) {
      psd.readPlate(ink, { from, count }, plate);
      for (let four = 0; four * 4 < pixels; four += 1) {
        if (fours[four] === 0) continue;
        const end = Math.min(four * 4 + 4, pixels);
        for (let at = four * 4; at < end; at += 1) sums[at] = (sums[at] as number) + (plate[at] as number);
      }
    }
  }
}
