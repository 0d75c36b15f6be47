import type { LayoutPage, Rect, SessionPage } from '@pdf2press/contract';
import { toPoints } from '@pdf2press/contract';
import type { UsualPages } from '@pdf2press/impose/contracts';

/** Assumed pages of equal size with bleed on all sides. Lengths in points. */
export interface AssumedPages extends UsualPages {
  bleed: number;
}

/** The usual pages of a layout, with 3 mm of bleed. */
export const withBleed = (pages: UsualPages): AssumedPages => ({ ...pages, bleed: toPoints(3, 'Millimeters') });

export function assumed({ count, width, height, bleed }: AssumedPages): LayoutPage[] {
  const around = { x: 0, y: 0, width: width + 2 * bleed, height: height + 2 * bleed };
  const page = {
    media: around,
    bleed: around,
    trim: { x: bleed, y: bleed, width, height },
    hasBleedBox: true,
    hasTrimBox: true,
  };
  return Array.from({ length: count }, () => page);
}

type Edges = readonly [number, number, number, number];

/** A box as displayed: rotated with the page (clockwise) and in physical points. The origin is the seen MediaBox's. */
function seen([x0, y0, x1, y1]: Edges, [mx0, my0, mx1, my1]: Edges, rotate: number, userUnit: number): Rect {
  const [left, bottom, right, top] = {
    0: [x0 - mx0, y0 - my0, x1 - mx0, y1 - my0],
    90: [y0 - my0, mx1 - x1, y1 - my0, mx1 - x0],
    180: [mx1 - x1, my1 - y1, mx1 - x0, my1 - y0],
    270: [my1 - y1, x0 - mx0, my1 - y0, x1 - mx0],
  }[rotate as 0 | 90 | 180 | 270] as [number, number, number, number];
  const width = right - left;
  const height = top - bottom;
  return { x: left * userUnit, y: bottom * userUnit, width: width * userUnit, height: height * userUnit };
}

const isSame = (one: Edges, other: Edges) => one.every((value, at) => Math.abs(value - (other[at] ?? 0)) < 0.01);

/** A session's page as a layout has to know it, and what its thumbnail shows (the CropBox). */
export function ofSession({ boxes, rotate, userUnit }: SessionPage): { page: LayoutPage; crop: Rect } {
  const of = (box: Edges) => seen(box, boxes.media, rotate, userUnit);
  return {
    page: {
      media: of(boxes.media),
      bleed: of(boxes.bleed),
      trim: of(boxes.trim),
      hasBleedBox: !isSame(boxes.bleed, boxes.trim),
      hasTrimBox: !isSame(boxes.trim, boxes.crop),
    },
    crop: of(boxes.crop),
  };
}
