/** Lines to cut along, as paths in default user space. */
import { numberText, type PageFacts, type PagePlates, type Rect, transformPoint } from '@pdf2press/pdf';
import { isPositiveD, simplifyPathsD } from 'clipper2-ts';
import { nameMatcher } from '../../editing/blacks.ts';
import { heightOf, widthOf } from '../../editing/boxes.ts';
import { type Mask, outlinesAt } from './outlines-at.ts';

export interface Contour {
  /** Path operators of a closed line. */
  path: string;
  box: Rect;
  /** Boxes of its pieces, which are small. */
  pieces: Rect[];
}

type Point = readonly [x: number, y: number];

const n = (value: number): string => numberText(Math.round(value * 1000) / 1000);
const boxOf = (points: readonly Point[]): Rect => [
  Math.min(...points.map(([x]) => x)),
  Math.min(...points.map(([, y]) => y)),
  Math.max(...points.map(([x]) => x)),
  Math.max(...points.map(([, y]) => y)),
];

/** Longest piece of a line in one declared box, points: a slanted line would declare much beside it. */
const longestPiece = 6;

/** Boxes along a line from point to point. */
function piecesOf(from: Point, to: Point): Rect[] {
  const count = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / longestPiece));
  const at = (part: number): Point => [
    from[0] + ((to[0] - from[0]) * part) / count,
    from[1] + ((to[1] - from[1]) * part) / count,
  ];
  return Array.from({ length: count }, (_, part) => boxOf([at(part), at(part + 1)]));
}

/** Distance of the handles of a quarter of a circle from its ends, in radii. */
const quarter = 0.5523;

/** The trim, with rounded corners if `radius` (units of default user space) is above 0. */
export function trimContour([x0, y0, x1, y1]: Rect, radius: number): Contour {
  const r = Math.min(radius, (x1 - x0) / 2, (y1 - y0) / 2);
  const h = r * (1 - quarter);
  const corner = (a: Point, b: Point, end: Point): string =>
    r > 0 ? `${[...a, ...b, ...end].map(n).join(' ')} c\n` : '';
  const line = ([x, y]: Point): string => `${n(x)} ${n(y)} l\n`;
  const path =
    `${n(x0 + r)} ${n(y0)} m\n${line([x1 - r, y0])}` +
    `${corner([x1 - h, y0], [x1, y0 + h], [x1, y0 + r])}${line([x1, y1 - r])}` +
    `${corner([x1, y1 - h], [x1 - h, y1], [x1 - r, y1])}${line([x0 + r, y1])}` +
    `${corner([x0 + h, y1], [x0, y1 - h], [x0, y1 - r])}${line([x0, y0 + r])}` +
    `${corner([x0, y0 + h], [x0 + h, y0], [x0 + r, y0])}h\n`;
  const corners: Point[] = [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
  const sides = corners.flatMap((from, at) => piecesOf(from, corners[(at + 1) % 4] as Point));
  // Where the line leaves the corner of the trim.
  const turns = corners.map(
    ([x, y]): Rect => [x === x0 ? x : x - r, y === y0 ? y : y - r, x === x0 ? x + r : x, y === y0 ? y + r : y],
  );
  return { path, box: [x0, y0, x1, y1], pieces: r > 0 ? [...sides, ...turns] : sides };
}

export interface InkContourOptions {
  distance: number;
  holes: boolean;
  smallest: number;
  tolerance: number;
  leastInk: number;
  ignoredInks: readonly string[];
}

/**
 * The outlines of what is printed, each shape with a line of its own; shapes whose lines would meet share one. Lengths of
 * the options are points.
 */
export function inkContours(plates: PagePlates, { userUnit }: PageFacts, options: InkContourOptions): Contour[] {
  const { toPoint } = plates.frame;
  const [origin, beside] = [transformPoint(toPoint, 0, 0), transformPoint(toPoint, 1, 0)];
  const pixel = Math.hypot(beside[0] - origin[0], beside[1] - origin[1]) * userUnit;
  const rings = outlinesAt(maskOf(plates, options), options.distance / pixel).map((ring) =>
    ring.map(([x, y]) => {
      const [toX, toY] = transformPoint(toPoint, x, y);
      return { x: toX * userUnit, y: toY * userUnit };
    }),
  );
  // The other half of the tolerance is for what the raster leaves unsure.
  const lines = simplifyPathsD(rings, options.tolerance / 2);
  return lines.flatMap((line) => {
    const isHole = !isPositiveD(line);
    if (isHole && !options.holes) return [];
    const points = line.map(({ x, y }): Point => [x / userUnit, y / userUnit]);
    const box = boxOf(points);
    // Holes shrink as shapes grow.
    const shape =
      Math.max(widthOf(box), heightOf(box)) * userUnit - 2 * (isHole ? -options.distance : options.distance);
    if (points.length < 3 || shape < options.smallest) return [];
    return [contourOf(points, box)];
  });
}

function contourOf(points: readonly Point[], box: Rect): Contour {
  const path = points.map(([x, y], at) => `${n(x)} ${n(y)} ${at === 0 ? 'm' : 'l'}\n`).join('');
  const pieces = points.flatMap((from, at) => piecesOf(from, points[(at + 1) % points.length] as Point));
  return { path: `${path}h\n`, box, pieces };
}

/** The pixels that are printed. */
function maskOf(plates: PagePlates, { leastInk, ignoredInks }: InkContourOptions): Mask {
  const { width, height } = plates;
  const isIgnored = nameMatcher(ignoredInks);
  const least = Math.max(1, (leastInk / 100) * 255);
  const pixels = new Uint8Array(width * height);
  for (const ink of plates.inks) {
    if (isIgnored(ink.name)) continue;
    const plate = plates.plate(ink.id);
    for (let at = 0; at < pixels.length; at += 1) if ((plate[at] as number) >= least) pixels[at] = 1;
  }
  return { pixels, width, height };
}
