/** Why something is transparent: one reading for every rule that asks. */
import type { GraphicsState, RunEvent } from '@pdf2press/pdf';
import type { PageObject } from './scene.ts';

export type TransparencyReason = 'softMask' | 'blendMode' | 'alpha';

/** By its own graphics state or its picture's soft mask; null when it is opaque. */
export function objectTransparency(object: PageObject): TransparencyReason | null {
  if (object.type === 'image' && object.event.image.softMask) return 'softMask';
  const fills = object.fill !== null || object.type === 'image' || object.type === 'shading';
  return stateTransparency(object.event.state, fills, object.stroke !== null);
}

/** A transparency group that is painted transparently as a whole; inside it everything begins opaque (ISO 32000-1, 11.6.6). */
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
