import type { Severity } from '@pdf2press/contract';
import type { PdfFile, Rect } from '@pdf2press/pdf';
import { height, nameOf, width } from '@pdf2press/pdf';
import { mm } from '@pdf2press/settings';
import { matchesAny } from '../../reading/names.ts';
import type { PageArea } from '../../reading/page-area.ts';
import { along, type Edge, edgesOf, innerSide, reach, valueAt } from '../../reading/page-edges.ts';
import { type PageObject, referenceOf } from '../../reading/scene.ts';
import { inkedSpots } from '../../reading/spots.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type FixHint, type PlatesContext } from '../runner.ts';
import { lineNames } from '../technical-names.ts';
import { type EdgeRun, lookAtEdge, type PaperInk, paperInkOf, stripOf } from './edge-raster.ts';

type Key = 'Bleed';
type Settings = SettingsOf<Key>;

/** An object near an edge. Its box gives the exact distance, which the plates give to a pixel only. */
interface NearObject {
  box: Rect;
  type: PageObject['type'];
  isWhite: boolean;
  name: string;
  ref: string;
}
interface Found {
  nearObjects: NearObject[];
}
interface Looked {
  /** Smallest bleed of the page, points on paper; null if no ink reaches the trim. */
  least: number | null;
}

/** Limits memory; further objects are judged by the plates only. */
const maxNearObjects = 4000;

export const bleedRunner = checkRunner<Key>()<Found, Looked>({
  page({ area, settings }) {
    const nearObjects: NearObject[] = [];
    const edges = edgesOf(area);
    return {
      object(object) {
        if (object.hidden !== null && object.hidden !== 'outside') return;
        if (object.inGlyph || nearObjects.length >= maxNearObjects) return;
        const side = settings.minObjectSide / area.scale;
        if (width(object.box) < side && height(object.box) < side) return;
        if (edges.every((edge) => reach(object.box, edge, area.scale) < -settings.triggerDistance - 1)) return;
        if (inkedSpots(object).some((spot) => matchesAny(spot, lineNames))) return;
        const name = object.type === 'image' ? object.event.name : '';
        nearObjects.push({
          box: object.box,
          type: object.type,
          isWhite: object.fill?.isWhite === true && !object.stroke,
          name,
          ref: referenceOf(object),
        });
      },
      end: () => ({ nearObjects }),
    };
  },
  plates: {
    dpi: ({ dpi, method }) => (method === 'Boxes' ? null : dpi),
    look(context, found) {
      let least: number | null = null;
      const ink = paperInkOf(context.plates);
      for (const edge of edgesOf(context.area)) {
        if (!isRequired(context.settings, context.file, context.page.number, edge)) continue;
        const measured = judgeEdge(context, ink, edge, found?.nearObjects ?? []);
        if (measured !== null) least = Math.min(least ?? measured, measured);
      }
      if (least === null) context.report({ rule: 'notNeeded', objectType: 'page', acrossPages: true });
      return { least };
    },
  },
  document({ settings, report, areaOf, file }, pages) {
    if (settings.method === 'Boxes') {
      for (const { page } of pages) {
        const facts = file.pages[page - 1];
        if (!facts) continue;
        for (const edge of edgesOf(areaOf(page))) {
          if (!isRequired(settings, file, page, edge)) continue;
          const measured = boxBleed(areaOf(page), edge);
          const required = valueAt(settings.required, edge);
          if (measured >= required - settings.tolerance) continue;
          report({
            rule: 'boxOnly',
            page,
            objectType: 'page',
            side: edge.seen,
            ...pair(measured, required),
            fixableBy: boxFix(settings),
          });
        }
      }
    }
    const known = pages.flatMap(({ plates }) => plates?.least ?? []);
    return { minBleed: known.length > 0 ? Math.min(...known) : null };
  },
});

const pair = (measured: number, required: number) => ({
  measured: { value: Math.round(measured * 100) / 100, unit: 'pt' as const },
  limit: { value: required, unit: 'pt' as const, op: '>=' as const },
});
const boxFix = ({ required }: Settings): FixHint => {
  const { left, right, top, bottom } = required;
  const inset = { left: -left, right: -right, top: -top, bottom: -bottom };
  return { action: 'SetPageBoxes', params: { box: 'Bleed', from: 'TrimBox', inset, onlyIfMissing: false } };
};
const bleedFix = ({ required }: Settings): FixHint => ({ action: 'AddBleeds', params: { amount: required } });

