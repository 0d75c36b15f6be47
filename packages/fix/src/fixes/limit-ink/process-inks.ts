/** The process inks of colours in any space that has them. */
import type { ColorSpace } from '@pdf2press/pdf';
import type { InkLimiter, Inks } from './limiter.ts';

const processNames = ['Cyan', 'Magenta', 'Yellow', 'Black'];

export const isCmyk = (space: ColorSpace | null): boolean =>
  space?.family === 'DeviceCMYK' || (space?.family === 'ICCBased' && space.components === 4);

/** Changes colours of one space. Values are 0–1, one per component. */
export interface SpaceLimiter {
  isOver: (values: readonly number[]) => boolean;
  limit: (values: readonly number[]) => number[];
}

/**
 * How colours of a space are brought within the limit; null for a space without process inks. Other inks keep their
 * amounts. Where the space lacks one of the four, the ones that it has are reduced alike, for what is missing cannot take
 * their place.
 */
export function limiterOf(limiter: InkLimiter, space: ColorSpace): SpaceLimiter | null {
  const places = placesOf(space);
  if (!places) return null;
  const inksOf = (values: readonly number[]): Inks => places.map((at) => values[at] ?? 0) as unknown as Inks;
  const isWhole = places.every((at) => at >= 0);
  return {
    isOver: (values) => limiter.isOver(inksOf(values)),
    limit(values) {
      const inks = inksOf(values);
      const less = isWhole ? limiter.limit(inks) : limiter.scale(inks);
      const changed = [...values];
      for (const [ink, at] of places.entries()) if (at >= 0) changed[at] = less[ink] as number;
      return changed;
    },
  };
}

/** For each process ink, which component it is; -1 for none. */
function placesOf(space: ColorSpace): number[] | null {
  if (isCmyk(space)) return [0, 1, 2, 3];
  if (space.family !== 'DeviceN') return null;
  const places = processNames.map((name) => space.names.indexOf(name));
  return places.some((at) => at >= 0) ? places : null;
}
