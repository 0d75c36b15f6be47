/** Rules of ISO 19005-2 and -3 for the document as a whole. */
import type { PdfDict, PdfFile, PdfValue } from '@pdf2press/pdf';
import {
  arrayOf,
  dictOf,
  dictsIn,
  filterNames,
  isArray,
  isDict,
  isRef,
  isString,
  nameOf,
  textOf,
} from '@pdf2press/pdf';
import { documentActions, nameTreeValues, xmpOf, xmpValue } from '../../reading/document-facts.ts';
import type { RuleOf, SettingsOf } from '../contracts.ts';
import { attachmentsOf, dataOf } from './attachments.ts';
import { pdfaIntents } from './output-space.ts';

export interface Breach {
  rule: RuleOf<'PdfA'>;
  params: Record<string, string | number | string[]>;
}
const breach = (rule: Breach['rule'], params: Breach['params'] = {}): Breach => ({ rule, params });
const when = (isBroken: boolean, rule: Breach['rule'], params: Breach['params'] = {}): Breach[] =>
  isBroken ? [breach(rule, params)] : [];

/** The document rules that a file breaks, with the parameters of the findings. */
export function documentBreaches(file: PdfFile, { level, claimRequired }: SettingsOf<'PdfA'>): Breach[] {
  const isThirdPart = level === 'PDF/A-3b';
  const xmp = xmpOf(file);
  const scan = scanObjects(file);
  return [
    ...(claimRequired ? claimBreaches(xmp, isThirdPart ? '3' : '2') : []),
    ...metadataBreaches(xmp),
    ...when(Number(file.version) > 1.7, 'version', { version: file.version, highest: '1.7' }),
    ...when(file.encryption !== null, 'encrypted'),
    ...when(file.isRepaired, 'damaged'),
    ...when(!hasIdentifiers(file), 'trailerId'),
    ...when(scan.streamFaults.length > 0, 'streamData', { filters: scan.streamFaults }),
    ...intentBreaches(file),
    ...interactionBreaches(file),
    ...attachmentBreaches(file, scan, isThirdPart),
    ...layerBreaches(file),
    ...when(hasAlternates(file), 'alternates'),
  ];
}

const hasIdentifiers = (file: PdfFile): boolean => {
  const both = arrayOf(file, file.trailer, 'ID').map((one) => file.resolve(one));
  return both.length === 2 && both.every(isString);
};

/** Namespace of the entries that identify PDF/A. */
const identification = 'http://www.aiim.org/pdfa/ns/id/';

/** Levels A and U keep all that B asks for (ISO 19005-2, 6.6.4). */
function claimBreaches(xmp: string, part: string): Breach[] {
  const found = xmpValue(xmp, 'pdfaid:part') ?? '';
  const conformance = xmpValue(xmp, 'pdfaid:conformance') ?? '';
  const isClaimed = xmp.includes(identification) && found === part && ['A', 'B', 'U'].includes(conformance);
  return when(!isClaimed, 'claim', { claimed: found ? `PDF/A-${found}${conformance.toLowerCase()}` : 'missing' });
}

/** ISO 19005-2, 6.6.2: the packet may not say its length or encoding, which another program would have to keep right. */
function metadataBreaches(xmp: string): Breach[] {
  const packet = /<\?xpacket\s[^?]*\?>/.exec(xmp)?.[0] ?? '';
  const reason = xmp === '' ? 'missing' : /\b(bytes|encoding)\s*=/.test(packet) ? 'packet' : null;
  return reason ? [breach('metadata', { reason })] : [];
}

function intentBreaches(file: PdfFile): Breach[] {
  const intents = pdfaIntents(file);
  const profiles = new Set(intents.map(({ dict }) => dictOf(file, dict, 'DestOutputProfile')?.stream ?? 0));
  const reason =
    profiles.size > 1
      ? 'several'
      : intents.some(({ hasProfile }) => !hasProfile)
        ? 'noProfile'
        : intents.some(({ profileSpace }) => !['GRAY', 'RGB', 'CMYK'].includes(profileSpace ?? ''))
          ? 'brokenProfile'
          : intents.some(({ profileClass }) => profileClass !== 'output' && profileClass !== 'display')
            ? 'notOutput'
            : null;
  return reason ? [breach('outputIntent', { reason })] : [];
}

/** ISO 19005-2, 6.5.1: what changes the document, plays something or starts a program. */
const forbiddenActions = new Set([
  'Launch',
  'Sound',
  'Movie',
  'ResetForm',
  'ImportData',
  'Hide',
  'SetOCGState',
  'Rendition',
  'Trans',
  'GoTo3DView',
  // Of older versions of PDF.
  'SetState',
  'set-state',
  'NOP',
  'NoOp',
  'no-op',
]);
const pageTurns = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);

