import { interpretPage, type PageFacts, type PdfFile, type Rect } from '@pdf2press/pdf';

/** Marks are this long, in points: PitStop documents 8–40; some applications draw a little beyond. */
const shortest = 6;
const longest = 60;
const widest = 2.1;
/** Marks of one edge stand on one line within this. */
const sameLine = 0.5;

interface MarkLine {
  /** The edge's position: x of upright lines, y of level ones. */
  at: number;
  /** Middle along the line. */
  middle: number;
}

/** Where an edge's two marks are: one before and one after the area that the marks of the other axis enclose. */
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

/** Of the pairs of edges around the middle: crop marks stand inside bleed marks, centre marks in the middle. */
function innerPair(positions: readonly number[], span: readonly [number, number]): [number, number] | null {
  const centre = (span[0] + span[1]) / 2;
  const reach = (span[1] - span[0]) / 8;
  const low = positions.filter((at) => at < centre - reach);
  const high = positions.filter((at) => at > centre + reach);
  const [a, b] = [low.at(-1), high[0]];
  return a === undefined || b === undefined ? null : [a, b];
}

/** The TrimBox that crop marks on the page describe; null where there are no such marks on all four corners. */
export function trimFromMarks(file: PdfFile, page: PageFacts): Rect | null {
  const upright: MarkLine[] = [];
  const level: MarkLine[] = [];
  interpretPage(
    file,
    page.number,
    [
      {
        path(event) {
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
