/** Measures one edge of the trim on the plates: where ink reaches it, and how far ink extends beyond it. */
import { type PagePlates, type Rect, transformPoint } from '@pdf2press/pdf';
import { matchesAny } from '../../reading/names.ts';
import type { Edge } from '../../reading/page-edges.ts';
import { totalInkOf } from '../../reading/plate-tools.ts';
import { lineNames } from '../technical-names.ts';

export interface EdgeRun {
  /** Start and end along the edge, default user space. */
  from: number;
  to: number;
  /** Shortest distance from the trim to the end of the ink, points on paper; negative if the ink ends inside. */
  measured: number;
  /** Longest such distance; equal to the shortest where the ink ends in a line along the edge. */
  most: number;
}

export interface EdgeLook {
  /** Whether ink reaches the trim anywhere. */
  isInked: boolean;
  /** Parts of the edge where ink reaches the trim but ends before the required bleed. */
  short: EdgeRun[];
  /** Parts of the edge where ink ends inside the trim, within the trigger distance. */
  gaps: EdgeRun[];
  /** Size of a pixel, points on paper: the accuracy of the distances. */
  pixel: number;
}

/** Lengths in points on paper. */
interface Wanted {
  required: number;
  /** Ink that ends closer to the trim than this was meant to bleed. */
  trigger: number;
  /** Shorter parts are ignored. */
  minRun: number;
  /** Points on paper per user unit. */
  scale: number;
}

/** What is on the paper of a page: its ink, without that of lines at which it is cut or folded, and where these are. */
export interface PaperInk {
  total: Uint16Array;
  lines: Uint8Array | null;
}

/** The ink of a page. A cut line on the trim is no ink that must bleed, and ink that it knocks out goes on below it. */
export function paperInkOf(plates: PagePlates): PaperInk {
  const inks = plates.inks.filter(({ name }) => matchesAny(name, lineNames));
  if (inks.length === 0) return { total: totalInkOf(plates), lines: null };
  const total = Uint16Array.from(totalInkOf(plates));
  const lines = new Uint8Array(total.length);
  for (const { id } of inks) {
    const plate = plates.plate(id);
    for (let at = 0; at < plate.length; at += 1) {
      const level = plate[at] as number;
      if (level === 0) continue;
      lines[at] = 1;
      total[at] = (total[at] as number) - level;
    }
  }
  return { total, lines };
}

/** Pixels on either side of a line at which ink must be to go on below it. */
const besideLine = 3;

/** At every pixel along the edge, follows the ink outwards, or looks for ink inside the trim. */
export function lookAtEdge(plates: PagePlates, { total, lines }: PaperInk, edge: Edge, wanted: Wanted): EdgeLook {
  const { width, height, frame } = plates;
  const perPixel = 72 / frame.dpi / wanted.scale;
  const pixel = 72 / frame.dpi;
  const pixelAt = (along: number, across: number): number => {
    const [x, y] = edge.index % 2 === 0 ? [across, along] : [along, across];
    const [px, py] = transformPoint(frame.toPixel, x, y);
    const [column, row] = [Math.floor(px), Math.floor(py)];
    return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column;
  };
  const isInkAt = (along: number, across: number): boolean => {
    const at = pixelAt(along, across);
    if (at < 0) return false;
    if (total[at] !== 0 || !lines?.[at]) return total[at] !== 0;
    const [below, above] = [-1, 1].map((way) => pixelAt(along, across + way * besideLine * perPixel));
    return below !== undefined && above !== undefined && (total[below] ?? 0) !== 0 && (total[above] ?? 0) !== 0;
  };
  const mediaReach = ((frame.box[edge.index] - edge.at) * edge.outward * wanted.scale) as number;
  const outwards = Math.max(0, Math.min(Math.ceil(wanted.required / pixel), Math.floor(mediaReach / pixel + 1e-6)));
  const inwards = Math.max(1, Math.round(wanted.trigger / pixel));
  // Pixels are read at their centre, so the first one inside the trim is half a pixel away from it.
  const across = (pixels: number) => edge.at + edge.outward * pixels * perPixel;
  const short: EdgeRun[] = [];
  const gaps: EdgeRun[] = [];
  let isInked = false;
  for (let along = edge.from + perPixel / 2; along < edge.to; along += perPixel) {
    if (isInkAt(along, across(-0.5))) {
      isInked = true;
      const reached = reachAt(along);
      if (reached * pixel < wanted.required - pixel) extend(short, along, reached * pixel);
    } else {
      for (let depth = 1.5; depth <= inwards; depth += 1) {
        if (!isInkAt(along, across(-depth))) continue;
        extend(gaps, along, -(depth - 0.5) * pixel);
        break;
      }
    }
  }
  const longEnough = (run: EdgeRun) => (run.to - run.from) * wanted.scale >= wanted.minRun;
  return { isInked, short: short.filter(longEnough), gaps: gaps.filter(longEnough), pixel };

  function reachAt(along: number): number {
    let reached = 0;
    while (reached < outwards && isInkAt(along, across(reached + 0.5))) reached += 1;
    // The ink ends only because the media ends.
    return reached === outwards && mediaReach < wanted.required ? mediaReach / pixel : reached;
  }

  /** Joins neighbouring pixels to a run; gaps up to half a millimetre come from anti-aliasing and screening. */
  function extend(runs: EdgeRun[], along: number, measured: number): void {
    const last = runs.at(-1);
    const gap = last ? (along - perPixel / 2 - last.to) * wanted.scale : Infinity;
    const isSame = last && Math.abs(last.measured - measured) <= 2.5 * pixel;
    if (last && gap < 1.4 && isSame) {
      last.to = along + perPixel / 2;
      last.measured = Math.min(last.measured, measured);
      last.most = Math.max(last.most, measured);
    } else runs.push({ from: along - perPixel / 2, to: along + perPixel / 2, measured, most: measured });
  }
}

/** The box of a run from the trim outwards, in default user space; `depth` too. */
export function stripOf(edge: Edge, run: EdgeRun, depth: number): Rect {
  const other = edge.at + edge.outward * depth;
  const [low, high] = [Math.min(edge.at, other), Math.max(edge.at, other)];
  return edge.index % 2 === 0 ? [low, run.from, high, run.to] : [run.from, low, run.to, high];
}