function interactionBreaches(file: PdfFile): Breach[] {
  const { javascript, actions, named } = documentActions(file);
  const found = [
    ...(javascript ? ['JavaScript'] : []),
    ...actions.filter((kind) => forbiddenActions.has(kind)),
    ...named.filter((name) => !pageTurns.has(name)).map((name) => `Named ${name}`),
  ];
  const form = dictOf(file, file.catalog, 'AcroForm');
  const entries = [
    ...(form?.map.has('XFA') ? ['XFA'] : []),
    ...(form && file.entry(form, 'NeedAppearances') === true ? ['NeedAppearances'] : []),
    ...(file.entry(file.catalog, 'NeedsRendering') === true ? ['NeedsRendering'] : []),
    ...(hasWidgetActions(file) ? ['Widget'] : []),
  ];
  const hasTriggers = [file.catalog, ...file.pages.map(({ dict }) => dict)].some(({ map }) => map.has('AA'));
  return [
    ...when(found.length > 0, 'actions', { actions: found }),
    ...when(entries.length > 0, 'form', { entries }),
    ...when(hasTriggers, 'triggers'),
  ];
}

/** A field of a form may not act (ISO 19005-2, 6.4.1). */
const hasWidgetActions = (file: PdfFile): boolean =>
  file.pages.some(({ annotations }) =>
    dictsIn(file, annotations).some(
      (one) => nameOf(file, one, 'Subtype') === 'Widget' && (one.map.has('A') || one.map.has('AA')),
    ),
  );

function attachmentBreaches(file: PdfFile, scan: Scan, isThirdPart: boolean): Breach[] {
  const specifications = [
    ...nameTreeValues(file, dictOf(file, dictOf(file, file.catalog, 'Names'), 'EmbeddedFiles')),
    ...scan.specifications,
    ...file.pages.flatMap(({ annotations }) =>
      dictsIn(file, annotations).flatMap((annotation) => dictOf(file, annotation, 'FS') ?? []),
    ),
  ];
  return attachmentsOf(file, specifications, scan.associated, isThirdPart).flatMap(
    ({ file: name, missing, isPdfA }) => [
      ...when(missing.length > 0, 'attachment', { file: name, missing }),
      ...when(!isPdfA, 'attachmentNotPdfA', { file: name }),
    ],
  );
}

/** ISO 19005-2, 6.9: each configuration has a name of its own, none switches by event, and an order names every layer. */
function layerBreaches(file: PdfFile): Breach[] {
  const properties = dictOf(file, file.catalog, 'OCProperties');
  if (!properties) return [];
  const first = dictOf(file, properties, 'D');
  const all = [...(first ? [first] : []), ...dictsIn(file, arrayOf(file, properties, 'Configs'))];
  const names = all.map((one) => textOf(file, one, 'Name') ?? '');
  const layers = refsIn(file, arrayOf(file, properties, 'OCGs'), 0);
  const isIncomplete = all.some((one) => {
    const listed = new Set(refsIn(file, arrayOf(file, one, 'Order'), 0));
    return one.map.has('Order') && layers.some((layer) => !listed.has(layer));
  });
  const isBroken =
    names.includes('') || new Set(names).size < names.length || all.some(({ map }) => map.has('AS')) || isIncomplete;
  return when(isBroken, 'optionalContent');
}

/** Numbers of the dictionaries that an array and those in it refer to. */
function refsIn(file: PdfFile, values: readonly PdfValue[], depth: number): number[] {
  if (depth > 32) return [];
  return values.flatMap((value) => {
    const found = file.resolve(value);
    if (isArray(found)) return refsIn(file, found, depth + 1);
    return isRef(value) ? [value.num] : [];
  });
}

const hasAlternates = (file: PdfFile): boolean =>
  nameTreeValues(file, dictOf(file, dictOf(file, file.catalog, 'Names'), 'AlternatePresentations')).length > 0 ||
  file.pages.some(({ dict }) => dict.map.has('PresSteps')) ||
  file.catalog.map.has('Requirements');

interface Scan {
  /** Filters that streams may not have, and `F` for data outside the file (ISO 19005-2, 6.1.7). */
  streamFaults: string[];
  /** File specifications that an object names in its entry AF, and the numbers of their streams. */
  specifications: readonly PdfDict[];
  associated: ReadonlySet<number>;
}

/** Looks at every object once: streams and associated files are not only where pages use them. */
function scanObjects(file: PdfFile): Scan {
  const streamFaults = new Set<string>();
  const specifications: PdfDict[] = [];
  const note = (dict: PdfDict) => {
    const of = file.entry(dict, 'AF');
    specifications.push(...(isDict(of) ? [of] : dictsIn(file, isArray(of) ? of : [])));
    if (!dict.stream) return;
    const filters = filterNames(dict, file.resolve);
    if (filters.includes('LZWDecode')) streamFaults.add('LZWDecode');
    if (filters.includes('Crypt')) streamFaults.add('Crypt');
    if (dict.map.has('F')) streamFaults.add('F');
  };
  for (let num = 1; num < file.objectCount; num += 1) {
    const value = file.get(num);
    if (isDict(value)) note(value);
  }
  const associated = new Set(specifications.flatMap((one) => dataOf(file, one)?.stream ?? []));
  return { streamFaults: [...streamFaults].sort(), specifications, associated };
}
