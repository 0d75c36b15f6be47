import { covers, type Rect, type Run } from '@pdf2press/pdf';
import type { PageObject } from './scene.ts';

/** An opaque area: what was painted under it before does not print. */
export type Cover = (below: PageObject) => boolean;

/**
 * What an object covers: opaque rectangles and upright images that knock out. Null for other objects. In a transparency
 * group, which may be transparent as a whole, and in a pattern cell only what is in there, too, is covered.
 */
export function coverOf(object: PageObject): Cover | null {
  const area = coveredBy(object);
  if (!area) return null;
  const around = enclosing(object.event.place.run);
  return (below) => {
    const run = below.event.place.run;
    if (around ? !isWithin(run, around) : run.tiled) return false;
    return covers(area, below.box);
  };
}

function coveredBy(object: PageObject): Rect | null {
  const { state } = object.event;
  if (state.softMask || state.blendMode !== 'Normal' || state.fillAlpha < 1 || state.fillOverprint) return null;
  if (!state.clip.isRect) return null;
  if (object.type === 'vector')
    return object.event.isRect && object.event.paints !== 'stroke' && object.fill ? object.box : null;
  if (object.type !== 'image') return null;
  const { image, quad } = object.event;
  const isUpright = quad[1] === quad[3] || quad[0] === quad[2];
  return isUpright && !image.isStencil && !image.softMask && !image.mask && !image.colorKey ? object.box : null;
}

/** The innermost transparency group or pattern cell around a run, itself included; the page’s own group is none. */
function enclosing(run: Run): Run | null {
  for (let at: Run | null = run; at && at.depth > 0; at = at.parent) if (at.group || at.kind === 'pattern') return at;
  return null;
}

function isWithin(run: Run, around: Run): boolean {
  for (let at: Run | null = run; at; at = at.parent) if (at === around) return true;
  return false;
}
