/** Describes the conversion of one colour space. */
import type { ColorSpace, InkPlanes, PdfValue } from '@pdf2press/pdf';

/** Converts pixels of 8 bits per component, interleaved; writes into `out` if given. */
export type ConvertPixels = (pixels: Uint8Array, out?: Uint8Array) => Uint8Array;

/**
 * Converts RGB pixels to CMYK planes for a JPEG. The input buffer is reused for the chromatic plane, to save memory
 * with large images.
 */
export type SeparatePixels = (pixels: Uint8Array) => InkPlanes;

/** `ConvertPixels` with 16 bits per component, 0–65535. */
export type ConvertDeepPixels = (pixels: Uint16Array) => Uint16Array;

export interface SpaceMap {
  /** The new colour space as a PDF value. */
  value: PdfValue;
  /** Colour operators of a device space; null for a space that needs `cs`. */
  device: { fill: 'g' | 'rg' | 'k'; stroke: 'G' | 'RG' | 'K' } | null;
  components: number;
  /** Converts one colour; components in the natural ranges of the source space (0–1; Lab: its own). */
  convert: (values: readonly number[]) => number[];
  /** Component values stay the same; only the space changes. */
  isSameValues: boolean;
  /**
   * Converts many colours, 8 bits per component over the natural ranges of the source space (0–255 = 0–1; Lab: its
   * Range). When absent, `convert` is used.
   */
  convertPixels?: ConvertPixels;
  /** `convertPixels` with separate planes as output; null where these pixels need the other way. */
  separatePixels?: (pixels: Uint8Array) => InkPlanes | null;
  convertDeepPixels?: ConvertDeepPixels;
}

/** The conversion of a space; null leaves it as it is. `isInMask`: the space is used in a luminosity soft mask. */
export type MapSpace = (space: ColorSpace, isInMask: boolean) => SpaceMap | null;

export const clamp = (value: number): number => (value < 0 ? 0 : Math.min(value, 1));

/** Luminosity of an RGB colour (ISO 32000-1, 11.3.5.3). */
export const luminosity = (values: readonly number[]): number =>
  clamp(0.3 * (values[0] ?? 0) + 0.59 * (values[1] ?? 0) + 0.11 * (values[2] ?? 0));

/** Natural range of each component: low, high, low, high, … */
export function rangesOf(space: ColorSpace): number[] {
  if (space.family === 'Lab') return [0, 100, ...space.range];
  if (space.family === 'Indexed') return [0, space.hival];
  return Array.from({ length: space.components * 2 }, (_, index) => index % 2);
}
