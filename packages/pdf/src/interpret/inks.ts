/** The meaning of a colour for a press: process inks, spot inks, white, black. */
import type { ColorSpace, Paint } from './types.ts';

/** Tints of the process inks, 0 to 1. */
export type Cmyk = readonly [c: number, m: number, y: number, k: number];

/** The inks of a colour. */
export interface InkUse {
  /** Process inks of the colour itself, 0 to 1; null when the colour must be converted first (RGB, Lab). */
  readonly cmyk: Cmyk | null;
  /** Spot inks with their tints, including tint 0. */
  readonly spots: readonly { readonly name: string; readonly tint: number }[];
  /** Tint of Separation All. */
  readonly registration: number;
  /** True when nothing is printed: all inks are 0, or device white. */
  readonly isWhite: boolean;
  /** True for black in a space that is converted: RGB 0 0 0 or Lab L 0. */
  readonly isConvertedBlack: boolean;
  /** Number of inks above 0; 0 for colours that are converted. */
  readonly inkCount: number;
  /** C + M + Y + K, 0 to 4; null like `cmyk`. */
  readonly processSum: number | null;
}

const processNames: Record<string, 0 | 1 | 2 | 3> = {
  Cyan: 0,
  Magenta: 1,
  Yellow: 2,
  Black: 3,
};
const tiny = 1e-4;

/** Names that are never spot inks, in any case (GWG 2022, implementation note 3). */
export const reservedInks = new Set(['cyan', 'magenta', 'yellow', 'black', 'all', 'none']);

const cache = new WeakMap<Paint, InkUse | null>();

/** The inks of a paint; null for a pattern with its own colours and for unreadable spaces. The result is cached. */
export function inkUse(paint: Paint): InkUse | null {
  let known = cache.get(paint);
  if (known === undefined) {
    known =
      paint.pattern && paint.space.family === 'Pattern' && !paint.space.underlying
        ? null
        : inksOf(paint.space, paint.values);
    cache.set(paint, known);
  }
  return known;
}

/** The inks of a colour given by its space and values; null for unreadable spaces. */
export function inksOf(space: ColorSpace, values: readonly number[]): InkUse | null {
  const at = (index: number) => values[index] ?? 0;
  switch (space.family) {
    case 'DeviceGray':
    case 'CalGray':
      return inkUseOf([0, 0, 0, 1 - at(0)], [], 0);
    case 'DeviceCMYK':
      return inkUseOf([at(0), at(1), at(2), at(3)], [], 0);
    case 'DeviceRGB':
    case 'CalRGB':
      return converted(
        [0, 1, 2].every((i) => at(i) > 1 - tiny),
        [0, 1, 2].every((i) => at(i) < 0.01),
      );
    case 'Lab':
      return converted(at(0) > 99.9 && Math.abs(at(1)) < 1 && Math.abs(at(2)) < 1, at(0) < 1);
    case 'ICCBased':
      if (space.components === 4) return inkUseOf([at(0), at(1), at(2), at(3)], [], 0);
      if (space.components === 1) return inkUseOf([0, 0, 0, 1 - at(0)], [], 0);
      if (space.alternate.family === 'Lab') return inksOf(space.alternate, values);
      return converted(
        [0, 1, 2].every((i) => at(i) > 1 - tiny),
        [0, 1, 2].every((i) => at(i) < 0.01),
      );
    case 'Indexed':
      return inksOf(space.base, indexedValues(space, at(0)));
    case 'Separation':
    case 'DeviceN':
      return colorants(space.names, values);
    case 'Pattern':
      return space.underlying && inksOf(space.underlying, values);
    case 'Unknown':
      return null;
  }
}

function indexedValues(space: Extract<ColorSpace, { family: 'Indexed' }>, index: number): number[] {
  const count = space.base.components;
  const entry = Math.min(Math.max(Math.round(index), 0), space.hival) * count;
  const bytes = Array.from(space.lookup.subarray(entry, entry + count), (byte) => byte / 255);
  if (space.base.family !== 'Lab') return bytes;
  const [aMin, aMax, bMin, bMax] = space.base.range;
  return [(bytes[0] ?? 0) * 100, aMin + (bytes[1] ?? 0) * (aMax - aMin), bMin + (bytes[2] ?? 0) * (bMax - bMin)];
}

function colorants(names: readonly string[], values: readonly number[]): InkUse {
  const cmyk: [number, number, number, number] = [0, 0, 0, 0];
  const spots: { name: string; tint: number }[] = [];
  let registration = 0;
  names.forEach((name, i) => {
    const tint = values[i] ?? 0;
    const process = processNames[name];
    if (process !== undefined) cmyk[process] = tint;
    else if (name === 'All') registration = tint;
    else if (name !== 'None') spots.push({ name, tint });
  });
  return inkUseOf(
    registration > 0 ? [registration, registration, registration, registration] : cmyk,
    spots,
    registration,
  );
}

function inkUseOf(cmyk: Cmyk, spots: InkUse['spots'], registration: number): InkUse {
  const process = cmyk.filter((tint) => tint > tiny).length;
  const inked = spots.filter((spot) => spot.tint > tiny).length;
  return {
    cmyk,
    spots,
    registration,
    isWhite: process === 0 && inked === 0,
    isConvertedBlack: false,
    inkCount: process + inked,
    processSum: cmyk[0] + cmyk[1] + cmyk[2] + cmyk[3],
  };
}

const converted = (isWhite: boolean, isBlack: boolean): InkUse => ({
  cmyk: null,
  spots: [],
  registration: 0,
  isWhite,
  isConvertedBlack: isBlack,
  inkCount: 0,
  processSum: null,
});

/** True for black only, at any tint. */
export const isOnlyBlack = (inks: InkUse): boolean =>
  inks.cmyk !== null && inks.cmyk[3] > tiny && inks.inkCount === 1 && inks.registration === 0;
/** True for black only, at 100 %. */
export const isSolidBlack = (inks: InkUse): boolean => isOnlyBlack(inks) && (inks.cmyk?.[3] ?? 0) > 1 - tiny;

/**
 * The space in which colours are specified: the base of Indexed, the underlying space of Pattern, else the space
 * itself. Never an alternate space, which only replaces missing inks.
 */
export function baseSpace(space: ColorSpace): ColorSpace {
  if (space.family === 'Indexed') return baseSpace(space.base);
  if (space.family === 'Pattern' && space.underlying) return baseSpace(space.underlying);
  return space;
}

/** Names of the spot inks that a space can print. */
export function spotNames(space: ColorSpace): readonly string[] {
  const base = baseSpace(space);
  if (base.family !== 'Separation' && base.family !== 'DeviceN') return [];
  return base.names.filter((name) => !reservedInks.has(name.toLowerCase()));
}
