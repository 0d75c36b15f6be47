/** Facts about a document as a whole. */
import type { Inspection, PageBinding } from '@pdf2press/contract';
import { readOptionalContent } from '../interpret/layers.ts';
import { dictOf, nameOf } from '../open/pdf-access.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { pdfText } from '../open/text-string.ts';
import { isArray, isDict, isName, isString, type PdfDict, type PdfValue } from '../open/values.ts';
import { hasJavaScript } from './javascript.ts';
import { walkFields, walkNameTree } from './trees.ts';

/** Version, encryption, conformance claims, output intents, layers, forms, JavaScript, attachments and signatures. */
export function documentFacts(file: PdfFile): Inspection['pdf'] {
  const form = file.entry(file.catalog, 'AcroForm');
  return {
    version: file.version,
    encrypted: file.encryption !== null,
    encryption: file.encryption && {
      method: file.encryption.method,
      bits: file.encryption.bits,
      permissions: { ...file.encryption.permissions },
    },
    repaired: file.isRepaired,
    producer: textEntry(file, file.info, 'Producer'),
    title: textEntry(file, file.info, 'Title'),
    conformance: conformanceClaims(file),
    outputIntents: outputIntents(file),
    layers: readOptionalContent(file).groups.map((group) => ({
      name: group.name,
      object: group.object,
      visible: group.isVisible,
      printed: group.isPrinted,
    })),
    forms: isDict(form),
    xfa: isDict(form) && file.entry(form, 'XFA') !== null,
    javascript: hasJavaScript(file),
    attachments: attachments(file),
    signatures: countSignatures(file),
  };
}

/** The side at which the pages are bound (ISO 32000-1, 12.2: /Direction of the viewer preferences). */
export const bindingOf = (file: PdfFile): PageBinding =>
  nameOf(file, dictOf(file, file.catalog, 'ViewerPreferences'), 'Direction') === 'R2L' ? 'Right' : 'Left';

/** A text or name entry of a dictionary as text; null when absent. */
export function textEntry(file: PdfFile, dict: PdfDict | null, key: string): string | null {
  const value = dict && file.entry(dict, key);
  return isString(value) ? pdfText(value.bytes) : isName(value) ? value.name : null;
}

const claimPatterns: readonly [RegExp, (match: RegExpMatchArray) => string][] = [
  [/GTS_PDFXVersion(?:>|\s*=\s*["'])\s*([^<"']+?)\s*[<"']/g, (match) => match[1] ?? ''],
  [/pdfuaid:part(?:>|\s*=\s*["'])\s*(\d)/g, (match) => `PDF/UA-${match[1]}`],
  [/GTS_PDFVTVersion(?:>|\s*=\s*["'])\s*([^<"']+?)\s*[<"']/g, (match) => match[1] ?? ''],
];

/**
 * Standards that the file claims to conform to, in Info entries (PDF/X-1a, X-3) and in XMP (X-4, A, UA, VT). The claims
 * are not verified.
 */
function conformanceClaims(file: PdfFile): string[] {
  const claims = new Set<string>();
  for (const key of [
    'GTS_PDFXVersion',
    'GTS_PDFXConformance',
    'GTS_PDFA1Version',
    'GTS_PDFEVersion',
    'GTS_PDFUAVersion',
    'GTS_PDFVTVersion',
  ]) {
    const claim = textEntry(file, file.info, key);
    if (claim) claims.add(claim);
  }
  const metadata = file.entry(file.catalog, 'Metadata');
  const xmp = isDict(metadata) && metadata.stream ? decodeXmp(file.stream(metadata.stream)) : '';
  for (const [pattern, name] of claimPatterns) {
    for (const match of xmp.matchAll(pattern)) claims.add(name(match));
  }
  const part = /pdfaid:part(?:>|\s*=\s*["'])\s*(\d)/.exec(xmp)?.[1];
  const level = /pdfaid:conformance(?:>|\s*=\s*["'])\s*([A-Za-z])/.exec(xmp)?.[1];
  if (part) claims.add(`PDF/A-${part}${level?.toLowerCase() ?? ''}`);
  return [...claims].filter((claim) => claim !== '');
}

function decodeXmp(bytes: Uint8Array): string {
  const isWide = bytes[0] === 0xfe || bytes[0] === 0xff || bytes[0] === 0 || bytes[1] === 0;
  if (!isWide) return new TextDecoder().decode(bytes);
  return new TextDecoder(bytes[0] === 0xff || bytes[1] === 0 ? 'utf-16le' : 'utf-16be').decode(bytes);
}

function outputIntents(file: PdfFile): Inspection['pdf']['outputIntents'] {
  const list = (dict: PdfDict, page: number | null): Inspection['pdf']['outputIntents'] => {
    const intents = file.entry(dict, 'OutputIntents');
    return (isArray(intents) ? intents : []).flatMap((entry) => {
      const intent = file.resolve(entry);
      return isDict(intent) ? [describeIntent(file, intent, page)] : [];
    });
  };
  return [...list(file.catalog, null), ...file.pages.flatMap((page) => list(page.dict, page.number))];
}

function describeIntent(
  file: PdfFile,
  intent: PdfDict,
  page: number | null,
): Inspection['pdf']['outputIntents'][number] {
  const subtype = file.entry(intent, 'S');
  const profile = file.entry(intent, 'DestOutputProfile');
  return {
    subtype: isName(subtype) ? subtype.name : '',
    identifier: textEntry(file, intent, 'OutputConditionIdentifier'),
    condition: textEntry(file, intent, 'OutputCondition'),
    registry: textEntry(file, intent, 'RegistryName'),
    info: textEntry(file, intent, 'Info'),
    profile: isDict(profile) && profile.stream ? describeProfile(file, profile) : null,
    page,
  };
}

/** Bytes 16 to 19 of an ICC profile name its data colour space (ICC.1, 7.2.6). */
function describeProfile(file: PdfFile, profile: PdfDict): { object: number; components: number; space: string } {
  const header = file.stream(profile.stream).subarray(0, 20);
  const components = file.entry(profile, 'N');
  return {
    object: profile.stream,
    components: typeof components === 'number' ? components : 0,
    space: Buffer.from(header.subarray(16, 20)).toString('latin1').trim(),
  };
}

function attachments(file: PdfFile): string[] {
  const names = file.entry(file.catalog, 'Names');
  const found: string[] = [];
  if (isDict(names)) walkNameTree(file, file.entry(names, 'EmbeddedFiles'), (name) => found.push(name));
  return found.sort();
}

function countSignatures(file: PdfFile): number {
  let count = 0;
  walkFields(file, (field, type) => {
    const value: PdfValue = file.entry(field, 'V');
    if (type === 'Sig' && isDict(value)) count += 1;
  });
  return count;
}
