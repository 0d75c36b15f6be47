import type { Severity } from '@pdf2press/contract';
import { type Rect, touches, union } from '@pdf2press/pdf';
import { boxesOf, isWhite, severityAt } from '../../reading/nearness.ts';
import { type Edge, edgesOf } from '../../reading/page-edges.ts';
import type { PageObject } from '../../reading/scene.ts';
import { checkRunner, mostPlaces, type PageContext } from '../runner.ts';
import { foldsOf } from './folds.ts';

type Key = 'FoldLines';
interface Found {
  folds: number[];
  least: number | null;
}

/** What lies too near a fold of a page, of one kind and severity: one finding, however much it is. */
interface Group {
  rule: 'crossesFold' | 'nearFold';
  severity: Severity;
  fold: number;
  /** The one that is nearest, or crosses most. */
  object: PageObject;
  distance: number;
  /** Around all. */
  box: Rect;
  boxes: Rect[];
  count: number;
}

export const foldLinesRunner = checkRunner<Key>()<Found>({
  page(context) {
    const { area, settings, page } = context;
    const edges = edgesOf(area);
    const sides = settings.direction === 'Upright' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
    const [start, end] = sides.map((side) => edges.find(({ seen }) => seen === side));
    const ink = context.inkBelow();
    if (!start || !end) return { end: () => ({ folds: [], least: null }) };
    const width = Math.abs(end.at - start.at) * area.scale;
    const front = foldsOf(settings, width);
    const isBack = settings.mirrorEvenPages && page.number % 2 === 0 && settings.fold !== 'HalfFold';
    const found: Found = { folds: isBack ? front.map((at) => width - at) : front, least: null };
    const groups = new Map<string, Group>();
    return {
      object(object) {
        if (object.hidden !== null || object.inGlyph || !isLookedAt(context, object, start)) return;
        // White on unprinted paper is invisible, so folding it does not show.
        if (isWhite(object) && !ink.isUnder(object)) return;
        // Glyphs are looked at where the box around them does not tell that none can matter.
        const across = acrossOf(object.box, start, area.scale);
        const far = Math.max(settings.warnWithin, settings.failWithin, found.least ?? Infinity);
        for (const fold of found.folds) {
          if (distanceOf(across, fold) >= far) continue;
          const strip = stripOf(fold, far, start, area.scale);
          const mayMatter = (box: Rect) => isWithin(box, strip) && touches(box, area.trim);
          const boxes = boxesOf(context.file, object, mayMatter, strip);
          judge(context, object, boxes, { start, fold }, { found, groups });
        }
      },
      end() {
        for (const group of groups.values()) tell(context, group);
        return found;
      },
    };
  },
  document(_, pages) {
    const known = pages.flatMap(({ found }) => found?.least ?? []);
    return { minDistance: known.length > 0 ? known.reduce((a, b) => Math.min(a, b)) : null };
  },
});

function isLookedAt({ settings, area }: PageContext<Key>, object: PageObject, start: Edge): boolean {
  if (object.type === 'shading' || !settings.objects.includes(object.type)) return false;
  if (object.type === 'text') return true;
  const [from, to] = acrossOf(object.box, start, area.scale);
  return to - from <= settings.ignoreLargerThan;
}

/** Where a box begins and ends across the folds, points on paper from the edge that folds are counted from. */
function acrossOf(box: Rect, { index, at, outward }: Edge, scale: number): [from: number, to: number] {
  const inward = (value: number) => (at - value) * outward * scale;
  const [a, b] = [inward(box[index % 2] as number), inward(box[(index % 2) + 2] as number)];
  return a < b ? [a, b] : [b, a];
}

/** What lies so near a fold, on either side: default user space. */
function stripOf(fold: number, far: number, { index, at, outward }: Edge, scale: number): Rect {
  const middle = at - fold / (outward * scale);
  const [low, high] = [middle - far / scale, middle + far / scale];
  return index % 2 === 0 ? [low, -Infinity, high, Infinity] : [-Infinity, low, Infinity, high];
}

const isWithin = (box: Rect, [x0, y0, x1, y1]: Rect): boolean =>
  box[2] >= x0 && box[0] <= x1 && box[3] >= y0 && box[1] <= y1;

/** Distance of a box to a fold, points on paper; negative by as much as the smaller part of it lies beyond. */
function distanceOf([from, to]: readonly [number, number], fold: number): number {
  return Math.max(from - fold, fold - to);
}

/** Measures an object at a fold: the distance of its nearest glyph, and a box around all of it that is too near. */
function judge(
  { settings, area }: PageContext<Key>,
  object: PageObject,
  boxes: readonly Rect[],
  { start, fold }: { start: Edge; fold: number },
  { found, groups }: { found: Found; groups: Map<string, Group> },
): void {
  let distance = Infinity;
  let near: Rect | null = null;
  for (const box of boxes) {
    const each = distanceOf(acrossOf(box, start, area.scale), fold);
    found.least = Math.min(found.least ?? each, each);
    if (!severityAt(each, settings.warnWithin, settings.failWithin)) continue;
    distance = Math.min(distance, each);
    near = near ? union(near, box) : box;
  }
  const severity = severityAt(distance, settings.warnWithin, settings.failWithin);
  if (!severity || !near) return;
  const rule = distance < 0 ? 'crossesFold' : 'nearFold';
  const key = [rule, severity, object.type, fold].join(' ');
  const group = groups.get(key);
  if (!group) groups.set(key, { rule, severity, fold, object, distance, box: near, boxes: [near], count: 1 });
  else {
    if (distance < group.distance) Object.assign(group, { object, distance });
    group.box = union(group.box, near);
    if (group.boxes.length < mostPlaces) group.boxes.push(near);
    group.count += 1;
  }
}

function tell({ settings, report }: PageContext<Key>, group: Group): void {
  const { rule, severity, fold, object, distance, box, boxes, count } = group;
  report({
    rule,
    severity,
    object,
    box,
    ...(count > 1 && { boxes, count }),
    measured: { value: Math.round(Math.abs(distance) * 100) / 100, unit: 'pt' },
    limit: { value: severity === 'Fail' ? settings.failWithin : settings.warnWithin, unit: 'pt', op: '>=' },
    params: { kind: object.type, fold: Math.round(fold * 100) / 100 },
  });
}
