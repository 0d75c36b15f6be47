/** Colours and transparency of a painted object. */
import type { GraphicsState, ImageEvent, Paint, PathEvent, ShadingEvent, TextEvent } from '@pdf2press/pdf';

export type Painted = TextEvent | PathEvent | ImageEvent | ShadingEvent;

export const strokes = (event: Painted): boolean =>
  'paints' in event && (event.paints === 'stroke' || event.paints === 'both');
export const fills = (event: Painted): boolean =>
  !('paints' in event) || event.paints === 'fill' || event.paints === 'both';

export const paintsOf = (event: Painted): Paint[] => [
  ...(strokes(event) ? [event.state.stroke] : []),
  ...(fills(event) ? [event.state.fill] : []),
];

/** Whether objects painted in this state are transparent or blend with what is below. */
export const isTransparent = (state: GraphicsState): boolean =>
  state.fillAlpha < 1 || state.strokeAlpha < 1 || state.softMask !== null || state.blendMode !== 'Normal';
