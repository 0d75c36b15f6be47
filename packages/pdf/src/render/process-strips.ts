import type { PagePlates } from './plates.ts';

/** Pixels processed at a time, so that memory use does not depend on the page size. */
const stripPixels = 1 << 20;

export interface ProcessStrip {
  /** Rows from the top of the page. */
  from: number;
  count: number;
  /** Interleaved CMYK, 0 is paper. The array is reused for the next strip. */
  cmyk: Uint8Array;
}

/**
 * Combines the plates of a page to CMYK, strip by strip. Spot inks are converted to their process equivalents.
 * @param without names of inks that are left out
 */
export function* processStrips(plates: PagePlates, without: readonly string[] = []): Generator<ProcessStrip> {
  const { width, height } = plates;
  const inks = plates.inks.filter(({ name }) => !without.includes(name));
  const rows = Math.max(1, Math.floor(stripPixels / width));
  const plate = new Uint8Array(Math.min(rows, height) * width);
  const cmyk = new Uint8Array(plate.length * 4);
  for (let from = 0; from < height; from += rows) {
    const count = Math.min(rows, height - from);
    cmyk.fill(0);
    for (const ink of inks) {
      plates.plate(ink.id, { from, count }, plate);
      layInk(plate, ink.cmyk, cmyk, count * width);
    }
    yield { from, count, cmyk: cmyk.subarray(0, count * width * 4) };
  }
}

function layInk(plate: Uint8Array, equivalent: readonly number[], cmyk: Uint8Array, pixels: number): void {
  equivalent.forEach((strength, channel) => {
    if (strength === 1) layProcessInk(plate, cmyk, channel, pixels);
    else if (strength !== 0) layTint(plate, strength, cmyk, channel, pixels);
  });
}

/** In whole numbers, because almost every plate is one of these. */
function layProcessInk(plate: Uint8Array, cmyk: Uint8Array, channel: number, pixels: number): void {
  for (let index = 0, at = channel; index < pixels; index += 1, at += 4) {
    const sum = (cmyk[at] as number) + (plate[index] as number);
    cmyk[at] = Math.min(sum, 255);
  }
}

function layTint(plate: Uint8Array, strength: number, cmyk: Uint8Array, channel: number, pixels: number): void {
  for (let index = 0; index < pixels; index += 1) {
    const ink = plate[index] as number;
    if (ink === 0) continue;
    const at = index * 4 + channel;
    const sum = (cmyk[at] as number) + ink * strength + 0.5;
    cmyk[at] = Math.min(sum, 255);
  }
}
