import {
  area as areaOf,
  covers,
  height,
  overlap,
  type PathSegment,
  type Rect,
  touches,
  union,
  width,
} from '@pdf2press/pdf';
import { matchesAny } from '../../reading/names.ts';
import { boxesOf, isWhite, severityAt } from '../../reading/nearness.ts';
import { type Edge, edgesOf, innerSide, reach, valueAt } from '../../reading/page-edges.ts';
import type { PageObject } from '../../reading/scene.ts';
import { inkedSpots } from '../../reading/spots.ts';
import { checkRunner, type PageContext } from '../runner.ts';

type Key = 'SafetyDistance';
interface Found {
  least: number | null;
}
type Line = readonly [x0: number, y0: number, x1: number, y1: number];

/** Limits memory. Objects are kept because cutting and folding lines are usually painted last. */
const maxRemembered = 5000;

export const safetyDistanceRunner = checkRunner<Key>()<Found>({
  page(context) {
    const { settings, area } = context;
    const edges = edgesOf(area).map((edge) => ({ edge, ...limitsAt(context, edge) }));
    const widest = Math.max(...edges.map(({ warn, fail }) => Math.max(warn, fail)), 0) / area.scale;
    const inner: Rect = [area.trim[0] + widest, area.trim[1] + widest, area.trim[2] - widest, area.trim[3] - widest];
    const lines: Line[] = [];
    const remembered: PageObject[] = [];
    const found: Found = { least: null };
    const ink = context.inkBelow();
    return {
      object(object) {
        if (object.hidden !== null || object.inGlyph) return;
        if (settings.dieLines.areChecked && isDieLine(object, settings.dieLines.names)) {
          if (object.type === 'vector' && !object.event.place.run.tiled)
            lines.push(...linesOf(object.event.segments()));
          return;
        }
        if (!isLookedAt(context, object)) return;
        // White on unprinted paper is invisible, so cutting it does not show.
        if (isWhite(object) && !ink.isUnder(object)) return;
        if (settings.dieLines.areChecked && remembered.length < maxRemembered) remembered.push(object);
        // Most objects are not near any edge.
        if (covers(inner, object.box)) return;
        const boxes = boxesOf(context.file, object, (box) => !covers(inner, box));
        for (const limits of edges) judgeEdge(context, object, boxes, limits, found);
      },
      end() {
        if (lines.length > 0) for (const object of remembered) judgeDieLines(context, object, lines);
        return found;
      },
    };
  },
  document(_, pages) {
    const known = pages.flatMap(({ found }) => found?.least ?? []);
    return { minDistance: known.length > 0 ? Math.min(...known) : null };
  },
});

function limitsAt({ settings, page }: PageContext<Key>, edge: Edge): { warn: number; fail: number } {
  const { warnWithin, failWithin, innerEdge } = settings;
  const isInner = edge.seen === innerSide(page.number, settings);
  return {
    warn: (isInner ? innerEdge.warnWithin : null) ?? valueAt(warnWithin, edge),
    fail: (isInner ? innerEdge.failWithin : null) ?? valueAt(failWithin, edge),
  };
}

function isLookedAt({ settings, area }: PageContext<Key>, object: PageObject): boolean {
  if (object.type === 'shading' || !settings.objects.includes(object.type)) return false;
  if (settings.ignoreOutsideTrim && !touches(object.box, area.trim)) return false;
  const least = settings.minObjectSide / area.scale;
  if (object.type !== 'text' && width(object.box) < least && height(object.box) < least) return false;
  const covered = areaOf(overlap(object.box, area.trim)) / Math.max(1e-9, areaOf(area.trim));
  return object.type === 'text' || covered * 100 <= settings.exemptCovering;
}

interface EdgeLimits {
  edge: Edge;
  warn: number;
  fail: number;
}

