import type { Severity } from '@pdf2press/contract';
import {
  covers,
  fittingDpi,
  overlap,
  type PagePlates,
  type PixelRect,
  pixelsOf,
  pointsOf,
  type Rect,
  touches,
  transformPoint,
  union,
} from '@pdf2press/pdf';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type PlatesContext, type Report } from '../runner.ts';
import { wrongNumber } from './check-digits.ts';
import type { Code } from './code.ts';
import { contrastOf, sizesOf } from './measure.ts';
import { codesIn, isRead, unique } from './reader.ts';
import { type Light, lightOf } from './reflectance.ts';
import { type Region, regionsOf } from './search.ts';
import type { Corners } from './structure.ts';
import { keysOf, type Symbology, symbologyOf } from './symbologies.ts';
import { createWhere, type Where } from './where.ts';

type Key = 'Barcodes';
type Settings = SettingsOf<Key>;

/** Where codes may be on a page; null where nothing looks like one. */
interface Found {
  where: Where | null;
}

/** Codes are looked for on plates of this resolution, which other checks use, too; they are read at that of the settings. */
const searchDpi = 150;

export const barcodesRunner = checkRunner<Key>()<Found, string[]>({
  page({ area }) {
    const where = createWhere(area);
    return { object: where.add, end: () => ({ where: where.end() }) };
  },
  plates: {
    dpi: ({ dpi, symbologies }) => (symbologies.length > 0 ? Math.min(dpi, searchDpi) : null),
    needs: (found) => Boolean(found?.where),
    look: async (context, found) => (found?.where ? lookAt(context, found.where) : []),
  },
  document: (_, pages) => ({ codes: pages.flatMap(({ plates }) => plates ?? []) }),
});

/** Pixels of a part of a page at most; larger ones are drawn at a lower resolution. */
const mostPixels = 30_000_000;

async function lookAt(context: PlatesContext<Key>, where: Where): Promise<string[]> {
  const { plates, settings } = context;
  const whole = { left: 0, top: 0, width: plates.width, height: plates.height };
  const regions = regionsOf(plates, lightOf(plates, whole), where);
  const isFine = plates.dpi >= settings.dpi;
  const near = isFine
    ? []
    : partsOf(
        context,
        regions.filter(({ isCoarse }) => !isCoarse),
      );
  const far = partsOf(context, isFine ? regions : regions.filter(({ isCoarse }) => isCoarse));
  const told: Told[] = [];
  await readNear(context, near, told);
  await readFar(context, far, told);
  return told.flatMap(({ name }) => name ?? []);
}

/** Parts that are drawn by one run of the renderer. */
const drawnAtOnce = 8;

/** Draws parts of the page at the resolution of the settings and reads them; what the edge of a part cuts, once more. */
async function readNear(
  context: PlatesContext<Key>,
  parts: readonly Part[],
  told: Told[],
  isAgain = false,
): Promise<void> {
  const { page, settings } = context;
  const cut: Part[] = [];
  for (let from = 0; from < parts.length; from += drawnAtOnce) {
    const some = parts.slice(from, from + drawnAtOnce);
    const dpi = Math.min(...some.map(({ box }) => fittingDpi(page, { dpi: settings.dpi, box, pixels: mostPixels })));
    const boxes = some.map(({ box }) => box);
    const views = await context.closeUps(boxes, dpi);
    try {
      for (const [at, plates] of views.entries()) {
        const part = some[at] as Part;
        const view = { ...part, plates, at: pixelsOf(plates.frame, part.box) };
        cut.push(...(await tellCodes(context, view, told, isAgain)));
      }
    } finally {
      for (const view of views) view.release();
    }
  }
  if (cut.length > 0) await readNear(context, cut, told, true);
}

/** Reads parts of the page where the plates show them. */
async function readFar(
  context: PlatesContext<Key>,
  parts: readonly Part[],
  told: Told[],
  isAgain = false,
): Promise<void> {
  const { plates } = context;
  const cut: Part[] = [];
  for (const part of parts)
    cut.push(...(await tellCodes(context, { ...part, plates, at: pixelsOf(plates.frame, part.box) }, told, isAgain)));
  if (cut.length > 0) await readFar(context, cut, told, true);
}

interface Part {
  box: Rect;
  inOther: boolean;
  /** Where in it matrix codes may be. */
  spots: readonly Rect[];
}

/** Space around what may be a code: 11 modules of a symbol of twice the usual size, or more around a larger one. */
const around = 24;
const aroundShare = 0.25;

