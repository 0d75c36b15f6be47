import type { Severity } from '@pdf2press/contract';
import type { PdfFile, Rect } from '@pdf2press/pdf';
import { referenceOf } from '../../preflight/findings.ts';
import { height, width } from '../../preflight/geometry.ts';
import type { PageArea } from '../../preflight/page-area.ts';
import { along, type Edge, edgesOf, innerSide, reach, valueAt } from '../../preflight/page-edges.ts';
import { nameOf } from '../../preflight/pdf-access.ts';
import type { PageObject } from '../../preflight/scene.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type FixHint, type PlatesContext } from '../runner.ts';
import { type EdgeRun, lookAtEdge, stripOf } from './edge-raster.ts';

type Key = 'Bleed';
type Settings = SettingsOf<Key>;

/** An object near an edge, as the second witness beside the plates. */
interface Witness {
  box: Rect;
  type: PageObject['type'];
  isWhite: boolean;
  name: string;
  /** Where it stands in the file. */
  ref: string;
}
interface Found {
  witnesses: Witness[];
}
interface Looked {
  /** Least bleed measured where ink reaches the trim; null where none does. */
  least: number | null;
}

/** Witnesses kept per page: a page with more of them near its edges is judged by the plates alone. */
const maxWitnesses = 4000;

export const bleedRunner = checkRunner<Key>()<Found, Looked>({
  page({ area, settings }) {
    const witnesses: Witness[] = [];
    const edges = edgesOf(area);
    return {
      object(object) {
        if (object.hidden !== null && object.hidden !== 'outside') return;
        if (object.inGlyph || witnesses.length >= maxWitnesses) return;
        const side = settings.minObjectSide / area.scale;
        if (width(object.box) < side && height(object.box) < side) return;
        if (edges.every((edge) => reach(object.box, edge, area.scale) < -settings.triggerDistance - 1)) return;
        const name = object.type === 'image' ? object.event.name : '';
        witnesses.push({
          box: object.box,
          type: object.type,
          isWhite: object.fill?.isWhite === true && !object.stroke,
          name,
          ref: referenceOf(object),
        });
      },
      end: () => ({ witnesses }),
    };
  },
  plates: {
    dpi: ({ dpi, method }) => (method === 'Boxes' ? null : dpi),
    look(context, found) {
      let least: number | null = null;
      for (const edge of edgesOf(context.area)) {
        if (!isRequired(context.settings, context.file, context.page.number, edge)) continue;
        const measured = judgeEdge(context, edge, found?.witnesses ?? []);
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

/** Pages that open side by side: the spread goes on where each of them ends. */
const opensInPairs = (file: PdfFile): boolean =>
  file.pageCount > 2 && /^Two(?:Page|Column)/.test(nameOf(file, file.catalog, 'PageLayout') ?? '');

function isRequired(settings: Settings, file: PdfFile, page: number, edge: Edge): boolean {
  const { innerEdge } = settings;
  const isExempt = innerEdge === 'NotRequired' || (innerEdge === null && opensInPairs(file));
  return !isExempt || edge.seen !== innerSide(page, settings);
}

/** How far the declared BleedBox lies outside the trim, points on paper. */
const boxBleed = (area: PageArea, edge: Edge): number => reach(area.bleed, edge, area.scale);

/** Judges one edge; what it measured, null where nothing reaches it. */
function judgeEdge(context: PlatesContext<Key>, edge: Edge, witnesses: readonly Witness[]): number | null {
  const { settings, area, plates, report } = context;
  const required = valueAt(settings.required, edge);
  if (required === 0) return null;
  const look = lookAtEdge(plates, edge, {
    required,
    trigger: settings.triggerDistance,
    minRun: settings.minObjectSide,
    scale: area.scale,
  });
  let least = look.isInked ? required : null;
  const runs = [...look.short, ...(settings.ignoreWhite ? [] : whiteRuns(settings, area, edge, witnesses))];
  for (const run of runs) {
    const measured = confirm(run, edge, area, witnesses, {
      required,
      pixel: look.pixel,
      tolerance: settings.tolerance,
    });
    if (measured === null) continue;
    least = Math.min(least ?? measured.value, measured.value);
    reportShort(context, edge, { ...run, measured: measured.value }, measured.witness);
  }
  for (const run of look.gaps) {
    const witness = nearest(run, edge, area, witnesses, look.pixel);
    if (!witness) continue;
    report({
      rule: 'gap',
      objectType: witness.type,
      objectRef: witness.ref,
      side: edge.seen,
      ...placeOf(edge, run, run.measured, area),
      ...pair(reach(witness.box, edge, area.scale), required),
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

const overlapsRun = (witness: Witness, run: EdgeRun, edge: Edge): boolean => {
  const [from, to] = along(witness.box, edge);
  return from <= run.to && to >= run.from;
};

/**
 * Asks the objects whether a stretch is short, and by exactly how much. Where every object there goes far enough (white
 * parts of a picture, the outline of a round shape) the stretch is no fault: null. Without a witness the plates count.
 */
function confirm(
  run: EdgeRun,
  edge: Edge,
  area: PageArea,
  witnesses: readonly Witness[],
  sizes: Sizes,
): { value: number; witness: Witness | null } | null {
  const present = witnesses.filter(
    (witness) => overlapsRun(witness, run, edge) && reach(witness.box, edge, area.scale) >= -sizes.pixel,
  );
  const ends = present
    .map((witness) => ({ witness, value: reach(witness.box, edge, area.scale) }))
    .filter(({ value }) => Math.abs(value - run.measured) <= 1.6 * sizes.pixel)
    .toSorted((a, b) => b.value - a.value);
  const [exact] = ends;
  if (exact) return exact.value < sizes.required - sizes.tolerance ? exact : null;
  return present.length > 0 ? null : { value: run.measured, witness: null };
}

/** The object that stops just inside the trim on a stretch. */
function nearest(
  run: EdgeRun,
  edge: Edge,
  area: PageArea,
  witnesses: readonly Witness[],
  pixel: number,
): Witness | null {
  const ending = witnesses.filter((witness) => {
    const value = reach(witness.box, edge, area.scale);
    return (
      witness.type !== 'text' &&
      value < -pixel / 2 &&
      Math.abs(value - run.measured) <= 1.6 * pixel &&
      overlapsRun(witness, run, edge)
    );
  });
  // A line or a small shape beside the trim is a safety matter; only what fills the edge was meant to bleed.
  const fills = ending.filter((witness) => {
    const [from, to] = along(witness.box, edge);
    return to - from >= (edge.to - edge.from) * 0.5;
  });
  return fills[0] ?? null;
}

/** White objects count like ink: stretches where they end between the trim and the required bleed. */
function whiteRuns(settings: Settings, area: PageArea, edge: Edge, witnesses: readonly Witness[]): EdgeRun[] {
  const required = valueAt(settings.required, edge);
  return witnesses.flatMap((witness) => {
    const measured = reach(witness.box, edge, area.scale);
    if (!witness.isWhite || measured < 0 || measured >= required - settings.tolerance) return [];
    const [from, to] = along(witness.box, edge);
    const run = { from: Math.max(from, edge.from), to: Math.min(to, edge.to), measured };
    return run.to > run.from ? [run] : [];
  });
}

/** The stretch as a strip beside the trim, and from where to where it goes along the edge, points on paper. */
function placeOf(edge: Edge, run: EdgeRun, outward: number, area: PageArea) {
  const box = stripOf(edge, run, outward / area.scale);
  const [x0, y0, x1, y1] = box;
  const along = (at: number) => Math.round((at - edge.from) * area.scale * 100) / 100;
  const params = { from: along(run.from), to: along(run.to) };
  return { box, params, ...(area.rotate !== 0 && { quad: [x0, y0, x1, y0, x1, y1, x0, y1] }) };
}

function reportShort(context: PlatesContext<Key>, edge: Edge, run: EdgeRun, witness: Witness | null): void {
  const { settings, area, report } = context;
  const required = valueAt(settings.required, edge);
  const fail = settings.failBelow ?? required / 2;
  const warn = settings.warnBelow ?? required;
  const { tolerance } = settings;
  const severity: Severity | null =
    run.measured < fail - tolerance ? 'Fail' : run.measured < warn - tolerance ? 'Warn' : null;
  if (!severity) return;
  const about = {
    objectType: witness?.type ?? ('page' as const),
    ...(witness && { objectRef: witness.ref }),
    ...(witness?.name && { resourceName: witness.name }),
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
