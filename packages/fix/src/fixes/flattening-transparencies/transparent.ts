/** What of an object is transparent, overprints, and where it shows. */
import { intersect, type Rect } from '@pdf2press/pdf';
import { fills, type Painted, strokes } from '../../editing/painted.ts';

export const grown = (box: Rect, by: number): Rect => [box[0] - by, box[1] - by, box[2] + by, box[3] + by];

export const seenBox = (event: Painted): Rect =>
  intersect(
    'painted' in event ? event.painted : grown(event.bbox, event.kind === 'text' ? event.effectiveSize * 0.3 : 0),
    event.state.clip.bbox,
  );

export const overprints = (event: Painted): boolean =>
  (strokes(event) && event.state.strokeOverprint) || (fills(event) && event.state.fillOverprint);

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