/** A page that is full of what may be codes is drawn as a whole: each part is drawn with all that it shows. */
const mostParts = 24;

/** Regions with their surroundings, as boxes of the page; those that lie over each other are one. */
function partsOf({ plates, area }: PlatesContext<Key>, regions: readonly Region[]): Part[] {
  const parts: Part[] = [];
  for (const region of regions) {
    const [x0, y0, x1, y1] = pointsOf(plates.frame, region);
    const by = Math.max(around / area.scale, Math.max(x1 - x0, y1 - y0) * aroundShare);
    const box = overlap([x0 - by, y0 - by, x1 + by, y1 + by], area.media);
    let part: Part = { box, inOther: region.inOther, spots: region.isSpread ? [[x0, y0, x1, y1]] : [] };
    for (let at = 0; at < parts.length; ) {
      const other = parts[at] as Part;
      if (!touches(other.box, part.box)) at += 1;
      else {
        part = {
          box: union(part.box, other.box),
          inOther: part.inOther || other.inOther,
          spots: [...part.spots, ...other.spots],
        };
        parts.splice(at, 1);
        // What is larger now may touch those that were passed.
        at = 0;
      }
    }
    parts.push(part);
  }
  if (parts.length <= mostParts) return parts;
  const box = parts.map((part) => part.box).reduce((all, each) => union(all, each));
  return [{ box, inOther: parts.some(({ inOther }) => inOther), spots: parts.flatMap(({ spots }) => spots) }];
}

interface Told {
  box: Rect;
  /** What was read; null for a code that cannot be read. */
  name: string | null;
}

/** A part of a page at a resolution at which codes are read. */
interface View extends Part {
  plates: PagePlates;
  at: PixelRect;
}

/** Space that is looked at beside a code, of its length: 12 of the 51 modules of a UPC-E. */
const besideShare = 0.3;

/** Points: edges of rasters are whole pixels. */
const unsureOfEdge = 1;

/** Judges the codes of a part of the page that were not told yet. Returns those around which the part does not show enough. */
async function tellCodes(
  context: PlatesContext<Key>,
  { plates, at, inOther, spots }: View,
  told: Told[],
  isAgain: boolean,
): Promise<Part[]> {
  const { area, settings } = context;
  const { red, other } = lightOf(plates, at);
  const formats = keysOf(settings.symbologies);
  const places = spots
    .map((spot) => within(pixelsOf(plates.frame, spot), at))
    .filter(({ width, height }) => width > 0 && height > 0);
  const inRed = await codesIn(red, formats, places);
  // Nothing is read in other light where all edges show in red light.
  const others = other && inOther ? await codesIn(other, formats, places) : { codes: [], unread: [] };
  // What is read in red light is judged in it; what only other light shows lacks contrast for a scanner.
  const codes = unique([
    ...inRed.codes.filter(isRead),
    ...others.codes.filter(isRead),
    ...inRed.codes,
    ...others.codes,
  ]);
  const trim = area.trim;
  const shown = pointsOf(plates.frame, at);
  const cut: Part[] = [];
  const onPaper = ({ x, y }: { x: number; y: number }) => {
    const [px, py] = transformPoint(plates.frame.toPoint, x + at.left, y + at.top);
    return px >= trim[0] && px <= trim[2] && py >= trim[1] && py <= trim[3];
  };
  const placeOf = (corners: Corners): Rect =>
    boxOf(corners, (pixels) =>
      pointsOf(plates.frame, { ...pixels, left: pixels.left + at.left, top: pixels.top + at.top }),
    );
  for (const code of codes) {
    const box = placeOf(code);
    if (told.some((known) => touches(known.box, box))) continue;
    const by = Math.max(box[2] - box[0], box[3] - box[1]) * besideShare;
    const surrounded = overlap([box[0] - by, box[1] - by, box[2] + by, box[3] + by], area.media);
    if (!isAgain && !covers(shown, surrounded, unsureOfEdge)) {
      cut.push({ box: surrounded, inOther, spots: [] });
      continue;
    }
    told.push({ box, name: isRead(code) ? `${symbologyOf(code.format, code.text).name} ${code.text}` : null });
    const light = inRed.codes.includes(code) || !other ? red : other;
    judge(context, { code, box, red, light, dpi: plates.dpi, onPaper });
  }
  for (const corners of [...inRed.unread, ...others.unread]) {
    const box = placeOf(corners);
    if ([...told, ...cut].some((known) => touches(known.box, box))) continue;
    told.push({ box, name: null });
    context.report({ rule: 'unreadable', objectType: 'page', box });
  }
  return cut;
}

