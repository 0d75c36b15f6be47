/**
 * The objects of a page as checks see them: place, inks, and whether they print. Each is made once from an event of the
 * content interpreter and given to every check.
 */
import type { EventBase, ImageEvent, PathEvent, Rect, Run, ShadingEvent, TextEvent } from '@pdf2press/pdf';
import { covers, type InkUse, inkUse, isEmptyRect, objectPath, overlap, shownOnPage, touches } from '@pdf2press/pdf';
import type { PageArea } from './page-area.ts';
import type { ObjectFilter, ProfileFrame } from './profile-frame.ts';

/** Why an object does not print; null when it does. */
export type Hidden = null | 'layer' | 'annotation' | 'invisible' | 'transparent' | 'clipped' | 'mask' | 'outside';

interface ObjectBase {
  readonly hidden: Hidden;
  /** Visible part: clipped, default user space. */
  readonly box: Rect;
  /** Inks; null when the object has no fill or stroke, or its colours are those of a pattern. */
  readonly fill: InkUse | null;
  readonly stroke: InkUse | null;
  readonly event: EventBase;
  /** Inside the appearance of an annotation. */
  readonly inAnnotation: boolean;
  /** Inside a Type 3 glyph. The text that shows the glyph is an object of its own. */
  readonly inGlyph: boolean;
}
export interface TextObject extends ObjectBase {
  readonly type: 'text';
  readonly event: TextEvent;
}
export interface VectorObject extends ObjectBase {
  readonly type: 'vector';
  readonly event: PathEvent;
}
export interface ImageObject extends ObjectBase {
  readonly type: 'image';
  readonly event: ImageEvent;
}
export interface ShadingObject extends ObjectBase {
  readonly type: 'shading';
  readonly event: ShadingEvent;
}
export type PageObject = TextObject | VectorObject | ImageObject | ShadingObject;

const glyphRuns = new WeakMap<Run, boolean>();
function isInGlyph(run: Run): boolean {
  let known = glyphRuns.get(run);
  if (known === undefined) {
    known = run.kind === 'type3' || (run.parent !== null && isInGlyph(run.parent));
    glyphRuns.set(run, known);
  }
  return known;
}

const annotationRuns = new WeakMap<Run, Run | null>();
/** The annotation appearance that a run belongs to; null for page content. */
export function appearanceOf(run: Run): Run | null {
  let known = annotationRuns.get(run);
  if (known === undefined) {
    known = run.annotation ? run : run.parent && appearanceOf(run.parent);
    annotationRuns.set(run, known);
  }
  return known;
}

export interface SceneFrame {
  area: PageArea;
  considerLayers: ProfileFrame['considerLayers'];
}

function hiddenBy(
  event: EventBase,
  box: Rect,
  paintsNothing: boolean,
  isTransparent: boolean,
  frame: SceneFrame,
): Hidden {
  const { run } = event.place;
  if (frame.considerLayers !== 'AllOn') {
    const shows = frame.considerLayers === 'PrintState' ? event.layers.isPrinted : event.layers.isVisible;
    if (!shows) return 'layer';
  }
  const appearance = appearanceOf(run);
  if (appearance?.annotation && !appearance.annotation.isPrinted) return 'annotation';
  if (run.isInSoftMask) return 'mask';
  if (paintsNothing) return 'invisible';
  if (isTransparent) return 'transparent';
  if (event.state.clip.isEmpty || isEmptyRect(box)) return 'clipped';
  return touches(box, frame.area.job) ? null : 'outside';
}

/** Longer paths are not looked at part by part. */
const mostParts = 4000;

/**
 * Whether an object paints in an area. The marks of a sheet are often one path, whose box holds the whole page although
 * no part of it lies there: lines are looked at one by one, and shapes by their subpaths.
 */
export function paintsIn(object: PageObject, area: Rect): boolean {
  if (!touches(object.box, area)) return false;
  return object.type !== 'vector' || covers(area, object.box) || partsPaintIn(object.event, area);
}

function partsPaintIn(event: PathEvent, area: Rect): boolean {
  const isFilled = event.paints !== 'stroke';
  if (event.segmentCount > mostParts || (isFilled && event.isRect)) return true;
  // The thinnest line, of width 0, covers a pixel of the plate.
  const half = Math.max(event.lineWidth / 2, 0.01);
  const around = event.state.clip.bbox;
  const isSeen = ([x0, y0, x1, y1]: Rect): boolean =>
    touches(shownOnPage(event.place.run, overlap([x0 - half, y0 - half, x1 + half, y1 + half], around)), area);
  return (isFilled ? shapeBoxes(event) : lineBoxes(event)).some(isSeen);
}

/** The box of points, given as x and y in turn. There must be one; there may be too many for the arguments of a call. */
export function boxAround(points: readonly number[]): Rect {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at] as number, points[at + 1] as number];
    [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
  }
  return [x0, y0, x1, y1];
}

