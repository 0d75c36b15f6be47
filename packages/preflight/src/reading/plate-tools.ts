/** Measurements on plates that several checks use. */
import { type PagePlates, pixelsOf, type Rect } from '@pdf2press/pdf';

/** Of the plates that were asked for last: all checks look at a page before the next one comes. */
let last: { plates: WeakRef<PagePlates>; total: Uint16Array } | null = null;

/**
 * Sum of all plates per pixel, 255 = 100 %. Computed once for all checks that look at the page one after the other. Valid
 * until the sum of another page is asked for, which takes its place: an array for each of a thousand pages would be
 * collected later than it is in the way.
 */
export function totalInkOf(plates: PagePlates): Uint16Array {
  if (last?.plates.deref() !== plates)
    last = { plates: new WeakRef(plates), total: plates.totalInk('all', last?.total) };
  return last.total;
}

/** Share of the pixels of an area that have ink, 0 to 1. The area is in default user space. */
export function inkedShare(plates: PagePlates, area: Rect): number {
  const total = totalInkOf(plates);
  const at = pixelsOf(plates.frame, area);
  let inked = 0;
  for (let row = at.top; row < at.top + at.height; row += 1) {
    const end = row * plates.width + at.left + at.width;
    for (let i = row * plates.width + at.left; i < end; i += 1) if (total[i] !== 0) inked += 1;
  }
  return inked / (at.width * at.height);
}
