import type { SessionPage } from '@pdf2press/contract';
import { fetchBytes } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { queries } from '../client/queries.ts';
import { type Hex, isHex } from '../theme/colours.ts';

/** One tile of one ink: 0 = no ink, 255 = full. */
export interface Plate {
  width: number;
  height: number;
  ink: Uint8Array;
}

async function decode(blob: Blob): Promise<Plate> {
  // Plate values are data: colour conversion must be off.
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no 2d canvas');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  const ink = new Uint8Array(width * height);
  for (let at = 0; at < ink.length; at += 1) ink[at] = data[at * 4] ?? 0;
  return { width, height, ink };
}

/** Fetches a plate tile through a cache. @throws CallError */
export const plateOf = (address: string): Promise<Plate> =>
  queries.fetchQuery({
    queryKey: ['plate', address],
    queryFn: async ({ signal }) => decode(await (await fetchBytes(address, signal)).blob()),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: (count, error) => error instanceof CallError && error.status === 202 && count < 20,
    retryDelay: 1500,
  });

const rgbOf = (hex: string): [number, number, number] => {
  const safe: Hex = isHex(hex) ? hex : '#808080';
  return [1, 3, 5].map((at) => Number.parseInt(safe.slice(at, at + 2), 16)) as [number, number, number];
};

type InkColour = Pick<SessionPage['inks'][number], 'hex' | 'tints'>;

/** What an ink leaves of white light, 0 to 1, for each amount of it from 0 to 255: red, green and blue one after the other. */
function lightLeft({ hex, tints = [] }: InkColour): Float32Array {
  // Pages that were drawn before tints were told have the full colour alone.
  const steps = (tints.length > 1 ? tints : ['#ffffff', hex]).map(rgbOf);
  const left = new Float32Array(256 * 3);
  for (let amount = 0; amount < 256; amount += 1) {
    const at = (amount / 255) * (steps.length - 1);
    const [below, above] = [steps[Math.floor(at)] ?? [255, 255, 255], steps[Math.ceil(at)] ?? [255, 255, 255]];
    for (let channel = 0; channel < 3; channel += 1) {
      const [from, to] = [below[channel] ?? 255, above[channel] ?? 255];
      left[amount * 3 + channel] = (from + (to - from) * (at % 1)) / 255;
    }
  }
  return left;
}

/** Composites inks on white paper by multiplication; one ink alone looks as the press prints it. */
export function overlay(plates: readonly Plate[], inks: readonly InkColour[], into: Uint8ClampedArray): void {
  into.fill(255);
  plates.forEach(({ ink }, index) => {
    const left = lightLeft(inks[index] ?? { hex: '' });
    for (let at = 0; at < ink.length; at += 1) {
      const amount = ink[at] ?? 0;
      if (amount === 0) continue;
      const pixel = at * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        into[pixel + channel] = (into[pixel + channel] ?? 0) * (left[amount * 3 + channel] ?? 1);
      }
    }
  });
}

/** Percent of total ink, pixel by pixel: grey below the limit, amber from nine tenths of it, red beyond. */
export function heat(plates: readonly Plate[], limit: number, into: Uint8ClampedArray): void {
  const pixels = into.length / 4;
  for (let at = 0; at < pixels; at += 1) {
    let sum = 0;
    for (const { ink } of plates) sum += ink[at] ?? 0;
    const share = (sum * 100) / 255 / limit;
    const pixel = at * 4;
    const colour = heatColour(share);
    into[pixel] = colour[0];
    into[pixel + 1] = colour[1];
    into[pixel + 2] = colour[2];
    into[pixel + 3] = 255;
  }
}

/** `share` of the limit, 1 = at it. */
export function heatColour(share: number): readonly [number, number, number] {
  if (share > 1) {
    const over = Math.min(1, (share - 1) * 3);
    return [220 - 70 * over, 38 * (1 - over), 38 * (1 - over)];
  }
  if (share > 0.9) return [245, 158, 11];
  const grey = 255 - share * 130;
  return [grey, grey, grey];
}

/** Percent of each ink at a place of a tile (shares of the tile, 0 to 1). */
export const readInks = (plates: readonly Plate[], x: number, y: number): number[] =>
  plates.map(({ width, height, ink }) => {
    const column = Math.min(width - 1, Math.max(0, Math.floor(x * width)));
    const row = Math.min(height - 1, Math.max(0, Math.floor(y * height)));
    return ((ink[row * width + column] ?? 0) * 100) / 255;
  });

/** How much of the area of tiles an ink covers, 0 to 1: the mean of its amounts. */
export function coverageOf(tiles: readonly Plate[]): number {
  let [sum, pixels] = [0, 0];
  for (const { ink } of tiles) {
    for (const amount of ink) sum += amount;
    pixels += ink.length;
  }
  return pixels === 0 ? 0 : sum / pixels / 255;
}
