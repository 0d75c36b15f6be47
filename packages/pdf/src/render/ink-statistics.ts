/**
 * Ink statistics of the plates of one page, counted in groups of rows so that no plate is held in memory as a whole.
 */
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
 * area, not on single pixels (GWG 2022, R0025 and R0026). A page smaller than the window is treated as one window.
 * @param total as returned by `PagePlates.totalInk`
 */
export function largestWindow(total: Uint16Array, size: { width: number; height: number }, side: number): InkWindow {
  const { width, height } = size;
  const windowWidth = Math.max(1, Math.min(Math.round(side), width));
  const windowHeight = Math.max(1, Math.min(Math.round(side), height));
  const columns = new Float64Array(width);
  const best = { sum: -1, left: 0, top: 0 };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const leaving = y >= windowHeight ? (total[(y - windowHeight) * width + x] as number) : 0;
      columns[x] = (columns[x] as number) + (total[y * width + x] as number) - leaving;
    }
    if (y < windowHeight - 1) continue;
    let sum = 0;
    for (let x = 0; x < width; x += 1) {
      sum += (columns[x] as number) - (x >= windowWidth ? (columns[x - windowWidth] as number) : 0);
      if (x >= windowWidth - 1 && sum > best.sum) {
        best.sum = sum;
        best.left = x - windowWidth + 1;
        best.top = y - windowHeight + 1;
      }
    }
  }
  const value = best.sum / (windowWidth * windowHeight) / levelsPerPercent;
  return { value, left: best.left, top: best.top };
}