/** A box around each line and curve of a path. */
function lineBoxes(event: PathEvent): Rect[] {
  let start: readonly number[] = [];
  let last: readonly number[] = [];
  return event.segments().flatMap(([kind, ...points]): Rect[] => {
    const from = last;
    last = kind === 'Z' ? start : points.slice(-2);
    if (kind === 'M') {
      start = points;
      return [];
    }
    return [boxAround([...from, ...(kind === 'Z' ? start : points)])];
  });
}

/** A box around each subpath. */
function shapeBoxes(event: PathEvent): Rect[] {
  const shapes: number[][] = [];
  for (const [kind, ...points] of event.segments()) {
    if (kind === 'M') shapes.push([]);
    shapes.at(-1)?.push(...points);
  }
  return shapes.filter(({ length }) => length > 0).map(boxAround);
}

/** Objects with less opacity than this do not show. */
const noAlpha = 0.001;

export function textObject(event: TextEvent, frame: SceneFrame): TextObject {
  const { state } = event;
  const box = shownOnPage(event.place.run, overlap(event.bbox, state.clip.bbox));
  const fills = event.paints === 'fill' || event.paints === 'both';
  const strokes = event.paints === 'stroke' || event.paints === 'both';
  const isTransparent = (!fills || state.fillAlpha < noAlpha) && (!strokes || state.strokeAlpha < noAlpha);
  return {
    type: 'text',
    event,
    box,
    fill: fills ? inkUse(state.fill) : null,
    stroke: strokes ? inkUse(state.stroke) : null,
    hidden: hiddenBy(event, box, event.paints === 'none' || event.glyphCount === 0, isTransparent, frame),
    inAnnotation: appearanceOf(event.place.run) !== null,
    inGlyph: isInGlyph(event.place.run),
  };
}

export function vectorObject(event: PathEvent, frame: SceneFrame): VectorObject {
  const { state } = event;
  const box = shownOnPage(event.place.run, event.painted);
  const fills = event.paints !== 'stroke';
  const strokes = event.paints !== 'fill';
  const isTransparent = (!fills || state.fillAlpha < noAlpha) && (!strokes || state.strokeAlpha < noAlpha);
  return {
    type: 'vector',
    event,
    box,
    fill: fills ? inkUse(state.fill) : null,
    stroke: strokes ? inkUse(state.stroke) : null,
    hidden:
      hiddenBy(event, box, false, isTransparent, frame) ??
      (covers(frame.area.job, box) || partsPaintIn(event, frame.area.job) ? null : 'outside'),
    inAnnotation: appearanceOf(event.place.run) !== null,
    inGlyph: isInGlyph(event.place.run),
  };
}

export function imageObject(event: ImageEvent, frame: SceneFrame): ImageObject {
  const box = shownOnPage(event.place.run, overlap(event.bbox, event.state.clip.bbox));
  return {
    type: 'image',
    event,
    box,
    fill: event.image.isStencil ? inkUse(event.state.fill) : null,
    stroke: null,
    hidden: hiddenBy(event, box, false, event.state.fillAlpha < noAlpha, frame),
    inAnnotation: appearanceOf(event.place.run) !== null,
    inGlyph: isInGlyph(event.place.run),
  };
}

export function shadingObject(event: ShadingEvent, frame: SceneFrame): ShadingObject {
  const box = shownOnPage(event.place.run, overlap(event.bbox, event.state.clip.bbox));
  return {
    type: 'shading',
    event,
    box,
    fill: null,
    stroke: null,
    hidden: hiddenBy(event, box, false, event.state.fillAlpha < noAlpha, frame),
    inAnnotation: appearanceOf(event.place.run) !== null,
    inGlyph: isInGlyph(event.place.run),
  };
}

/** Whether an object paints with tiling patterns only: what shows are the objects of their cells. */
export function isTiledOnly({ type, event }: PageObject): boolean {
  if (type === 'shading' || (type === 'image' && !event.image.isStencil)) return false;
  const isTiled = (part: 'fill' | 'stroke') => event.state[part].pattern?.type === 'tiling';
  if (type === 'image') return isTiled('fill');
  const parts = event.paints === 'both' ? (['fill', 'stroke'] as const) : event.paints === 'none' ? [] : [event.paints];
  return parts.length > 0 && parts.every(isTiled);
}

/** Whether an object is of a kind that the filter names; a null filter accepts all. */
export function passesFilter(object: PageObject, filter: readonly ObjectFilter[] | null): boolean {
  if (!filter) return true;
  return object.inAnnotation ? filter.includes('annotation') : filter.includes(object.type);
}

/** Where an object is in the file: `12 0 R page/Fm12/op345`. The object number is given for images. */
export function referenceOf(object: PageObject): string {
  const path = objectPath(object.event.place);
  const num = object.type === 'image' ? object.event.image.object : 0;
  return num ? `${num} 0 R ${path}` : path;
}

/** The first 20 characters of a text at most, to find it on the page. */
export function sampleOf(event: TextEvent): string {
  let text = '';
  for (const glyph of event.glyphs()) {
    text += glyph.unicode;
    if (text.length >= 20) break;
  }
  return text
    .slice(0, 20)
    .replace(/[\p{Cc}\p{Co}\p{Cn}\p{Cs}]/gu, '')
    .trim();
}
