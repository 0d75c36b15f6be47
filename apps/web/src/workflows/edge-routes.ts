import type { WorkflowDefinition } from '@pdf2press/contract';
import { portsOf } from './step-kinds.ts';
import { type Box, boxOf, type Place } from './step-places.ts';

/** How far a line runs straight out of a port, and how near it passes by a step. */
const stub = 28;
const clearance = 14;
const radius = 10;

/** The point of a port on the canvas. */
export function portPlace(box: Box, at: number, count: number): Place {
  return { x: box.x + box.width, y: box.y + ((at + 1) * box.height) / (count + 1) };
}

/** Boxes that reach into a range of x, out of boxes in the order of their left sides; all are equally wide. */
function boxesWithin(sorted: readonly Box[], left: number, right: number): readonly Box[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = sorted[middle];
    if (box && box.x + box.width > left) high = middle;
    else low = middle + 1;
  }
  const first = low;
  while (low < sorted.length && (sorted[low]?.x ?? right) < right) low += 1;
  return sorted.slice(first, low);
}

/**
 * The height at which a line passes from one point to another without running behind a step: the nearest free one to both
 * ends, or null where the direct way is free.
 */
function laneOf(from: Place, to: Place, sorted: readonly Box[], ends: readonly Box[]): number | null {
  const [left, right] = [from.x + stub, to.x - stub];
  if (right <= left) return null;
  const between = boxesWithin(sorted, left, right).filter((box) => !ends.includes(box));
  if (between.length === 0) return null;
  const isFree = (y: number) => between.every((box) => y < box.y - 4 || y > box.y + box.height + 4);
  const direct = [from.y, to.y].filter(isFree);
  const candidates = [...direct, ...between.flatMap((box) => [box.y - clearance, box.y + box.height + clearance])];
  const cost = (y: number) => Math.abs(y - from.y) + Math.abs(y - to.y);
  return candidates.filter(isFree).sort((a, b) => cost(a) - cost(b))[0] ?? null;
}

/** Lanes of the connections that would otherwise run behind a step, by the id of the edge. */
export function lanesOf({ steps, edges }: Pick<WorkflowDefinition, 'steps' | 'edges'>): Map<string, number> {
  const boxes = new Map(steps.map((step) => [step.id, boxOf(step)]));
  const sorted = [...boxes.values()].sort((one, other) => one.x - other.x);
  const byId = new Map(steps.map((step) => [step.id, step]));
  const lanes = new Map<string, number>();
  for (const { id, from, outcome, to } of edges) {
    const [step, fromBox, toBox] = [byId.get(from), boxes.get(from), boxes.get(to)];
    if (!step || !fromBox || !toBox) continue;
    const ports = portsOf(step);
    const start = portPlace(fromBox, Math.max(0, ports.indexOf(outcome)), ports.length);
    const end = { x: toBox.x, y: toBox.y + toBox.height / 2 };
    const lane = laneOf(start, end, sorted, [fromBox, toBox]);
    if (lane !== null) lanes.set(id, lane);
  }
  return lanes;
}

/** The line through the lane as an SVG path with rounded corners, and the point in its middle. */
export function lanePath(from: Place, to: Place, lane: number): { path: string; middle: Place } {
  const points = [
    from,
    { x: from.x + stub, y: from.y },
    { x: from.x + stub, y: lane },
    { x: to.x - stub, y: lane },
    { x: to.x - stub, y: to.y },
    to,
  ];
  const parts = points.map((point, at) => {
    const [before, after] = [points[at - 1], points[at + 1]];
    if (!before) return `M${point.x} ${point.y}`;
    if (!after) return `L${point.x} ${point.y}`;
    const [start, end] = [towards(point, before), towards(point, after)];
    return `L${start.x} ${start.y}Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return { path: parts.join(''), middle: { x: (from.x + to.x) / 2, y: lane } };
}

function towards(corner: Place, other: Place): Place {
  const length = Math.hypot(other.x - corner.x, other.y - corner.y);
  if (length === 0) return corner;
  const share = Math.min(radius, length / 2) / length;
  return { x: corner.x + (other.x - corner.x) * share, y: corner.y + (other.y - corner.y) * share };
}
