import { type Rect, touches, union } from '@pdf2press/pdf';
import { boxesOf, isWhite, severityAt } from '../../reading/nearness.ts';
import { type Edge, edgesOf } from '../../reading/page-edges.ts';
import type { PageObject } from '../../reading/scene.ts';
import { checkRunner, type PageContext } from '../runner.ts';
import { foldsOf } from './folds.ts';

type Key = 'FoldLines';
interface Found {
  folds: number[];
  least: number | null;
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
    return {
      object(object) {
        if (object.hidden !== null || object.inGlyph || !isLookedAt(context, object, start)) return;
        // White on unprinted paper is invisible, so folding it does not show.
        if (isWhite(object) && !ink.isUnder(object)) return;
        const boxes = boxesOf(object).filter((box) => touches(box, area.trim));
        for (const fold of found.folds) judge(context, object, boxes, { start, fold }, found);
      },
      end: () => found,
    };
  },
  document(_, pages) {
    const known = pages.flatMap(({ found }) => found?.least ?? []);
    return { minDistance: known.length > 0 ? Math.min(...known) : null };
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

/** Distance of a box to a fold, points on paper; negative by as much as the smaller part of it lies beyond. */
function distanceOf([from, to]: readonly [number, number], fold: number): number {
  return Math.max(from - fold, fold - to);
}

/** Reports one finding per object and fold: the distance of its nearest glyph, and a box around all that are too near. */
function judge(
  { settings, area, report }: PageContext<Key>,
  object: PageObject,
  boxes: readonly Rect[],
  { start, fold }: { start: Edge; fold: number },
  found: Found,
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
  report({
    rule: distance < 0 ? 'crossesFold' : 'nearFold',
    severity,
    object,
    box: near,
    measured: { value: Math.round(Math.abs(distance) * 100) / 100, unit: 'pt' },
    limit: { value: severity === 'Fail' ? settings.failWithin : settings.warnWithin, unit: 'pt', op: '>=' },
    params: { kind: object.type, fold: Math.round(fold * 100) / 100 },
  });
}
