import { randomUUID } from 'node:crypto';
import {
  filterNames,
  interpretPage,
  isArray,
  isDict,
  isName,
  isString,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
  pdfText,
  pdfTextString,
} from '@pdf2press/pdf';
import { changeable, setBox } from '../../editing/boxes.ts';
import { hasIntent, intentName, intentOf, outputIntents, setOutputIntent } from '../../editing/output-intent.ts';
import { isTransparent } from '../../editing/painted.ts';
import { type FixContext, type FixRunner, failed } from '../../kind/runner.ts';
import type { convertToPdfx } from './contract.ts';
import { withoutIdentification, xmpPacket } from './xmp.ts';

type Context = FixContext<typeof convertToPdfx>;
type Standard = Exclude<Context['settings']['standard'], 'None'>;

/** Identification of each level, and its PDF version. */
const levels: Readonly<Record<Standard, { version: string; pdf: string; conformance: string | null }>> = {
  'PDF/X-4': { version: 'PDF/X-4', pdf: '1.6', conformance: null },
  'PDF/X-1a:2001': { version: 'PDF/X-1:2001', pdf: '1.3', conformance: 'PDF/X-1a:2001' },
  'PDF/X-1a:2003': { version: 'PDF/X-1a:2003', pdf: '1.4', conformance: null },
};

export const run: FixRunner<typeof convertToPdfx> = (context) => {
  const { settings } = context;
  const isIntentKept = keepIntent(context);
  if (settings.standard === 'None') return;
  const standard = settings.standard;
  const broken = findBreaches(context, standard);
  if (broken.length > 0) {
    const [first] = broken;
    if (settings.strict && first) throw failed(first.code, { ...first.params, standard });
    for (const { code, params } of broken) context.warn(code, { ...params, standard });
  }
  if (settings.setTrimBox) {
    for (const page of changeable(context.pageFacts)) {
      if (!page.boxes.trim && !page.boxes.art) setBox(context, page, 'trim', page.effective.crop, 'setTrimBox');
      if (page.boxes.trim && page.boxes.art) setBox(context, page, 'art', null, 'setTrimBox');
    }
  }
  // A file that breaks the rules must not carry any identification, not even an earlier one.
  if (broken.length > 0) return withdraw(context, standard);
  if (isIdentified(context, standard) && isIntentKept && !context.edit.isChanged()) return;
  identify(context, standard);
};

/** Sets the output intent. Returns whether it was right already. */
function keepIntent({ settings, file, edit, log }: Context): boolean {
  const present = outputIntents(file);
  const intent = intentOf(settings.profile, settings);
  const isGood =
    present.length === 1 &&
    present.some((one) => isDict(file.entry(one, 'DestOutputProfile')) || intentName(file, one) !== '');
  if (isGood && (!settings.replaceIntent || hasIntent(file, intent))) return true;
  setOutputIntent(edit, intent);
  const [before] = present;
  log({
    what: 'intent',
    before: before ? intentName(file, before) : null,
    after: intent.identifier,
    parameter: 'profile',
  });
  return false;
}

function infoText({ file }: Context, key: string): string | null {
  const value = file.info ? file.entry(file.info, key) : null;
  if (isName(value)) return value.name;
  return isString(value) ? pdfText(value.bytes) : null;
}

function isIdentified(context: Context, standard: Standard): boolean {
  const level = levels[standard];
  const conformance = infoText(context, 'GTS_PDFXConformance');
  return (
    infoText(context, 'GTS_PDFXVersion') === level.version &&
    (level.conformance === null || conformance === level.conformance) &&
    infoText(context, 'Trapped') !== null &&
    infoText(context, 'Title') !== null &&
    context.file.version === level.pdf
  );
}

