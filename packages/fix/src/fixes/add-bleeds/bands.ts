/** Fills one side with bleed: a rectangle of one colour, an image of all inks, or the mirrored objects of the page. */
import {
  addResources,
  joinContents,
  numberText,
  type PageFacts,
  pdfDict,
  pdfName,
  pdfRef,
  type Rect,
} from '@pdf2press/pdf';
import { ownResourcesOf } from '../../editing/boxes.ts';
import { placeImage } from '../../editing/ink-image.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { addBleeds } from './contract.ts';
import type { NearEdges } from './near-edges.ts';
import type { Side } from './sides.ts';
import type { From, Source } from './sources.ts';

type Context = FixContext<typeof addBleeds>;
export type Mode = Exclude<Context['settings']['fillMode'], 'UseHiddenContent'>;

export interface Sides {
  page: PageFacts;
  trim: Rect;
  /** Trim and bleed. */
  target: Rect;
  /** The sides that get bleed, and the mode of each. */
  modes: ReadonlyMap<Side, Mode>;
}

/** Widest anti-aliased edge, points: pixels closer to the trim are not sampled for bleed. */
const softEdge = 0.3;
/** Gaps up to this width are ignored, points. */
const hairline = 0.28;
/**
 * How far a joint extends to both sides of an edge, points: one pixel at 144 dpi. Two shapes that meet within a pixel
 * let the paper show through on screens; a strip below both covers the gap.
 */
const jointReach = 0.5;

const operands = (area: Rect): string =>
  [area[0], area[1], area[2] - area[0], area[3] - area[1]]
    .map((value) => numberText(Math.round(value * 1e5) / 1e5))
    .join(' ');

/**
 * Area of bleed on one side. Left and right bands include the corners, top and bottom bands lie between them; with
 * `corners`, corners next to existing bleed belong to the band.
 */
export function bandOf({ trim, target, modes }: Sides, side: Side, corners: boolean): Rect {
  const [x0, x1] = [
    modes.has('left') || !corners ? trim[0] : target[0],
    modes.has('right') || !corners ? trim[2] : target[2],
  ];
  const [y0, y1] = corners ? [target[1], target[3]] : [trim[1], trim[3]];
  const bands: Record<Side, Rect> = {
    left: [target[0], y0, trim[0], y1],
    right: [trim[2], y0, target[2], y1],
    bottom: [x0, target[1], x1, trim[1]],
    top: [x0, trim[3], x1, target[3]],
  };
  return bands[side];
}

/**
 * Narrow strips along an edge, painted below the page content, that cover gaps between page and bleed. Inside the trim
 * only where opaque objects hide them.
 */
export function jointsOf(sides: Sides, side: Side, corners: boolean, near: NearEdges): Rect[] {
  const { trim, target, page } = sides;
  const band = bandOf(sides, side, corners);
  const reach = jointReach / page.userUnit;
  const isLow = side === 'left' || side === 'bottom';
  const [across, along] = side === 'left' || side === 'right' ? ([0, 1] as const) : ([1, 0] as const);
  const edge = trim[isLow ? across : across + 2] as number;
  const out = isLow ? Math.max(target[across], edge - reach) : Math.min(target[across + 2] as number, edge + reach);
  const inner = isLow ? edge + reach : edge - reach;
  const strip = (from: number, to: number, depth: number): Rect => {
    const [low, high] = [Math.min(out, depth), Math.max(out, depth)];
    return across === 0 ? [low, from, high, to] : [from, low, to, high];
  };
  const ends = [band[along], band[along + 2]] as [number, number];
  const inside = [trim[along], trim[along + 2]] as [number, number];
  const hides = (box: Rect): boolean =>
    isLow
      ? box[across] <= edge + hairline && (box[across + 2] as number) >= inner
      : (box[across + 2] as number) >= edge - hairline && box[across] <= inner;
  const hidden = near.covering.filter(hides).map((box): [number, number] => [box[along], box[along + 2] as number]);
  // Beyond the ends of the trim the strip may always extend inwards.
  const spans = joined([[ends[0], inside[0]], ...hidden, [inside[1], ends[1]]]);
  const isHidden = spans.some(([from, to]) => from <= ends[0] && to >= ends[1]);
  return [
    ...(isHidden ? [] : [strip(ends[0], ends[1], edge)]),
    ...spans.map(([from, to]) => strip(Math.max(from, ends[0]), Math.min(to, ends[1]), inner)),
  ];
}