/** Reports one finding per object and edge: the distance of its nearest glyph, and a box around all that are too near. */
function judgeEdge(
  context: PageContext<Key>,
  object: PageObject,
  boxes: readonly Rect[],
  { edge, warn, fail }: EdgeLimits,
  found: Found,
): void {
  const { settings, area, report } = context;
  let distance = Infinity;
  let near: Rect | null = null;
  for (const box of boxes) {
    if (settings.ignoreOutsideTrim && !touches(box, area.trim)) continue;
    const beyond = reach(box, edge, area.scale);
    const bleeds = beyond > 0 && beyond >= settings.bleed - 0.3;
    if (settings.exemptBleeding && bleeds && object.type !== 'text') continue;
    found.least = Math.min(found.least ?? -beyond, -beyond);
    if (!severityAt(-beyond, warn, fail)) continue;
    distance = Math.min(distance, -beyond);
    near = near ? union(near, box) : box;
  }
  const severity = severityAt(distance, warn, fail);
  if (!severity || !near) return;
  report({
    rule: distance < 0 ? 'crossesEdge' : 'nearEdge',
    severity,
    object,
    box: near,
    side: edge.seen,
    measured: { value: Math.round(distance * 100) / 100, unit: 'pt' },
    limit: { value: severity === 'Fail' ? fail : warn, unit: 'pt', op: '>=' },
    params: { kind: object.type, ...(distance < 0 && { beyond: Math.round(-distance * 100) / 100 }) },
  });
}

const isDieLine = (object: PageObject, names: readonly string[]): boolean =>
  inkedSpots(object).some((name) => matchesAny(name, names));

function linesOf(segments: readonly PathSegment[]): Line[] {
  const lines: Line[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const to = (nextX: number, nextY: number) => {
    lines.push([x, y, nextX, nextY]);
    [x, y] = [nextX, nextY];
  };
  for (const segment of segments) {
    if (segment[0] === 'M') {
      [x, y] = [segment[1], segment[2]];
      [startX, startY] = [x, y];
    } else if (segment[0] === 'Z') to(startX, startY);
    // A curve is replaced by its chord; die lines have little curvature compared with the safety distance.
    else if (segment[0] === 'L') to(segment[1], segment[2]);
    else to(segment[5], segment[6]);
  }
  return lines;
}

function judgeDieLines(context: PageContext<Key>, object: PageObject, lines: readonly Line[]): void {
  const { settings, area, report } = context;
  const { warnWithin, failWithin } = settings.dieLines;
  const distanceOf = (box: Rect): number =>
    lines.reduce((least, line) => Math.min(least, distanceTo(line, box)), Infinity) * area.scale;
  const farthest = Math.max(warnWithin, failWithin);
  for (const box of boxesOf(context.file, object, (one) => distanceOf(one) < farthest)) {
    const distance = distanceOf(box);
    const severity = severityAt(distance, warnWithin, failWithin);
    // A large object that a die line crosses is the background of a panel.
    const isBackground =
      object.type !== 'text' && distance === 0 && Math.min(width(box), height(box)) * area.scale > 4 * warnWithin;
    if (!severity || isBackground) continue;
    report({
      rule: 'nearDieLine',
      severity,
      object,
      box,
      measured: { value: Math.round(distance * 100) / 100, unit: 'pt' },
      limit: { value: severity === 'Fail' ? failWithin : warnWithin, unit: 'pt', op: '>=' },
      params: { kind: object.type },
    });
  }
}

/** Distance of a line segment to a box, 0 if they touch; default user space. */
function distanceTo([x0, y0, x1, y1]: Line, box: Rect): number {
  let [low, high] = [0, 1];
  // Liang–Barsky clipping: the part of the segment inside the box.
  for (const [from, by, min, max] of [
    [x0, x1 - x0, box[0], box[2]],
    [y0, y1 - y0, box[1], box[3]],
  ] as const) {
    if (by === 0) {
      if (from < min || from > max) high = -1;
      continue;
    }
    const [a, b] = [(min - from) / by, (max - from) / by];
    low = Math.max(low, Math.min(a, b));
    high = Math.min(high, Math.max(a, b));
  }
  if (low <= high) return 0;
  const toBox = (x: number, y: number) =>
    Math.hypot(Math.max(box[0] - x, 0, x - box[2]), Math.max(box[1] - y, 0, y - box[3]));
  const lengthSquared = (x1 - x0) ** 2 + (y1 - y0) ** 2;
  const toLine = (x: number, y: number) => {
    const t =
      lengthSquared === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / lengthSquared));
    return Math.hypot(x - (x0 + t * (x1 - x0)), y - (y0 + t * (y1 - y0)));
  };
  return Math.min(
    toBox(x0, y0),
    toBox(x1, y1),
    toLine(box[0], box[1]),
    toLine(box[2], box[1]),
    toLine(box[0], box[3]),
    toLine(box[2], box[3]),
  );
}
