import { interpretPage } from '../interpret/interpret-page.ts';
import type { Rect } from '../interpret/types.ts';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';

/** Lengths in points of lines that count as marks. Layout programs draw marks of 8 to 40 points, some a little more. */
const shortest = 6;
const longest = 60;
const widest = 2.1;
/** Largest distance between marks of the same edge, in points. */
const sameLine = 0.5;

interface MarkLine {
  /** Position of the edge: x of a vertical line, y of a horizontal one. */
  at: number;
  /** Centre of the line in its direction. */
  middle: number;
}

/** Positions of edges. An edge has a mark on each side of the centre of the page. */
function edges(lines: readonly MarkLine[], span: readonly [number, number]): number[] {
  const sorted = [...lines].sort((a, b) => a.at - b.at);
  const groups: MarkLine[][] = [];
  for (const line of sorted) {
    const last = groups.at(-1);
    if (last && line.at - (last[0]?.at ?? 0) <= sameLine) last.push(line);
    else groups.push([line]);
  }
  const centre = (span[0] + span[1]) / 2;
  return groups
    .filter((group) => group.some((line) => line.middle < centre) && group.some((line) => line.middle > centre))
    .map((group) => group.reduce((sum, line) => sum + line.at, 0) / group.length);
}

/**
 * The innermost pair of edges, because crop marks are inside of bleed marks. Edges near the centre are centre marks.
 */
function innerPair(positions: readonly number[], span: readonly [number, number]): [number, number] | null {
  const centre = (span[0] + span[1]) / 2;
  const reach = (span[1] - span[0]) / 8;
  const low = positions.filter((at) => at < centre - reach);
  const high = positions.filter((at) => at > centre + reach);
  const [a, b] = [low.at(-1), high[0]];
  return a === undefined || b === undefined ? null : [a, b];
}

/**
 * The TrimBox that the crop marks on a page describe, in default user space; null when there are no such marks at all
 * four edges.
 */
export function trimFromMarks(file: PdfFile, page: PageFacts): Rect | null {
  const upright: MarkLine[] = [];
  const level: MarkLine[] = [];
  interpretPage(
    file,
    page.number,
    [
      {
        path(event) {
          if (event.place.run.isInPattern) return;
          const [x0, y0, x1, y1] = event.bbox;
          const [width, height] = [x1 - x0, y1 - y0];
          const thickness = event.paints === 'stroke' ? event.lineWidth : (event.thinFill ?? Number.POSITIVE_INFINITY);
          if (thickness > widest) return;
          if (width <= widest && height >= shortest && height <= longest)
            upright.push({ at: (x0 + x1) / 2, middle: (y0 + y1) / 2 });
          else if (height <= widest && width >= shortest && width <= longest)
            level.push({ at: (y0 + y1) / 2, middle: (x0 + x1) / 2 });
        },
      },
    ],
    { annotations: false },
  );
  const { media } = page.effective;
  const x = innerPair(edges(upright, [media[1], media[3]]), [media[0], media[2]]);
  const y = innerPair(edges(level, [media[0], media[2]]), [media[1], media[3]]);
  return x && y ? [x[0], y[0], x[1], y[1]] : null;
}
