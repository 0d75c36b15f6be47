import type { VectorObject } from './scene.ts';

/** Width of a line on the page in default user space, be it stroked or a filled shape so thin that it is one; null for none. */
export function lineWidthOf(object: VectorObject): number | null {
  const { paints, lineWidth, thinFill } = object.event;
  if (paints !== 'fill') return lineWidth;
  return thinFill;
}

/** The colour a line shows: its stroke, or the fill of a thin shape. */
export const lineColour = (object: VectorObject) => (object.event.paints === 'fill' ? object.fill : object.stroke);
export const lineColourPart = (object: VectorObject): 'fill' | 'stroke' =>
  object.event.paints === 'fill' ? 'fill' : 'stroke';
