import { create } from 'zustand';
import { preferenceKey } from '../preferences/kept.ts';
import { cssPixelsPerPoint } from './page-geometry.ts';

/** Sides of a bank card and the radius of its corners, in millimetres (ISO/IEC 7810, ID-1). */
export const card = { long: 85.6, short: 53.98, corner: 3.18 } as const;
/** Lengths that the long side of a card may have on a screen, in CSS pixels: from a wall display to a fine telephone. */
export const cardLimits = { min: 120, max: 800 } as const;

const key = preferenceKey('screen');

function kept(): number | null {
  try {
    return Number(sessionStorage.getItem(key)) || null;
  } catch {
    // The storage can be forbidden by the browser; the screen is measured again then.
    return null;
  }
}

/** What is known of the screen: its own pixels per millimetre, which stay the same when the browser zooms; null before it was measured. */
export const useScreen = create<{ density: number | null }>(() => ({ density: kept() }));

/** Keeps what was measured until the tab is closed. */
export function keepDensity(density: number): void {
  useScreen.setState({ density });
  try {
    sessionStorage.setItem(key, String(density));
  } catch {
    // It is known until the page is left.
  }
}

/** Pixels of the screen per millimetre, from the long side of a card in CSS pixels. */
export const densityOf = (cardPixels: number, pixelRatio: number): number => (cardPixels * pixelRatio) / card.long;

/** The long side of a card in CSS pixels; as CSS takes a millimetre to be where the screen was not measured. */
export const cardPixelsOn = (density: number | null, pixelRatio: number): number =>
  card.long * (density === null ? (cssPixelsPerPoint * 72) / 25.4 : density / pixelRatio);

/** CSS pixels per point at which a page is as large as on paper. */
export const trueScale = (density: number | null, pixelRatio: number): number =>
  density === null ? cssPixelsPerPoint : ((density / pixelRatio) * 25.4) / 72;

/** The long side of the outline whose corner was dragged to this place, CSS pixels from its upper left corner. */
export function draggedTo({ x, y }: { x: number; y: number }, isUpright: boolean): number {
  const [along, beside] = isUpright ? [y, x] : [x, y];
  const long = Math.max(along, (beside * card.long) / card.short);
  return Math.round(Math.min(cardLimits.max, Math.max(cardLimits.min, long)));
}