/** Facing pages by PageLayout: an object that ends at the inner edge may continue on the other page. */
const opensInPairs = (file: PdfFile): boolean =>
  file.pageCount > 2 && /^Two(?:Page|Column)/.test(nameOf(file, file.catalog, 'PageLayout') ?? '');

function isRequired(settings: Settings, file: PdfFile, page: number, edge: Edge): boolean {
  const { innerEdge } = settings;
  const isExempt = innerEdge === 'NotRequired' || (innerEdge === null && opensInPairs(file));
  return !isExempt || edge.seen !== innerSide(page, settings);
}

/** Distance from the trim to the BleedBox, points on paper. */
const boxBleed = (area: PageArea, edge: Edge): number => reach(area.bleed, edge, area.scale);

/** Reports the findings of one edge. Returns the smallest bleed in points on paper, null if no ink reaches the edge. */
function judgeEdge(
  context: PlatesContext<Key>,
  ink: PaperInk,
  edge: Edge,
  nearObjects: readonly NearObject[],
): number | null {
  const { settings, area, plates, report } = context;
  const required = valueAt(settings.required, edge);
  if (required === 0) return null;
  const look = lookAtEdge(plates, ink, edge, {
    required,
    trigger: settings.triggerDistance,
    minRun: settings.minObjectSide,
    scale: area.scale,
  });
  let least = look.isInked ? required : null;
  const ends = (run: EdgeRun) => endingAt(run, edge, area, nearObjects, look.pixel);
  const hidden = look.gaps.filter((run) => isStraight(run, look.pixel, area) && ends(run).length === 0);
  // The pixel at the trim belongs to what lies outside, too, if that begins at the trim.
  const atTrim = hidden
    .filter(({ measured }) => measured >= -1.6 * look.pixel)
    .map((run) => ({ ...run, measured: 0, most: 0 }));
  const runs = [
    ...look.short,
    ...atTrim,
    ...(settings.ignoreWhite ? [] : whiteRuns(settings, area, edge, nearObjects)),
  ];
  for (const run of runs) {
    const measured = confirm(run, edge, area, nearObjects, {
      required,
      pixel: look.pixel,
      tolerance: settings.tolerance,
    });
    if (measured === null) continue;
    least = Math.min(least ?? measured.value, measured.value);
    reportShort(context, edge, { ...run, measured: measured.value }, measured.near);
  }
  for (const run of look.gaps) {
    const near = nearest(ends(run), edge, area, look.pixel);
    // What something white covers, or a picture that is white there, ends at no object's edge.
    const isHidden = hidden.includes(run) && run.measured < -1.6 * look.pixel && isHalf(run.from, run.to, edge);
    if (!near && !isHidden) continue;
    report({
      rule: 'gap',
      objectType: near?.type ?? 'page',
      ...(near && { objectRef: near.ref }),
      side: edge.seen,
      ...placeOf(edge, run, run.measured, area),
      ...pair(near ? reach(near.box, edge, area.scale) : run.measured, required),
    });
  }
  const box = boxBleed(area, edge);
  if (
    settings.method === 'Both' &&
    least !== null &&
    least >= required - settings.tolerance &&
    box < required - settings.tolerance
  ) {
    report({
      rule: 'boxOnly',
      objectType: 'page',
      side: edge.seen,
      ...pair(box, required),
      fixableBy: boxFix(settings),
    });
  }
  return least;
}

interface Sizes {
  required: number;
  pixel: number;
  tolerance: number;
}

const overlapsRun = (near: NearObject, run: EdgeRun, edge: Edge): boolean => {
  const [from, to] = along(near.box, edge);
  return from <= run.to && to >= run.from;
};

/** Points on paper, 3 mm. Where ink ends in a line along the edge for so long, it is no outline that happens to touch. */
const straightRun = mm(3);

/**
 * The exact bleed of a run, from the object that ends there. Null if it is enough, or if all objects there extend far
 * enough and the ink ends along an outline: that is a round shape. Where it ends in a line along the edge, the bleed of a
 * picture is white or something white lies over it, and the value measured on the plates counts, as without objects.
 */
