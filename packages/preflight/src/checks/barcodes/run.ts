import type { Severity } from '@pdf2press/contract';
import { isEmptyRect, overlap, pixelsOf, pointsOf, type Rect, transformPoint, union } from '@pdf2press/pdf';
import type { PageObject } from '../../reading/scene.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type PlatesContext, type Report } from '../runner.ts';
import { wrongNumber } from './check-digits.ts';
import { contrastOf, sizesOf } from './measure.ts';
import { type Code, codesIn, isRead, unique } from './reader.ts';
import { type Light, lightOf } from './reflectance.ts';
import { keysOf, type Symbology, symbologyOf } from './symbologies.ts';

type Key = 'Barcodes';
type Settings = SettingsOf<Key>;

/** Where codes may be on a page; null where nothing looks like one. */
interface Found {
  where: Rect | null;
}

/** Fewer shapes are no code: UPC-E has 17 bars. */
const fewestShapes = 15;
/** The smallest code is a Data Matrix of 10 modules of 0.25 mm. */
const smallest = 7;
/** Fonts whose glyphs are bars, by their names; their codes are text for everybody else. */
const barFont =
  /bar ?code|2 ?of ?5|3 ?of ?9|data ?matrix|code[-_ ]?(?:128|39|93|25)|(?:^|[^a-z])(?:c(?:128|39)|ean|upc|itf|gs1|qr)(?![a-z])/i;

export const barcodesRunner = checkRunner<Key>()<Found, string[]>({
  page({ area }) {
    let pictures: Rect | null = null;
    let drawn: Rect | null = null;
    let shapes = 0;
    const join = (known: Rect | null, box: Rect): Rect => (known ? union(known, box) : box);
    return {
      object(object) {
        if (object.hidden !== null) return;
        const box = overlap(object.box, area.media);
        if (isEmptyRect(box)) return;
        if (isOneOf(object, area.scale)) pictures = join(pictures, box);
        const count = shapesIn(object, fewestShapes);
        if (count === 0) return;
        shapes += count;
        drawn = join(drawn, box);
      },
      end() {
        const shown = shapes >= fewestShapes && drawn ? join(pictures, drawn) : pictures;
        return { where: shown };
      },
    };
  },
  plates: {
    dpi: ({ dpi, symbologies }) => (symbologies.length > 0 ? dpi : null),
    needs: (found) => Boolean(found?.where),
    look: async (context, found) => (found?.where ? lookAt(context, found.where) : []),
  },
  document: (_, pages) => ({ codes: pages.flatMap(({ plates }) => plates ?? []) }),
});

/** Pictures, and text whose glyphs are bars, that are large enough for a code. */
function isOneOf({ type, box, event }: PageObject, scale: number): boolean {
  const [width, height] = [(box[2] - box[0]) * scale, (box[3] - box[1]) * scale];
  if (type === 'image')
    return Math.min(width, height) >= smallest && Math.min(event.image.width, event.image.height) > 1;
  return type === 'text' && event.kind === 'text' && barFont.test(event.font?.name ?? '');
}

/** Parts of a path that may be bars or dots; no more are counted than are asked for. */
function shapesIn(object: PageObject, most: number): number {
  if (object.type === 'shading' || object.type === 'text') return 0;
  if (object.type === 'image') return object.event.image.width * object.event.image.height === 1 ? 1 : 0;
  const { event } = object;
  if (event.isRect || event.segmentCount < 8) return 1;
  return Math.min(most, event.segments().filter(([letter]) => letter === 'M').length);
}

/** Space around what may be a code: 11 modules of a symbol of twice the usual size. */
const around = 24;

async function lookAt(context: PlatesContext<Key>, where: Rect): Promise<string[]> {
  const { plates, area, settings } = context;
  const by = around / area.scale;
  const grown: Rect = [where[0] - by, where[1] - by, where[2] + by, where[3] + by];
  const at = pixelsOf(plates.frame, overlap(grown, area.media));
  const { red, other } = lightOf(plates, at);
  const formats = keysOf(settings.symbologies);
  const inRed = await codesIn(red, formats);
  const inOther = other ? await codesIn(other, formats) : [];
  // What is read in red light is judged in it; what only other light shows lacks contrast for a scanner.
  const codes = unique([...inRed.filter(isRead), ...inOther.filter(isRead), ...inRed, ...inOther]);
  const trim = area.trim;
  const onPaper = ({ x, y }: { x: number; y: number }) => {
    const [px, py] = transformPoint(plates.frame.toPoint, x + at.left, y + at.top);
    return px >= trim[0] && px <= trim[2] && py >= trim[1] && py <= trim[3];
  };
  for (const code of codes) {
    const box = boxOf(code, (pixels) =>
      pointsOf(plates.frame, { ...pixels, left: pixels.left + at.left, top: pixels.top + at.top }),
    );
    judge(context, { code, box, red, light: inRed.includes(code) || !other ? red : other, onPaper });
  }
  return codes.filter(isRead).map((code) => `${symbologyOf(code.format, code.text).name} ${code.text}`);
}

function boxOf(
  { topLeft, topRight, bottomLeft, bottomRight }: Code,
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
  if (code.state === 'unreadable') {
    report({ rule: 'unreadable' });
    return;
  }
  const wrong = code.state === 'wrongCheckDigit' ? code.text : wrongNumber(code.format, code.text, code.isGs1);
  if (wrong !== null) report({ rule: 'checkDigit', params: { number: wrong } });
  // Readers of two-dimensional codes take them either way (ISO/IEC 18004:2015, ISO/IEC 16022), scanners of bars do not.
  if (code.isReversed && symbology.kind !== 'matrix') report({ rule: 'reversed' });
  else judgeSizes(context, looked, symbology, report);
}

type RuleKey = 'unreadable' | 'checkDigit' | 'contrast' | 'reversed' | 'moduleSize' | 'quietZone';
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
  const { plates, settings } = context;
  const { code, red, light, onPaper } = looked;
  tellIf(report, 'contrast', contrastOf(red, code) * 100, settings.contrast, '%');
  const { module, quiet } = sizesOf(light, code, symbology, onPaper);
  if (module !== null) {
    const width = (module * 72 * unsure) / plates.dpi;
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
