/** What the plates say about one edge: where ink reaches the trim, and how far it goes on outside. */
import { type PagePlates, type Rect, transformPoint } from '@pdf2press/pdf';
import type { Edge } from '../../preflight/page-edges.ts';
import { totalInkOf } from '../../preflight/plate-tools.ts';

export interface EdgeRun {
  /** Along the edge, default user space. */
  from: number;
  to: number;
  /** Outward from the trim, points on paper: least ink seen along the run. Negative: ink ends inside. */
  measured: number;
}

export interface EdgeLook {
  /** Ink stands at the trim somewhere. */
  isInked: boolean;
  /** Stretches where ink reaches the trim but stops before the required distance. */
  short: EdgeRun[];
  /** Stretches where ink stops just inside the trim. */
  gaps: EdgeRun[];
  /** Size of a pixel on paper: what was measured is true within it. */
  pixel: number;
}

interface Wanted {
  required: number;
  trigger: number;
  minRun: number;
  /** Points on paper per user unit. */
  scale: number;
}

/** Walks along an edge pixel by pixel; at each, inwards and outwards. */
export function lookAtEdge(plates: PagePlates, edge: Edge, wanted: Wanted): EdgeLook {
  const { width, height, frame } = plates;
  const total = totalInkOf(plates);
  const perPixel = 72 / frame.dpi / wanted.scale;
  const pixel = 72 / frame.dpi;
  const isInkAt = (along: number, across: number): boolean => {
    const [x, y] = edge.index % 2 === 0 ? [across, along] : [along, across];
    const [px, py] = transformPoint(frame.toPixel, x, y);
    const [column, row] = [Math.floor(px), Math.floor(py)];
    if (column < 0 || row < 0 || column >= width || row >= height) return false;
    return total[row * width + column] !== 0;
  };
  const mediaReach = ((frame.box[edge.index] - edge.at) * edge.outward * wanted.scale) as number;
  const outwards = Math.max(0, Math.min(Math.ceil(wanted.required / pixel), Math.floor(mediaReach / pixel + 1e-6)));
  const inwards = Math.max(1, Math.round(wanted.trigger / pixel));
  // A pixel is looked at in its middle; half a pixel inside the trim is certainly inside.
  const across = (pixels: number) => edge.at + edge.outward * pixels * perPixel;
  const short: EdgeRun[] = [];
  const gaps: EdgeRun[] = [];
  let isInked = false;
  for (let along = edge.from + perPixel / 2; along < edge.to; along += perPixel) {
    if (isInkAt(along, across(-0.5)) || isInkAt(along, across(-1.5))) {
      isInked ||= isInkAt(along, across(-0.5));
      const reached = isInkAt(along, across(-0.5)) ? reachAt(along) : -1;
      if (reached < 0) continue;
      if (reached * pixel < wanted.required - pixel) extend(short, along, reached * pixel);
    } else {
      for (let depth = 2.5; depth <= inwards; depth += 1) {
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
    // All there is of the page is inked: the page ends, not the ink.
    return reached === outwards && mediaReach < wanted.required ? mediaReach / pixel : reached;
  }

  /** Anti-aliasing and halftone gaps below half a millimetre are no gaps. */
  function extend(runs: EdgeRun[], along: number, measured: number): void {
    const last = runs.at(-1);
    const gap = last ? (along - perPixel / 2 - last.to) * wanted.scale : Infinity;
    const isSame = last && Math.abs(last.measured - measured) <= 2.5 * pixel;
    if (last && gap < 1.4 && isSame) {
      last.to = along + perPixel / 2;
      last.measured = Math.min(last.measured, measured);
    } else runs.push({ from: along - perPixel / 2, to: along + perPixel / 2, measured });
  }
}

/** The strip of a run, from the trim outwards, as a box in default user space. */
export function stripOf(edge: Edge, run: EdgeRun, depth: number): Rect {
  const other = edge.at + edge.outward * depth;
  const [low, high] = [Math.min(edge.at, other), Math.max(edge.at, other)];
  return edge.index % 2 === 0 ? [low, run.from, high, run.to] : [run.from, low, run.to, high];
}
