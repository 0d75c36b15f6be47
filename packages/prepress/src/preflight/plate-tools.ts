/** Looks at plates that several checks share. */
import { type PagePlates, type PixelRect, pixelsOf, type Rect } from '@pdf2press/pdf';

const totals = new WeakMap<PagePlates, Uint16Array>();

/** Sum of all plates per pixel, 255 = 100 %; kept as long as the plates are. */
export function totalInkOf(plates: PagePlates): Uint16Array {
  let total = totals.get(plates);
  if (!total) {
    total = plates.totalInk('all');
    totals.set(plates, total);
  }
  return total;
}

/** A part of the plates' raster, for functions that take whole rasters. */
export function cutOut(total: Uint16Array, width: number, at: PixelRect): Uint16Array {
  const part = new Uint16Array(at.width * at.height);
  for (let row = 0; row < at.height; row += 1) {
    const from = (at.top + row) * width + at.left;
    part.set(total.subarray(from, from + at.width), row * at.width);
  }
  return part;
}

/** Share of pixels of an area (points) with any ink, 0..1. */
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