const pdfDate = (date: Date): string => `D:${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;

function identify(context: Context, standard: Standard): void {
  const { edit, settings, now, log } = context;
  const level = levels[standard];
  const before = infoText(context, 'GTS_PDFXVersion');
  const trapped =
    settings.trapped !== 'Keep' ? settings.trapped : infoText(context, 'Trapped') === 'True' ? 'True' : 'False';
  const title = settings.title || infoText(context, 'Title') || context.fileName;
  edit.putInfo('GTS_PDFXVersion', pdfTextString(level.version));
  edit.putInfo('GTS_PDFXConformance', level.conformance === null ? undefined : pdfTextString(level.conformance));
  edit.putInfo('Trapped', pdfName(trapped));
  edit.putInfo('Title', pdfTextString(title));
  if (infoText(context, 'CreationDate') === null) edit.putInfo('CreationDate', pdfTextString(pdfDate(now)));
  edit.putInfo('ModDate', pdfTextString(pdfDate(now)));
  edit.putInfo('Creator', pdfTextString(infoText(context, 'Creator') ?? 'pdf2press'));
  edit.putInfo('Producer', pdfTextString(infoText(context, 'Producer') ?? 'pdf2press'));
  edit.setVersion(level.pdf);
  edit.putCatalog('Version', undefined);
  writeXmp(context, { standard, title, trapped });
  log({ what: 'identified', before, after: level.conformance ?? level.version, parameter: 'standard' });
}

function withdraw(context: Context, standard: Standard): void {
  const { edit, file, log } = context;
  const { version } = levels[standard];
  const metadata = file.entry(file.catalog, 'Metadata');
  const packet = isDict(metadata) && metadata.stream !== 0 ? textOf(file.stream(metadata.stream)) : '';
  const kept = withoutIdentification(packet);
  if (infoText(context, 'GTS_PDFXVersion') !== version && kept === packet) return;
  edit.putInfo('GTS_PDFXVersion', undefined);
  edit.putInfo('GTS_PDFXConformance', undefined);
  if (kept !== packet) putMetadata(context, kept);
  log({ what: 'withdrawn', before: version, after: null, parameter: 'strict' });
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function putMetadata({ edit }: Context, packet: string): void {
  // XMP metadata must not be compressed (ISO 15930-7, 6.7.2).
  const dict = pdfDict({ Type: pdfName('Metadata'), Subtype: pdfName('XML'), Filter: [] as PdfValue });
  edit.putCatalog('Metadata', pdfRef(edit.addStream(Buffer.from(packet, 'utf8'), dict)));
}

function writeXmp(context: Context, facts: { standard: Standard; title: string; trapped: 'True' | 'False' }): void {
  const { file, now } = context;
  const metadata = file.entry(file.catalog, 'Metadata');
  const existing = isDict(metadata) && metadata.stream !== 0 ? textOf(file.stream(metadata.stream)) : null;
  const packet = xmpPacket(existing, {
    standard: facts.standard === 'PDF/X-4' ? 'PDF/X-4' : null,
    title: facts.title,
    creator: 'pdf2press',
    created: now.toISOString(),
    modified: now.toISOString(),
    documentId: randomUUID(),
    trapped: facts.trapped,
  });
  putMetadata(context, packet);
}

interface Breach {
  code: string;
  params: Record<string, string | number>;
}

/** Rules of the standard that the file breaks, each with the first page. */
function findBreaches(context: Context, standard: Standard): Breach[] {
  const { file } = context;
  const isX1a = standard !== 'PDF/X-4';
  const found = new Map<string, Breach>();
  const note = (code: string, params: Breach['params']): void => {
    if (!found.has(code)) found.set(code, { code, params });
  };
  for (const page of file.pages) {
    const at = { page: page.number };
    const colour = (family: string): void => {
      if (
        isX1a
          ? !['DeviceGray', 'DeviceCMYK', 'Separation', 'DeviceN', 'Indexed', 'Pattern'].includes(family)
          : family === 'DeviceRGB'
      )
        note('colour', { ...at, family });
    };
    const group = file.entry(page.dict, 'Group');
    if (isX1a && isDict(group) && isName(group.map.get('S'), 'Transparency')) note('transparency', at);
    interpretPage(file, page.number, [
      {
        text({ font, state, paints }) {
          if (paints === 'none') return;
          if (font && !font.isEmbedded && font.type !== 'Type3')
            note('fontNotEmbedded', { ...at, font: font.baseName });
          colour(state.fill.space.family);
          if (isX1a && isTransparent(state)) note('transparency', at);
        },
        path({ state, paints }) {
          if (paints !== 'stroke') colour(state.fill.space.family);
          if (paints !== 'fill') colour(state.stroke.space.family);
          if (isX1a && isTransparent(state)) note('transparency', at);
        },
        image({ image, state }) {
          if (image.space) colour(image.space.family === 'Indexed' ? image.space.base.family : image.space.family);
          if (isX1a && (image.softMask || isTransparent(state))) note('transparency', at);
          const filters = filterNames(image.dict, file.resolve);
          if (isX1a && filters.some((filter) => filter === 'JPXDecode' || filter === 'JBIG2Decode'))
            note('filter', { ...at, filter: filters.join(' ') });
          if (filters.includes('LZWDecode')) note('filter', { ...at, filter: 'LZWDecode' });
        },
        shading({ shading, state }) {
          colour(shading.space.family);
          if (isX1a && isTransparent(state)) note('transparency', at);
        },
        runBegin({ run }) {
          if (isX1a && run.group && run.kind === 'form') note('transparency', at);
        },
      },
    ]);
    for (const entry of page.annotations) {
      const annotation = file.resolve(entry);
      const subtype = isDict(annotation) ? file.entry(annotation, 'Subtype') : null;
      if (
        isName(subtype) &&
        !['PrinterMark', 'TrapNet', 'Popup'].includes(subtype.name) &&
        isInside(context, annotation, page.effective.bleed)
      )
        note('annotation', { ...at, subtype: subtype.name });
    }
  }
  const names = file.entry(file.catalog, 'Names');
  if (isDict(names) && names.map.has('JavaScript')) note('javascript', {});
  if (isX1a && file.catalog.map.has('OCProperties')) note('layers', {});
  return [...found.values()];
}

function isInside({ file }: Context, annotation: PdfValue, area: readonly number[]): boolean {
  const rect = isDict(annotation) ? file.entry(annotation, 'Rect') : null;
  if (!isArray(rect) || rect.length < 4 || rect.some((entry) => typeof entry !== 'number')) return false;
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect as number[];
  return (
    Math.min(x0, x1) < (area[2] ?? 0) &&
    Math.max(x0, x1) > (area[0] ?? 0) &&
    Math.min(y0, y1) < (area[3] ?? 0) &&
    Math.max(y0, y1) > (area[1] ?? 0)
  );
}
