import { randomUUID } from 'node:crypto';
import type { FixReason } from '@pdf2press/contract';
import {
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
import { conformanceFindings, intentBreach, isIdentifiedAs } from '@pdf2press/preflight/conformance';
import { changeable, setBox } from '../../editing/boxes.ts';
import { hasIntent, intentName, intentOf, outputIntents, setOutputIntent } from '../../editing/output-intent.ts';
import { type FixContext, type FixRunner, failed } from '../../kind/runner.ts';
import type { convertToPdfx } from './contract.ts';
import { dropAttachments, dropPresentations, nestBoxes, recodeStreams } from './mend.ts';
import { withoutIdentification, xmpPacket } from './xmp.ts';

type Context = FixContext<typeof convertToPdfx>;
type Standard = Exclude<Context['settings']['standard'], 'None'>;

/** Identification of each level, and its PDF version. */
const levels: Readonly<Record<Standard, { version: string; pdf: string; conformance: string | null }>> = {
  'PDF/X-4': { version: 'PDF/X-4', pdf: '1.6', conformance: null },
  'PDF/X-1a:2001': { version: 'PDF/X-1:2001', pdf: '1.3', conformance: 'PDF/X-1a:2001' },
  'PDF/X-1a:2003': { version: 'PDF/X-1a:2003', pdf: '1.4', conformance: null },
};

export const run: FixRunner<typeof convertToPdfx> = async (context) => {
  const { settings, signal } = context;
  const { standard } = settings;
  const isIntentKept = keepIntent(context);
  if (standard === 'None') return;
  if (settings.setTrimBox) {
    for (const page of changeable(context.pageFacts)) {
      if (!page.boxes.trim && !page.boxes.art) setBox(context, page, 'trim', page.effective.crop, 'setTrimBox');
      if (page.boxes.trim && page.boxes.art) setBox(context, page, 'art', null, 'setTrimBox');
    }
  }
  nestBoxes(context);
  dropAttachments(context);
  dropPresentations(context);
  await recodeStreams(context, standard);
  // The rules are asked after all that can be mended is, of the file as it will be written.
  const broken = reasonsOf(await conformanceFindings(context.file, standard, signal), standard);
  const [first] = broken;
  if (settings.strict && first) throw failed(first.code, first.params);
  for (const { code, params } of broken) context.warn(code, params);
  // A file that breaks the rules must not carry any identification, not even an earlier one.
  if (first) return withdraw(context, standard);
  if (isIdentifiedAs(context.file, standard) && isIntentKept && !context.edit.isChanged()) return;
  identify(context, standard);
};

/** Names of this action's reasons for rules of the check that are called otherwise there. */
const reasonNames: Readonly<Record<string, string>> = {
  fontEmbedded: 'fontNotEmbedded',
  annotations: 'annotation',
  nesting: 'boxes',
  invalid: 'boxes',
};

/** One reason for each rule that is broken, with the first page on which it is. */
function reasonsOf(findings: Awaited<ReturnType<typeof conformanceFindings>>, standard: Standard): FixReason[] {
  const reasons = new Map<string, FixReason>();
  for (const { ruleKey, page, params } of findings) {
    const rule = ruleKey.slice(ruleKey.indexOf('.') + 1);
    const code = reasonNames[rule] ?? rule;
    if (!reasons.has(code))
      reasons.set(code, { code, params: { ...params, ...(page !== null && { page }), standard } });
  }
  return [...reasons.values()];
}

/** Sets the output intent. Returns whether it was right already. */
function keepIntent({ settings, file, edit, log }: Context): boolean {
  const present = outputIntents(file);
  const intent = intentOf(settings.profile, settings);
  const isGood =
    settings.standard === 'None'
      ? present.length === 1 &&
        present.some((one) => isDict(file.entry(one, 'DestOutputProfile')) || intentName(file, one) !== '')
      : intentBreach(file, settings.standard) === null;
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
