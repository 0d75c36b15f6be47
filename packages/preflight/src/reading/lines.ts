import type { VectorObject } from './scene.ts';

/** Width of a stroke, or of a filled shape thin enough to count as a line, in default user space; null for other shapes. */
export function lineWidthOf(object: VectorObject): number | null {
  const { paints, lineWidth, thinFill } = object.event;
  if (paints !== 'fill') return lineWidth;
  return thinFill;
}

/** Inks of a line: of the stroke, or of the fill of a thin shape. */
export const lineColour = (object: VectorObject) => (object.event.paints === 'fill' ? object.fill : object.stroke);
export const lineColourPart = (object: VectorObject): 'fill' | 'stroke' =>
  object.event.paints === 'fill' ? 'fill' : 'stroke';
