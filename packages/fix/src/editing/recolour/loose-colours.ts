/**
 * Colours outside content streams: those of annotations without an appearance, and default appearances of form fields.
 * Colours that are RGB by definition and are not printed stay: bookmarks, rich text, structure attributes.
 */
import {
  type DeviceFamily,
  deviceSpaces,
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  numberText,
  type PageFacts,
  type PdfDict,
  type PdfValue,
  pdfBytes,
  type Rect,
  rectOf,
} from '@pdf2press/pdf';
import { deviceOf } from './colour-operators.ts';
import type { Recolouring } from './recolouring.ts';
import type { SpaceMap } from './space-map.ts';

/** Functions that apply the changes; all objects are read before the first one is changed. */
export type LooseColours = readonly (() => void)[];

/** Colour space by number of components of an annotation colour (ISO 32000-1, 12.5.2). */
const families: Readonly<Record<number, DeviceFamily>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' };

/** Keys of annotation dictionaries that hold colours. */
const ways: readonly (readonly string[])[] = [['C'], ['IC'], ['MK', 'BC'], ['MK', 'BG']];

export function findLooseColours(job: Recolouring): LooseColours {
  const { context, options } = job;
  if (!options.converts.operators || !context.touches('annotation')) return [];
  const found: (() => void)[] = [];
  for (const page of context.pageFacts) findOnPage(job, page, found);
  if (context.pages.length === context.file.pageCount) findInForm(job, found);
  return found;
}

function findOnPage(job: Recolouring, page: PageFacts, found: (() => void)[]): void {
  const { file, edit } = job.context;
  page.annotations.forEach((entry, index) => {
    const annotation = file.resolve(entry);
    if (!isDict(annotation)) return;
    const [num, above] = isRef(entry) ? [entry.num, []] : [page.object, ['Annots', index]];
    const put = (way: readonly string[], value: PdfValue) => found.push(() => edit.put(num, [...above, ...way], value));
    let before: string | null = null;
    for (const way of ways) {
      const made = isRedaction(job, annotation, way) ? null : convertedColour(job, at(job, annotation, way));
      if (!made) continue;
      put(way, made.values);
      before = made.before;
    }
    const look = convertedLook(job, file.entry(annotation, 'DA'));
    if (look) {
      put(['DA'], look.value);
      before ??= look.before;
    }
    if (before !== null) tell(job, before, { page: page.number, num, box: placeOf(job, annotation) });
  });
}

/** Default appearances of form fields, own or inherited (ISO 32000-1, 12.7.3.3). */
function findInForm(job: Recolouring, found: (() => void)[]): void {
  const { file, edit } = job.context;
  const form = file.catalog.map.get('AcroForm');
  const dict = file.resolve(form);
  const root = file.trailer.map.get('Root');
  if (!isDict(dict) || !isRef(root)) return;
  const [num, above] = isRef(form) ? [form.num, []] : [root.num, ['AcroForm']];
  const own = convertedLook(job, file.entry(dict, 'DA'));
  if (own) {
    found.push(() => edit.put(num, [...above, 'DA'], own.value));
    tell(job, own.before, { page: null, num, box: null });
  }
  const seen = new Set<number>();
  const walk = (list: PdfValue): void => {
    for (const entry of isArray(list) ? list : []) {
      const field = file.resolve(entry);
      if (!isRef(entry) || !isDict(field) || seen.has(entry.num)) continue;
      seen.add(entry.num);
      walk(file.entry(field, 'Kids'));
      // Fields that are also annotations were converted with their page.
      const look = field.map.has('Rect') ? null : convertedLook(job, file.entry(field, 'DA'));
      if (!look) continue;
      found.push(() => edit.put(entry.num, 'DA', look.value));
      tell(job, look.before, { page: null, num: entry.num, box: null });
    }
  };
  walk(file.entry(dict, 'Fields'));
}

/** The interior colour of a redaction is RGB by definition (ISO 32000-1, 12.5.6.23). */
const isRedaction = ({ context: { file } }: Recolouring, annotation: PdfDict, [key]: readonly string[]): boolean =>
  key === 'IC' && isName(file.entry(annotation, 'Subtype'), 'Redact');

function at({ context: { file } }: Recolouring, dict: PdfDict, way: readonly string[]): PdfValue {
  let value: PdfValue = dict;
  for (const key of way) value = isDict(value) ? file.entry(value, key) : null;
  return value;
}

const deviceMap = ({ options }: Recolouring, family: DeviceFamily): SpaceMap | null => {
  const map = options.mapSpace(deviceSpaces[family], false);
  return map?.device ? map : null;
};

const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 10_000) / 10_000);

function convertedColour(job: Recolouring, value: PdfValue): { before: string; values: number[] } | null {
  const numbers = (isArray(value) ? value : []).map((entry) => job.context.file.resolve(entry));
  const family = families[numbers.length];
  const map = family && deviceMap(job, family);
  if (!map || !numbers.every((entry) => typeof entry === 'number')) return null;
  return { before: family, values: rounded(map.convert(numbers as number[])) };
}

/** Converts a default appearance string such as `1 0 0 rg /Helv 12 Tf`. */
function convertedLook(job: Recolouring, value: PdfValue): { before: string; value: PdfValue } | null {
  if (!isString(value)) return null;
  let before: string | null = null;
  const text = Buffer.from(value.bytes)
    .toString('latin1')
    .replace(/((?:[-+]?[\d.]+\s+)+)(rg|RG|g|G|k|K)(?![^\s/[(<])/g, (all, operands: string, op: string) => {
      const family = deviceOf[op];
      const map = family ? deviceMap(job, family) : null;
      const numbers = operands.trim().split(/\s+/).map(Number);
      if (!family || !map?.device || numbers.length !== deviceSpaces[family].components) return all;
      before ??= family;
      const values = rounded(map.convert(numbers)).map((number) => numberText(number));
      return `${values.join(' ')} ${map.device[op === op.toUpperCase() ? 'stroke' : 'fill']}`;
    });
  return before === null ? null : { before, value: pdfBytes(Buffer.from(text, 'latin1')) };
}

/** Area that an annotation may show in, with a margin for its border. */
function placeOf({ context: { file } }: Recolouring, annotation: PdfDict): Rect | null {
  const rect = rectOf(file, annotation, 'Rect');
  return rect && [rect[0] - 2, rect[1] - 2, rect[2] + 2, rect[3] + 2];
}

function tell(
  { context, options }: Recolouring,
  before: string,
  where: { page: number | null; num: number; box: Rect | null },
): void {
  context.log({
    what: 'annotation',
    page: where.page,
    object: `${where.num} 0 R`,
    ...(where.box && { box: where.box }),
    before,
    after: options.target,
    parameter: options.parameter,
  });
}
