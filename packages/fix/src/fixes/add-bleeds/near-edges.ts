/** Objects near the edges of a page, found without rendering it. */
import {
  inkUse,
  interpretPage,
  intersect,
  isEmptyRect,
  type PageFacts,
  type PdfFile,
  type Quad,
  type Rect,
  type Run,
  type RunEvent,
  type Shading,
} from '@pdf2press/pdf';
import { blendsInInk, createColourKinds } from '../../editing/colour-kinds.ts';
import { isTransparent, type Painted, paintsOf } from '../../editing/painted.ts';
import { type Side, sides } from './sides.ts';

export interface NearEdges {
  /** Boxes that reach the trim or beyond. Default user space, before Rotate. */
  reaching: Rect[];
  /** Boxes of opaque objects that hide everything below them: rectangles, pictures, gradients. */
  covering: Rect[];
  /** Whether the bleed of a side is taken from objects in RGB only, none of them in inks. */
  isLight: Record<Side, boolean>;
}

/**
 * Finds objects that come within `within` units of the default user space of an edge of the trim. White objects are
 * not counted. Boxes may be too large, because the plates are measured afterwards.
 * @param zones the strip of each side from which its bleed is taken
 */
export function nearEdges(
  file: PdfFile,
  page: PageFacts,
  trim: Rect,
  { within, zones }: { within: number; zones: Record<Side, Rect> },
): NearEdges {
  const found: Pick<NearEdges, 'reaching' | 'covering'> = { reaching: [], covering: [] };
  const groups = new Set<Run>();
  const kinds = sides.map((side) => ({ side, colours: createColourKinds() }));
  const see = (event: Painted): void => {
    const { run } = event.place;
    if (run.isInSoftMask) return;
    // A pattern cell is reported where it is defined, so its colours may be at every side; the object it fills is
    // reported on its own.
    if (run.isInPattern) {
      for (const { colours } of kinds) colours.see(event);
      return;
    }
    if (event.state.clip.isEmpty || (!event.layers.isVisible && !event.layers.isPrinted)) return;
    const box = intersect(boxOf(event), event.state.clip.bbox);
    if (isEmptyRect(box)) return;
    for (const { side, colours } of kinds) if (!isEmptyRect(intersect(box, zones[side]))) colours.see(event);
    if (isInside(box, trim, within)) return;
    if (!isWhite(event)) found.reaching.push(box);
    if (isCovering(event, file) && !isSeenThrough(event) && !isIn(groups, run))
      found.covering.push(intersect(event.bbox, event.state.clip.bbox));
  };
  interpretPage(
    file,
    page.number,
    [
      {
        text: (event) => void (event.paints !== 'none' && see(event)),
        path: see,
        image: see,
        shading: see,
        runBegin: (event) => void (isGroupSeenThrough(event) && groups.add(event.run)),
      },
    ],
    { annotations: true, everyUse: true },
  );
  const isBlendedInInk = blendsInInk(file, page);
  const isLight = Object.fromEntries(
    kinds.map(({ side, colours }) => [side, colours.isLight() && !isBlendedInInk]),
  ) as NearEdges['isLight'];
  return { ...found, isLight };
}

const isInside = (box: Rect, trim: Rect, within: number): boolean =>
  box[0] > trim[0] + within && box[1] > trim[1] + within && box[2] < trim[2] - within && box[3] < trim[3] - within;

function isIn(groups: ReadonlySet<Run>, run: Run): boolean {
  for (let at: Run | null = run; at && groups.size > 0; at = at.parent) if (groups.has(at)) return true;
  return false;
}

function boxOf(event: Painted): Rect {
  if ('painted' in event) return event.painted;
  // Accents and swashes extend beyond a font's box.
  const by = event.kind === 'text' ? event.effectiveSize * 0.3 : 0.5;
  const [x0, y0, x1, y1] = event.bbox;
  return [x0 - by, y0 - by, x1 + by, y1 + by];
}

const isGroupSeenThrough = ({ run, state }: RunEvent): boolean =>
  run.kind === 'form' && (state.softMask !== null || state.blendMode !== 'Normal' || state.fillAlpha < 1);

function isSeenThrough(event: Painted): boolean {
  const { state } = event;
  return (
    isTransparent(state) ||
    (event.kind === 'image' && (event.image.softMask !== null || event.image.dict.map.has('SMaskInData')))
  );
}

/** Whether the object paints its whole box with full opacity. */
function isCovering(event: Painted, file: PdfFile): boolean {
  const { state, layers } = event;
  if (!state.clip.isRect || state.fillOverprint || !layers.isVisible || !layers.isPrinted || event.kind === 'text')
    return false;
  if (event.kind === 'shading') return isEndless(event.shading, file);
  if (event.kind === 'image') {
    const { isStencil, mask, colorKey } = event.image;
    return !isStencil && mask === null && colorKey === null && isUpright(event.quad);
  }
  const { pattern } = state.fill;
  const isFull = pattern === null || (pattern.type === 'shading' && isEndless(pattern.shading, file));
  return event.isRect && event.paints !== 'stroke' && isFull;
}

/** A linear gradient that is extended at both ends. */
function isEndless({ type, dict }: Shading, file: PdfFile): boolean {
  const extend = file.entry(dict, 'Extend');
  return (
    type === 2 && Array.isArray(extend) && extend.length === 2 && extend.every((end) => file.resolve(end) === true)
  );
}

const isUpright = ([x0, y0, x1, y1, , , x3, y3]: Quad): boolean =>
  (isSame(x0, x1) && isSame(y0, y3)) || (isSame(y0, y1) && isSame(x0, x3));
const isSame = (a: number, b: number): boolean => Math.abs(a - b) < 0.01;

function isWhite(event: Painted): boolean {
  if (event.kind !== 'text' && event.kind !== 'path') return false;
  return paintsOf(event).every((paint) => inkUse(paint)?.isWhite === true);
}
