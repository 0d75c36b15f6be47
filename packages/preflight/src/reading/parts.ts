import { baseSpace, type ColorSpace } from '@pdf2press/pdf';
import type { PageObject } from './scene.ts';

export type Part = 'fill' | 'stroke';

/** The paints of an object; each has inks and an overprint setting of its own. */
export function partsOf({ type, event, fill, stroke }: PageObject): Part[] {
  if (type === 'image' || type === 'shading') return ['fill'];
  const painted: Part[] = event.paints === 'both' ? ['fill', 'stroke'] : event.paints === 'none' ? [] : [event.paints];
  return painted.filter((part) => (part === 'fill' ? fill : stroke) !== null || event.state[part].pattern !== null);
}

/** Whether overprint is on for a paint. */
export const overprints = (object: PageObject, part: Part): boolean =>
  part === 'stroke' ? object.event.state.strokeOverprint : object.event.state.fillOverprint;

/** The colour space of a paint, of a pattern or an indexed space the one beneath. Pictures have a space of their own. */
export const spaceOf = ({ event }: PageObject, part: Part): ColorSpace => baseSpace(event.state[part].space);
