/** What of an object is transparent, overprints, and where it shows. */
import {
  type GraphicsState,
  type ImageEvent,
  intersect,
  type Paint,
  type PathEvent,
  type Rect,
  type ShadingEvent,
  type TextEvent,
} from '@pdf2press/pdf';

export const grown = (box: Rect, by: number): Rect => [box[0] - by, box[1] - by, box[2] + by, box[3] + by];

export type Painted = TextEvent | PathEvent | ImageEvent | ShadingEvent;

export const seenBox = (event: Painted): Rect =>
  intersect(
    'painted' in event ? event.painted : grown(event.bbox, event.kind === 'text' ? event.effectiveSize * 0.3 : 0),
    event.state.clip.bbox,
  );

const strokes = (event: Painted): boolean =>
  'paints' in event && (event.paints === 'stroke' || event.paints === 'both');
const fills = (event: Painted): boolean => !('paints' in event) || event.paints === 'fill' || event.paints === 'both';

export const overprints = (event: Painted): boolean =>
  (strokes(event) && event.state.strokeOverprint) || (fills(event) && event.state.fillOverprint);

export const paintsOf = (event: Painted): Paint[] => [
  ...(strokes(event) ? [event.state.stroke] : []),
  ...(fills(event) ? [event.state.fill] : []),
];

export const isTransparent = (state: GraphicsState): boolean =>
  state.fillAlpha < 1 || state.strokeAlpha < 1 || state.softMask !== null || state.blendMode !== 'Normal';

/** Only what counts: an alpha for strokes does not make a fill transparent. */
export function paintsTransparent(event: Painted): boolean {
  const { state } = event;
  if (state.softMask !== null || state.blendMode !== 'Normal') return true;
  const isStroked =
    (event.kind === 'text' || event.kind === 'path') && (event.paints === 'stroke' || event.paints === 'both');
  const isFilled = !(event.kind === 'text' || event.kind === 'path') || event.paints !== 'stroke';
  if (event.kind === 'image' && (event.image.softMask !== null || event.image.dict.map.has('SMaskInData'))) return true;
  return (isFilled && state.fillAlpha < 1) || (isStroked && state.strokeAlpha < 1);
}
