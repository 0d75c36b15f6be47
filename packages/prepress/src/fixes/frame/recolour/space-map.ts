/** What becomes of a colour space: where its colours go, and how. */
import type { ColorSpace, InkPlanes, PdfValue } from '@pdf2press/pdf';

/** 8 bits a component, interleaved; writes into `out` where given. */
export type ConvertPixels = (pixels: Uint8Array, out?: Uint8Array) => Uint8Array;

/** RGB as CMYK for a JPEG: the pixels themselves become its chromatic plane, so that large images need no room twice. */
export type SeparatePixels = (pixels: Uint8Array) => InkPlanes;

/** `ConvertPixels` with 16 bits a component, 0–65535. */
export type ConvertDeepPixels = (pixels: Uint16Array) => Uint16Array;

export interface SpaceMap {
  /** The new space as an entry of resources, images and shadings. */
  value: PdfValue;
  /** Operators of a device space; null for one that needs `cs`. */
  device: { fill: 'g' | 'rg' | 'k'; stroke: 'G' | 'RG' | 'K' } | null;
  components: number;
  /** Component ranges as Decode; 0 1 each for all but Lab. */
  convert: (values: readonly number[]) => number[];
  /** The components stay what they are: only the space behind them changes. */
  isSameValues: boolean;
  /**
   * Many colours at once, 8 bits a component, spread over the source's natural ranges (0–255 = 0–1; Lab: its Range).
   * Absent: `convert` does.
   */
  convertPixels?: ConvertPixels;
  /** The same to planes of ink; null where these pixels have to be converted one way or the other. */
  separatePixels?: (pixels: Uint8Array) => InkPlanes | null;
  convertDeepPixels?: ConvertDeepPixels;
}

/** Null leaves a space as it is. `isInMask`: luminosity of a soft mask is at stake, not ink. */
export type MapSpace = (space: ColorSpace, isInMask: boolean) => SpaceMap | null;

export const clamp = (value: number): number => (value < 0 ? 0 : Math.min(value, 1));

/** How light a mask of RGB lets things through (ISO 32000-1, 11.3.5.3). */
export const luminosity = (values: readonly number[]): number =>
  clamp(0.3 * (values[0] ?? 0) + 0.59 * (values[1] ?? 0) + 0.11 * (values[2] ?? 0));

/** The natural range of each component, low and high by turns. */
export function rangesOf(space: ColorSpace): number[] {
  if (space.family === 'Lab') return [0, 100, ...space.range];
  if (space.family === 'Indexed') return [0, space.hival];
  return Array.from({ length: space.components * 2 }, (_, index) => index % 2);
}