/** Merges touching intervals. */
function joined(spans: readonly [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (to - from < hairline) continue;
    const last = result.at(-1);
    if (last && from <= last[1] + hairline) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** Coordinate along one axis from which a point of the bleed takes its colour. */
function sourceOf(
  at: number,
  low: number,
  high: number,
  mode: (isLow: boolean) => Mode | undefined,
  offset: number,
  edge: number,
): number {
  const isLow = at < (low + high) / 2;
  const depth = isLow ? low - at : at - high;
  const chosen = mode(isLow);
  if (chosen === undefined) return at;
  if (depth <= 0) return isLow ? Math.max(at, low + edge) : Math.min(at, high - edge);
  const inward =
    offset + { Repeat: 0, MirrorAsImage: depth, MirrorObjects: depth, Stretch: depth * 0.1, ScalePage: depth }[chosen];
  return isLow ? Math.min(low + inward, high) : Math.max(high - inward, low);
}

/** Operators that fill `area`; the resources they need are added to the page. */
export function filledBand({ settings, edit, file }: Context, sides: Sides, source: Source, area: Rect): string {
  const { page, trim, modes } = sides;
  const offset = settings.innerOffset / page.userUnit + source.pixel / 2;
  const edge = Math.min(offset, softEdge / page.userUnit + source.pixel / 2);
  const from: From = (x, y) => [
    sourceOf(x, trim[0], trim[2], (isLow) => modes.get(isLow ? 'left' : 'right'), offset, edge),
    sourceOf(y, trim[1], trim[3], (isLow) => modes.get(isLow ? 'bottom' : 'top'), offset, edge),
  ];
  const solid = source.solid(area, from);
  if (solid !== null) return `q ${solid} ${operands(area)} re f Q\n`;
  const image = source.image(area, from);
  if (image === null) return '';
  const [name] = addResources(edit, file.pageNow(page.number), [
    { kind: 'XObject', value: pdfRef(image), hint: 'Bleed' },
  ]);
  return `q ${placeImage(area)} /${name} Do Q\n`;
}

/** The page content as a form, for mirroring at the edges: no pixels, but everything is drawn once more per side. */
export function pageForm({ edit, file }: Context, { page, trim }: Pick<Sides, 'page' | 'trim'>): string {
  const now = file.pageNow(page.number);
  const { bytes } = joinContents(file, now.dict);
  const form = edit.addStream(
    bytes,
    pdfDict({
      Type: pdfName('XObject'),
      Subtype: pdfName('Form'),
      BBox: [...trim],
      Resources: ownResourcesOf(file, now),
    }),
  );
  const [name = ''] = addResources(edit, file.pageNow(page.number), [
    { kind: 'XObject', value: pdfRef(form), hint: 'BleedFm' },
  ]);
  return name;
}

/** Draws the form in each part of a band: mirrored once beside the trim, in both directions at a corner. */
export function mirroredObjects(form: string, { trim }: Pick<Sides, 'trim'>, area: Rect): string {
  const parts = (axis: 0 | 1) =>
    [
      { from: area[axis], to: Math.min(area[axis + 2] as number, trim[axis]), edge: trim[axis] },
      {
        from: Math.max(area[axis], trim[axis]),
        to: Math.min(area[axis + 2] as number, trim[axis + 2] as number),
        edge: null,
      },
      {
        from: Math.max(area[axis], trim[axis + 2] as number),
        to: area[axis + 2] as number,
        edge: trim[axis + 2] as number,
      },
    ].filter(({ from, to }) => to - from > 1e-6);
  return parts(0)
    .flatMap((x) =>
      parts(1).map((y) => {
        const [a, e] = x.edge === null ? [1, 0] : [-1, 2 * x.edge];
        const [d, f] = y.edge === null ? [1, 0] : [-1, 2 * y.edge];
        const matrix = [a, 0, 0, d, e, f].map((value) => numberText(Math.round(value * 1e5) / 1e5)).join(' ');
        return `q ${operands([x.from, y.from, x.to, y.to])} re W n ${matrix} cm /${form} Do Q\n`;
      }),
    )
    .join('');
}
