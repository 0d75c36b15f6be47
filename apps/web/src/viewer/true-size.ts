import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { preferenceKey } from '../preferences/preferences.ts';
import { cssPixelsPerPoint } from './page-geometry.ts';

/** Sides of every bank card, identity card and driving licence, in millimetres (ISO/IEC 7810, ID-1). */
export const card = { long: 85.6, short: 53.98 } as const;
/** Lengths that the long side of a card may have on a screen, in CSS pixels: from a wall display to a fine telephone. */
export const cardLimits = { min: 120, max: 800 } as const;

interface Screen {
  density: number | null;
}

/**
 * What the screen was measured to have: its own pixels per millimetre, which stay the same when the browser zooms. Null
 * before it was measured. Kept until the tab is closed.
 */
export const useScreen = create<Screen>()(
  persist((): Screen => ({ density: null }), {
    name: preferenceKey('screen'),
    storage: createJSONStorage(() => sessionStorage),
  }),
);

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
