import {
  type Box,
  boundsOfPath,
  mostNotePoints,
  type NoteMark,
  type ProofNote,
  type SessionPage,
} from '@pdf2press/contract';
import { type Size, type Spot, toArea, toPoint, toSpot } from './page-geometry.ts';

/** Where a note stands on a page, and how that is marked. */
export type NotePlace = Pick<ProofNote, 'box' | 'mark' | 'path'>;

/** A smaller box or a shorter line was meant as a point, CSS pixels. */
const leastDrawn = 6;
/** Points of a line drawn by hand lie at least this far from each other, CSS pixels. */
const leastStep = 2;

const within = (share: number): number => Math.min(1, Math.max(0, share));
const rounded = (points: number): number => Math.round(points * 100) / 100;

/** CSS pixels between two places on an area of this size in points. */
const distance = ({ width, height }: Size, a: Spot, b: Spot, scale: number): number =>
  Math.hypot((a.x - b.x) * width, (a.y - b.y) * height) * scale;

/** The way of the pointer with one more place, if that is worth keeping. */
export function longer(size: Size, trail: readonly Spot[], to: Spot, scale: number): readonly Spot[] {
  const last = trail.at(-1);
  const isFar = !last || distance(size, last, to, scale) >= leastStep;
  return isFar && trail.length < mostNotePoints ? [...trail, to] : trail;
}

/** The place that was drawn along a way, cut at the edges of the page; what hardly moved is a point. */
export function drawnPlace(page: SessionPage, mark: NoteMark, trail: readonly Spot[], scale: number): NotePlace {
  const [from = { x: 0, y: 0 }] = trail;
  const end = trail.at(-1) ?? from;
  const size = { width: page.widthPt, height: page.heightPt };
  const isPoint = trail.every((spot) => distance(size, from, spot, scale) < leastDrawn);
  const points = (spots: readonly Spot[]) =>
    spots.flatMap((spot) => {
      const { x, y } = toPoint(page, { x: within(spot.x), y: within(spot.y) });
      return [rounded(x), rounded(y)];
    });
  if (mark === 'insert') return { mark, path: [], box: boundsOfPath(points([end])) };
  if (isPoint) return { mark: 'place', path: [], box: boundsOfPath(points([from])) };
  const path = mark === 'arrow' ? points([from, end]) : mark === 'pen' ? points(trail) : [];
  return { mark, path, box: boundsOfPath(path.length > 0 ? path : points([from, end])) };
}

/** The path of a mark as places on the page. */
const spotsOf = (page: SessionPage, path: readonly number[]): Spot[] =>
  path.flatMap((x, at) => (at % 2 === 0 ? [toSpot(page, x, path[at + 1] ?? 0)] : []));

/** Length of an arrow's head and half of its width, and half of the width of an insertion mark: points of the page. */
const [headLength, headWidth, caretWidth] = [11, 5, 5];

/** The two ends of an arrow's head, from the tip backwards. */
function headOf(tail: Spot, tip: Spot): [Spot, Spot] {
  const length = Math.hypot(tip.x - tail.x, tip.y - tail.y) || 1;
  const [along, beside] = [(tip.x - tail.x) / length, (tip.y - tail.y) / length];
  const back = { x: tip.x - along * headLength, y: tip.y - beside * headLength };
  return [
    { x: back.x - beside * headWidth, y: back.y + along * headWidth },
    { x: back.x + beside * headWidth, y: back.y - along * headWidth },
  ];
}

const lineThrough = (spots: readonly Spot[]): string =>
  spots.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${rounded(x)} ${rounded(y)}`).join('');

/** The lines of a mark as an SVG path in points of the page as shown. */
export function shapeOf(page: SessionPage, { box, mark, path }: { box: Box } & Omit<NotePlace, 'box'>): string {
  const { widthPt, heightPt } = page;
  const placed = spotsOf(page, path).map(({ x, y }) => ({ x: x * widthPt, y: y * heightPt }));
  const area = toArea(page, box);
  const [left, top] = [area.x * widthPt, area.y * heightPt];
  const [right, bottom] = [left + area.width * widthPt, top + area.height * heightPt];
  const corners = [left, right].flatMap((x) => [top, bottom].map((y) => ({ x, y })));
  const [upperLeft, lowerLeft, upperRight, lowerRight] = corners as [Spot, Spot, Spot, Spot];
  const frame = `${lineThrough([upperLeft, upperRight, lowerRight, lowerLeft])}Z`;
  const [tail, tip] = placed;
  switch (mark) {
    case 'arrow': {
      if (!tail || !tip) return frame;
      const [one, other] = headOf(tail, tip);
      return lineThrough([tail, tip]) + lineThrough([one, tip, other]);
    }
    case 'pen':
      return lineThrough(placed);
    case 'strike':
      return frame + lineThrough([lowerLeft, upperRight]) + lineThrough([upperLeft, lowerRight]);
    case 'insert':
      return lineThrough([
        { x: left - caretWidth, y: top + 2 * caretWidth },
        upperLeft,
        { x: left + caretWidth, y: top + 2 * caretWidth },
      ]);
    default:
      return frame;
  }
}
