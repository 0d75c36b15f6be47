/** What a document declares: conformance, output intents, actions, forms. */
import {
  arrayOf,
  dictOf,
  dictsIn,
  isDict,
  isName,
  isString,
  nameOf,
  type PdfDict,
  type PdfFile,
  readProfileFacts,
  textOf,
} from '@pdf2press/pdf';

export interface OutputIntent {
  dict: PdfDict;
  subtype: string;
  identifier: string;
  condition: string;
  registry: string;
  /** Colour space in the header of the embedded profile ('CMYK'); null without a readable profile. */
  profileSpace: string | null;
  /** Device class in the header of the embedded profile; null without a readable profile. */
  profileClass: string | null;
  hasProfile: boolean;
  /** The external profile that the intent refers to; null without one. */
  reference: ProfileReference | null;
}

/** Identification of an external profile (DestOutputProfileRef of ISO 32000-2, table 402). */
export interface ProfileReference {
  /** Signature of its colour space without blanks ('CMYK', '6CLR'); '' when it is not given. */
  space: string;
  colorants: readonly string[];
  /** Whether all is given by which the profile can be found and recognised: addresses, name, version, space, checksum. */
  isComplete: boolean;
}

/** The output intents of the catalog, or of another dictionary that has `OutputIntents` (ISO 32000-1:2008, 14.11.5). */
export function outputIntents(file: PdfFile, holder: PdfDict = file.catalog): OutputIntent[] {
  return dictsIn(file, arrayOf(file, holder, 'OutputIntents')).map((dict) => {
    const profile = dictOf(file, dict, 'DestOutputProfile');
    const facts = profile?.stream ? profileFacts(file, profile.stream) : null;
    return {
      dict,
      subtype: nameOf(file, dict, 'S') ?? '',
      identifier: textOf(file, dict, 'OutputConditionIdentifier') ?? '',
      condition: textOf(file, dict, 'OutputCondition') ?? '',
      registry: textOf(file, dict, 'RegistryName') ?? '',
      profileSpace: facts?.space ?? null,
      profileClass: facts?.class ?? null,
      hasProfile: (profile?.stream ?? 0) > 0,
      reference: referenceOf(file, dictOf(file, dict, 'DestOutputProfileRef')),
    };
  });
}

/** A checksum is the MD5 of the profile. */
const checksumBytes = 16;

function referenceOf(file: PdfFile, dict: PdfDict | null): ProfileReference | null {
  if (!dict) return null;
  const bytes = (key: string) => {
    const value = file.entry(dict, key);
    return isString(value) ? value.bytes : new Uint8Array();
  };
  const space = Buffer.from(bytes('ProfileCS')).toString('latin1').trim();
  const isComplete =
    space !== '' &&
    bytes('ICCVersion').length === 4 &&
    bytes('CheckSum').length === checksumBytes &&
    (textOf(file, dict, 'ProfileName') ?? '') !== '' &&
    arrayOf(file, dict, 'URLs').length > 0;
  const colorants = arrayOf(file, dict, 'ColorantTable').flatMap((one) => {
    const value = file.resolve(one);
    return isName(value) ? [value.name] : [];
  });
  return { space, colorants, isComplete };
}

/** Colour space and device class in the header of an ICC profile; null when the stream is no profile. */
export function profileFacts(file: PdfFile, object: number): { space: string; class: string } | null {
  try {
    const { space, class: kind } = readProfileFacts(file.stream(object));
    return { space: space.trim(), class: kind };
  } catch {
    // The checks report an unreadable profile by their own rules.
    return null;
  }
}