function confirm(
  run: EdgeRun,
  edge: Edge,
  area: PageArea,
  nearObjects: readonly NearObject[],
  sizes: Sizes,
): { value: number; near: NearObject | null } | null {
  const present = nearObjects.filter(
    (near) => overlapsRun(near, run, edge) && reach(near.box, edge, area.scale) >= -sizes.pixel,
  );
  const ends = present
    .map((near) => ({ near, value: reach(near.box, edge, area.scale) }))
    .filter(({ value }) => Math.abs(value - run.measured) <= 1.6 * sizes.pixel)
    .toSorted((a, b) => b.value - a.value);
  const [exact] = ends;
  if (exact) return exact.value < sizes.required - sizes.tolerance ? exact : null;
  return present.length > 0 && !isStraight(run, sizes.pixel, area) ? null : { value: run.measured, near: null };
}

/** Whether the ink of a run ends in a line along the edge that is too long for an outline that happens to touch. */
const isStraight = (run: EdgeRun, pixel: number, { scale }: PageArea): boolean =>
  run.most - run.measured <= pixel && (run.to - run.from) * scale >= straightRun;

/** The objects that end just inside the trim along a run. */
function endingAt(
  run: EdgeRun,
  edge: Edge,
  area: PageArea,
  nearObjects: readonly NearObject[],
  pixel: number,
): NearObject[] {
  return nearObjects.filter((near) => {
    const value = reach(near.box, edge, area.scale);
    return value < 0 && Math.abs(value - run.measured) <= 1.6 * pixel && overlapsRun(near, run, edge);
  });
}

/** Only what goes along half of the edge was meant to bleed; smaller things belong to the safety distance check. */
const isHalf = (from: number, to: number, edge: Edge): boolean => to - from >= (edge.to - edge.from) * 0.5;

/** The object that was meant to bleed, of those that end there. */
const nearest = (ending: readonly NearObject[], edge: Edge, area: PageArea, pixel: number): NearObject | null =>
  ending.find(
    ({ type, box }) =>
      type !== 'text' && reach(box, edge, area.scale) < -pixel / 2 && isHalf(...along(box, edge), edge),
  ) ?? null;

/** Runs where white objects end between the trim and the required bleed. */
function whiteRuns(settings: Settings, area: PageArea, edge: Edge, nearObjects: readonly NearObject[]): EdgeRun[] {
  const required = valueAt(settings.required, edge);
  return nearObjects.flatMap((near) => {
    const measured = reach(near.box, edge, area.scale);
    if (!near.isWhite || measured < 0 || measured >= required - settings.tolerance) return [];
    const [from, to] = along(near.box, edge);
    const run = { from: Math.max(from, edge.from), to: Math.min(to, edge.to), measured, most: measured };
    return run.to > run.from ? [run] : [];
  });
}

/** Box of a run, and its start and end along the edge in points on paper. */
function placeOf(edge: Edge, run: EdgeRun, outward: number, area: PageArea) {
  const box = stripOf(edge, run, outward / area.scale);
  const [x0, y0, x1, y1] = box;
  const along = (at: number) => Math.round((at - edge.from) * area.scale * 100) / 100;
  const params = { from: along(run.from), to: along(run.to) };
  return { box, params, ...(area.rotate !== 0 && { quad: [x0, y0, x1, y0, x1, y1, x0, y1] }) };
}

function reportShort(context: PlatesContext<Key>, edge: Edge, run: EdgeRun, near: NearObject | null): void {
  const { settings, area, report } = context;
  const required = valueAt(settings.required, edge);
  const fail = settings.failBelow ?? required / 2;
  const warn = settings.warnBelow ?? required;
  const { tolerance } = settings;
  const severity: Severity | null =
    run.measured < fail - tolerance ? 'Fail' : run.measured < warn - tolerance ? 'Warn' : null;
  if (!severity) return;
  const about = {
    objectType: near?.type ?? ('page' as const),
    ...(near && { objectRef: near.ref }),
    ...(near?.name && { resourceName: near.name }),
    side: edge.seen,
    ...placeOf(edge, run, required, area),
    ...pair(run.measured, required),
    fixableBy: bleedFix(settings),
  };
  const claims =
    settings.method === 'Both' && boxBleed(area, edge) >= required - tolerance && run.measured <= tolerance;
  if (claims) report({ ...about, rule: 'boxLies' });
  else report({ ...about, rule: 'short', severity });
}
