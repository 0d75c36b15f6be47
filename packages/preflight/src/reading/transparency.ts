/** Whether and why an object or a group is transparent. */
import type { GraphicsState, RunEvent } from '@pdf2press/pdf';
import type { PageObject } from './scene.ts';

export type TransparencyReason = 'softMask' | 'blendMode' | 'alpha';

/** Transparency by graphics state or by the soft mask of an image; null for an opaque object. */
export function objectTransparency(object: PageObject): TransparencyReason | null {
  if (object.type === 'image' && object.event.image.softMask) return 'softMask';
  const fills = object.fill !== null || object.type === 'image' || object.type === 'shading';
  return stateTransparency(object.event.state, fills, object.stroke !== null);
}

/** Transparency of a group as a whole; objects inside it start opaque (ISO 32000-1:2008, 11.6.6). Null for an opaque one. */
export function groupTransparency({ run, state, layers }: RunEvent): TransparencyReason | null {
  const isPainted =
    run.kind === 'form' && run.group !== null && !run.isInSoftMask && layers.isVisible && !state.clip.isEmpty;
  return isPainted ? stateTransparency(state, true, false) : null;
}

function stateTransparency(state: GraphicsState, fills: boolean, strokes: boolean): TransparencyReason | null {
  if (state.softMask) return 'softMask';
  if (state.blendMode !== 'Normal') return 'blendMode';
  return (fills && state.fillAlpha < 1) || (strokes && state.strokeAlpha < 1) ? 'alpha' : null;
}