/** The XMP metadata of the document as text; '' without any. */
export function xmpOf(file: PdfFile): string {
  const metadata = dictOf(file, file.catalog, 'Metadata');
  if (!metadata?.stream) return '';
  const bytes = file.stream(metadata.stream);
  const isWide = bytes[0] === 0xfe || bytes[0] === 0xff;
  return new TextDecoder(isWide ? (bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le') : 'utf-8').decode(bytes);
}

/** Value of an XMP property such as `pdfxid:GTS_PDFXVersion`, written as attribute or element; null without it. */
export function xmpValue(xmp: string, property: string): string | null {
  const name = property.replace(/[^\w:]/g, '');
  const match = new RegExp(`${name}\\s*=\\s*["']([^"']*)["']|<${name}[^>]*>([^<]*)<`).exec(xmp);
  return match ? (match[1] ?? match[2] ?? '').trim() : null;
}

/** Standards that the metadata claims, without testing them: 'PDF/X-4', 'PDF/X-1a:2001', 'PDF/A-2b', 'GWG'. */
export function conformanceClaims(file: PdfFile): string[] {
  const xmp = xmpOf(file);
  const claims = new Set<string>();
  const conformance = file.info && textOf(file, file.info, 'GTS_PDFXConformance');
  const version = (file.info && textOf(file, file.info, 'GTS_PDFXVersion')) ?? null;
  for (const claim of [conformance, version, xmpValue(xmp, 'pdfxid:GTS_PDFXVersion')]) {
    if (claim?.startsWith('PDF/X') && !(claim === 'PDF/X-1:2001' && conformance)) claims.add(claim);
  }
  const part = xmpValue(xmp, 'pdfaid:part');
  if (part) claims.add(`PDF/A-${part}${(xmpValue(xmp, 'pdfaid:conformance') ?? '').toLowerCase()}`);
  if (/GTS_GWG|gwg\.org|ghent/i.test(xmp)) claims.add('GWG');
  return [...claims];
}

/** Dictionaries in a name tree. Depth and number are limited because a damaged tree may contain itself. */
export function nameTreeValues(file: PdfFile, root: PdfDict | null): PdfDict[] {
  const values: PdfDict[] = [];
  const seen = new Set<PdfDict>();
  const visit = (node: PdfDict | null, depth: number) => {
    if (!node || seen.has(node) || depth > 32 || values.length > 1000) return;
    seen.add(node);
    const names = arrayOf(file, node, 'Names');
    for (let i = 1; i < names.length; i += 2) {
      const value = file.resolve(names[i]);
      if (isDict(value)) values.push(value);
    }
    for (const kid of dictsIn(file, arrayOf(file, node, 'Kids'))) visit(kid, depth + 1);
  };
  visit(root, 0);
  return values;
}

export interface DocumentActions {
  javascript: boolean;
  /** Action types other than GoTo and JavaScript, each once. */
  actions: string[];
  /** What Named actions do ('NextPage', 'Print'), each once. */
  named: string[];
}

/** Actions of the catalog, pages, annotations and bookmarks (ISO 32000-1:2008, 12.6). */
export function documentActions(file: PdfFile): DocumentActions {
  const kinds = new Set<string>();
  const named = new Set<string>();
  const note = (action: PdfDict | null, depth = 0) => {
    if (!action || depth > 32) return;
    const kind = nameOf(file, action, 'S');
    if (kind) kinds.add(kind);
    if (kind === 'Named') named.add(nameOf(file, action, 'N') ?? '');
    const next = file.entry(action, 'Next');
    if (isDict(next)) note(next, depth + 1);
    for (const following of dictsIn(file, arrayOf(file, action, 'Next'))) note(following, depth + 1);
  };
  const noteAdditional = (holder: PdfDict) => {
    for (const [, value] of dictOf(file, holder, 'AA')?.map ?? []) {
      const action = file.resolve(value);
      if (isDict(action)) note(action);
    }
  };
  note(dictOf(file, file.catalog, 'OpenAction'));
  noteAdditional(file.catalog);
  const names = dictOf(file, file.catalog, 'Names');
  if (nameTreeValues(file, dictOf(file, names, 'JavaScript')).length > 0) kinds.add('JavaScript');
  for (const page of file.pages) {
    noteAdditional(page.dict);
    for (const annotation of dictsIn(file, page.annotations)) {
      note(dictOf(file, annotation, 'A'));
      noteAdditional(annotation);
    }
  }
  for (const bookmark of bookmarksOf(file)) note(dictOf(file, bookmark, 'A'));
  const javascript = kinds.delete('JavaScript');
  kinds.delete('GoTo');
  return { javascript, actions: [...kinds].sort(), named: [...named].sort() };
}

/** So many bookmarks are looked at; a tree that contains itself ends earlier. */
const maxBookmarks = 100_000;

/** The bookmarks of the document (ISO 32000-1:2008, 12.3.3). */
function bookmarksOf(file: PdfFile): ReadonlySet<PdfDict> {
  const seen = new Set<PdfDict>();
  const waiting = [dictOf(file, dictOf(file, file.catalog, 'Outlines'), 'First')];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!next || seen.has(next) || seen.size >= maxBookmarks) continue;
    seen.add(next);
    waiting.push(dictOf(file, next, 'Next'), dictOf(file, next, 'First'));
  }
  return seen;
}

export interface FormFacts {
  hasFields: boolean;
  hasXfa: boolean;
  signatures: number;
}

/** The interactive form: whether it has fields and XFA, and how many signature fields are signed. */
export function formFacts(file: PdfFile): FormFacts {
  const form = dictOf(file, file.catalog, 'AcroForm');
  if (!form) return { hasFields: false, hasXfa: false, signatures: 0 };
  let signatures = 0;
  const seen = new Set<PdfDict>();
  const visit = (field: PdfDict, inherited: string | null, depth: number) => {
    if (seen.has(field) || depth > 32 || seen.size > 50_000) return;
    seen.add(field);
    const type = nameOf(file, field, 'FT') ?? inherited;
    if (type === 'Sig' && dictOf(file, field, 'V')) signatures += 1;
    for (const kid of dictsIn(file, arrayOf(file, field, 'Kids'))) visit(kid, type, depth + 1);
  };
  const fields = dictsIn(file, arrayOf(file, form, 'Fields'));
  for (const field of fields) visit(field, null, 0);
  return {
    hasFields: fields.length > 0,
    hasXfa: form.map.has('XFA'),
    signatures,
  };
}