/** The part of an area that another has, from whose corner it is measured. */
function within({ left, top, width, height }: PixelRect, area: PixelRect): PixelRect {
  const [x0, y0] = [Math.max(0, left - area.left), Math.max(0, top - area.top)];
  const [x1, y1] = [Math.min(area.width, left + width - area.left), Math.min(area.height, top + height - area.top)];
  return { left: x0, top: y0, width: x1 - x0, height: y1 - y0 };
}

function boxOf(
  { topLeft, topRight, bottomLeft, bottomRight }: Corners,
  toPoints: (pixels: { left: number; top: number; width: number; height: number }) => Rect,
): Rect {
  const corners = [topLeft, topRight, bottomLeft, bottomRight];
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return toPoints({ left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top });
}

interface Looked {
  code: Code;
  box: Rect;
  red: Light;
  /** Of the raster. */
  dpi: number;
  /** In which the code was found. */
  light: Light;
  onPaper: (point: { x: number; y: number }) => boolean;
}

function judge(context: PlatesContext<Key>, looked: Looked): void {
  const { code, box } = looked;
  const symbology = symbologyOf(code.format, code.text);
  const params = { code: symbology.name, text: code.text.slice(0, 60) };
  const report = (found: Omit<Report<RuleKey>, 'box' | 'objectType'>) =>
    context.report({ objectType: 'page', box, ...found, params: { ...params, ...found.params } });
  const wrong = code.state === 'wrongCheckDigit' ? code.text : wrongNumber(code.format, code.text, code.isGs1);
  if (wrong !== null) report({ rule: 'checkDigit', params: { number: wrong } });
  // Readers of two-dimensional codes take them either way (ISO/IEC 18004:2015, ISO/IEC 16022), scanners of bars do not.
  if (code.isReversed && symbology.kind !== 'matrix') report({ rule: 'reversed' });
  else judgeSizes(context, looked, symbology, report);
}

type RuleKey = 'checkDigit' | 'contrast' | 'reversed' | 'moduleSize' | 'quietZone';
type Limits = { failBelow: number | null; warnBelow: number | null };
type Tell = (found: Omit<Report<RuleKey>, 'box' | 'objectType'>) => void;

/** The worst limit that a value is below; null when it keeps both. */
function broken(value: number, { failBelow, warnBelow }: Limits): { severity: Severity; limit: number } | null {
  if (failBelow !== null && value < failBelow) return { severity: 'Fail', limit: failBelow };
  return warnBelow !== null && value < warnBelow ? { severity: 'Warn', limit: warnBelow } : null;
}

const modulesOf: Record<Symbology['kind'], (settings: Settings) => Limits> = {
  retail: ({ retailModule }) => retailModule,
  linear: ({ linearModule }) => linearModule,
  matrix: ({ matrixModule }) => matrixModule,
};

/** Half a percent: what rounding to pixels leaves unsure of the width of a symbol. */
const unsure = 1.005;

function judgeSizes(context: PlatesContext<Key>, looked: Looked, symbology: Symbology, report: Tell): void {
  const { settings } = context;
  const { code, red, light, dpi, onPaper } = looked;
  tellIf(report, 'contrast', contrastOf(red, code) * 100, settings.contrast, '%');
  const { module, quiet } = sizesOf(light, code, symbology, onPaper);
  if (module !== null) {
    const width = (module * 72 * unsure) / dpi;
    tellIf(report, 'moduleSize', width, modulesOf[symbology.kind](settings), 'pt');
  }
  if (!quiet) return;
  const least = broken(quiet.share * 100, settings.quietZone);
  if (!least) return;
  report({
    rule: 'quietZone',
    severity: least.severity,
    measured: { value: Math.round(quiet.modules * 10) / 10, unit: 'count' },
    limit: { value: quiet.needed, unit: 'count', op: '>=' },
  });
}

function tellIf(report: Tell, rule: RuleKey, value: number, limits: Limits, unit: '%' | 'pt'): void {
  const found = broken(value, limits);
  if (!found) return;
  const measured = { value: Math.round(value * 1000) / 1000, unit };
  report({ rule, severity: found.severity, measured, limit: { value: found.limit, unit, op: '>=' } });
}
