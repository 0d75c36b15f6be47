/** Compares an inspection with the results of other tools for the same file, fact by fact. Used by the corpus test. */
import type { Box, Inspection } from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract/faults';

export interface OraclePage {
  page: number;
  rot?: number;
  userunit?: number;
  MediaBox?: Box | null;
  CropBox?: Box | null;
  BleedBox?: Box | null;
  TrimBox?: Box | null;
  ArtBox?: Box | null;
}
interface Failed {
  oracle: 'fail';
}
interface OracleFont {
  name: string | null;
  type: string;
  embedded: boolean;
  subset: boolean;
  obj: number | null;
}
interface OracleImage {
  page: number;
  type: string;
  w: number;
  h: number;
  color: string;
  comp: number | null;
  bpc: number | null;
  enc: string;
  obj: number | null;
  x_ppi: number | null;
  y_ppi: number | null;
}
export interface Oracle {
  page_count: { by_tool: Record<string, number | null>; agreed: number | null; truth_by_construction?: number };
  pdfinfo: Failed | { pages: OraclePage[]; version?: string; form?: string; javascript?: string; pdf_subtype?: string };
  mutool: { pages: Failed | OraclePage[]; info: Failed | { version?: string } };
  qpdf: {
    check_rc: number | string;
    encrypted?: boolean | null;
    enc_method?: string | null;
    enc_bits?: number | null;
    attachments?: string[];
  };
  pdffonts: Failed | { fonts: OracleFont[] };
  pdfimages: Failed | { images: OracleImage[]; truncated: boolean };
  gs: { tiffsep?: Failed | { spots: string[]; pages: { mean: Record<string, number> }[] } };
}

export type Fact =
  | 'opens'
  | 'pageCount'
  | 'boxes.raw'
  | 'boxes.effective'
  | 'rotation'
  | 'userUnit'
  | 'version'
  | 'encryption'
  | 'repaired'
  | 'fonts.recall'
  | 'fonts.precision'
  | 'images'
  | 'images.ppi'
  | 'spots.defined'
  | 'spots.used'
  | 'attachments'
  | 'forms'
  | 'xfa'
  | 'javascript'
  | 'conformance';

export interface Comparison {
  fact: Fact;
  agree: number;
  all: number;
  differences: string[];
}

interface Entry {
  password?: string;
  inks_in_objects: string[];
}

const answered = <T extends object>(value: T | Failed | undefined): value is T =>
  value !== undefined && !('oracle' in value);

/** Counts for each fact how often our inspection agrees with the other tools, and describes the differences. */
export function compareFacts(ours: Inspection | FileFaultError, oracle: Oracle, entry: Entry): Comparison[] {
  const comparisons: Comparison[] = [];
  const add = (fact: Fact, isSame: boolean, difference: string): void => {
    let found = comparisons.find((comparison) => comparison.fact === fact);
    if (!found) {
      found = { fact, agree: 0, all: 0, differences: [] };
      comparisons.push(found);
    }
    found.all += 1;
    if (isSame) found.agree += 1;
    else found.differences.push(difference);
  };
  const { agreed, by_tool, truth_by_construction } = oracle.page_count;
  const opened = Object.values(by_tool).filter((count) => count !== null && count > 0).length;
  if (ours instanceof FileFaultError) {
    if (agreed !== null) add('opens', false, ours.code);
    else if (opened <= 1) add('opens', true, '');
    return comparisons;
  }
  if (agreed !== null || opened >= 1) add('opens', true, '');
  const truth = truth_by_construction ?? agreed;
  if (truth !== null) add('pageCount', ours.pageCount === truth, `${ours.pageCount} for ${truth}`);
  else if (opened > 0) add('pageCount', Object.values(by_tool).includes(ours.pageCount), `${ours.pageCount}`);
  comparePages(ours, oracle, add);
  compareDocument(ours, oracle, add);
  compareFonts(ours, oracle, add);
  compareImages(ours, oracle, add);
  compareSpots(ours, oracle, entry, add);
  return comparisons;
}

type Add = (fact: Fact, isSame: boolean, difference: string) => void;

const boxNames = { MediaBox: 'media', CropBox: 'crop', BleedBox: 'bleed', TrimBox: 'trim', ArtBox: 'art' } as const;
type BoxName = keyof typeof boxNames;

/** poppler prints two decimals. */
const boxTolerance = 0.02;

function sameBox(a: Box | null | undefined, b: Box | null | undefined): boolean {
  if (!a || !b) return !a === !b;
  const ordered = [Math.min(a[0], a[2]), Math.min(a[1], a[3]), Math.max(a[0], a[2]), Math.max(a[1], a[3])];
  return ordered.every((edge, i) => Math.abs(edge - (b[i] ?? Number.NaN)) <= boxTolerance);
}

function comparePages(ours: Inspection, oracle: Oracle, add: Add): void {
  const raw = answered(oracle.mutool.pages as OraclePage[] | Failed) ? (oracle.mutool.pages as OraclePage[]) : [];
  for (const theirs of raw) {
    const page = ours.pages[theirs.page - 1];
    if (!page) continue;
    for (const key of Object.keys(boxNames) as BoxName[]) {
      // mutool prints the boxes of the page itself, without inherited ones.
      if (!(key in theirs)) continue;
      add(
        'boxes.raw',
        sameBox(page.boxes[boxNames[key]], theirs[key]),
        `p${theirs.page} ${key} ${page.boxes[boxNames[key]]} / ${theirs[key]}`,
      );
    }
    add('userUnit', Math.abs(page.userUnit - (theirs.userunit ?? 1)) <= 0.001, `p${theirs.page} ${page.userUnit}`);
  }
  const effective = answered(oracle.pdfinfo) ? oracle.pdfinfo.pages : [];
  for (const theirs of effective) {
    const page = ours.pages[theirs.page - 1];
    if (!page) continue;
    for (const key of Object.keys(boxNames) as BoxName[]) {
      if (!theirs[key]) continue;
      add(
        'boxes.effective',
        sameBox(page.effective[boxNames[key]], theirs[key]),
        `p${theirs.page} ${key} ${page.effective[boxNames[key]]} / ${theirs[key]}`,
      );
    }
    if (theirs.rot !== undefined)
      add('rotation', page.rotate === theirs.rot, `p${theirs.page} ${page.rotate} / ${theirs.rot}`);
  }
}

function compareDocument(ours: Inspection, oracle: Oracle, add: Add): void {
  const { pdf } = ours;
  const info = answered(oracle.pdfinfo) ? oracle.pdfinfo : null;
  const versions = [info?.version, answered(oracle.mutool.info) ? oracle.mutool.info.version : undefined].filter(
    Boolean,
  );
  if (versions.length > 0) add('version', versions.includes(pdf.version), `${pdf.version} / ${versions.join(' ')}`);
  const { qpdf } = oracle;
  if (typeof qpdf.encrypted === 'boolean') {
    const isSame =
      pdf.encrypted === qpdf.encrypted &&
      (!qpdf.encrypted || (pdf.encryption?.method === qpdf.enc_method && pdf.encryption?.bits === qpdf.enc_bits));
    add('encryption', isSame, `${JSON.stringify(pdf.encryption)} / ${qpdf.enc_method} ${qpdf.enc_bits}`);
  }
  if (qpdf.check_rc === 0) add('repaired', !pdf.repaired, 'called damaged, qpdf finds nothing');
  if (qpdf.attachments)
    add(
      'attachments',
      String(pdf.attachments) === String([...qpdf.attachments].sort()),
      `${pdf.attachments} / ${qpdf.attachments}`,
    );
  if (!info) return;
  if (info.form) {
    add('forms', pdf.forms === (info.form !== 'none'), `${pdf.forms} / ${info.form}`);
    add('xfa', pdf.xfa === (info.form === 'XFA'), `${pdf.xfa} / ${info.form}`);
  }
  if (info.javascript)
    add('javascript', pdf.javascript === (info.javascript === 'yes'), `${pdf.javascript} / ${info.javascript}`);
  if (info.pdf_subtype)
    add('conformance', pdf.conformance.includes(info.pdf_subtype), `${pdf.conformance} / ${info.pdf_subtype}`);
}

const fontKinds: Readonly<Record<string, string>> = {
  'Type 1': 'Type1',
  'Type 1C': 'Type1C',
  'Type 3': 'Type3',
  TrueType: 'TrueType',
  'CID Type 0': 'CIDFontType0',
  'CID Type 0C': 'CIDFontType0C',
  'CID TrueType': 'CIDFontType2',
};

function compareFonts(ours: Inspection, oracle: Oracle, add: Add): void {
  if (!answered(oracle.pdffonts)) return;
  const key = (name: string, type: string, embedded: boolean, subset: boolean): string =>
    `${name.replace(/^[A-Z]{6}\+/, '')}|${type}|${embedded}|${subset}`;
  const left = ours.fonts.map((font) => ({
    object: font.object,
    key: key(font.name, font.type, font.embedded, font.subset),
  }));
  const missing: string[] = [];
  for (const font of oracle.pdffonts.fonts) {
    if (font.type === undefined) continue;
    const type = font.type.endsWith('(OT)') ? 'OpenType' : (fontKinds[font.type] ?? font.type);
    const wanted = key(font.name ?? '', type, font.embedded, font.subset);
    const byObject = left.findIndex((candidate) => candidate.object === font.obj && candidate.key === wanted);
    const index = byObject >= 0 ? byObject : left.findIndex((candidate) => candidate.key === wanted);
    if (index >= 0) left.splice(index, 1);
    else missing.push(wanted);
    add('fonts.recall', index >= 0, `missing ${wanted} obj ${font.obj}`);
    if (index >= 0) add('fonts.precision', true, '');
  }
  for (const extra of left) add('fonts.precision', false, `extra ${extra.key} obj ${extra.object}`);
}

const imageKinds: Readonly<Record<string, string>> = {
  image: 'image',
  smask: 'softmask',
  mask: 'mask',
  stencil: 'stencil',
};
const encodings: Readonly<Record<string, string>> = { jpeg: 'DCT', jpx: 'JPX', jbig2: 'JBIG2', ccitt: 'CCITT' };

function compareImages(ours: Inspection, oracle: Oracle, add: Add): void {
  if (!answered(oracle.pdfimages)) return;
  const left = [...ours.images];
  for (const theirs of oracle.pdfimages.images) {
    if (theirs.type === undefined) continue;
    const kind = imageKinds[theirs.type];
    const enc = encodings[theirs.enc];
    const index = left.findIndex(
      (image) =>
        image.page === theirs.page &&
        (theirs.obj === null ? image.inline : image.object === theirs.obj) &&
        image.kind === kind &&
        image.width === theirs.w &&
        image.height === theirs.h &&
        (theirs.bpc === null || image.bitsPerComponent === theirs.bpc) &&
        (theirs.comp === null || image.components === theirs.comp) &&
        (enc === undefined ? !Object.values(encodings).includes(image.encoding) : image.encoding === enc),
    );
    const label = `p${theirs.page} obj ${theirs.obj} ${theirs.type} ${theirs.w}x${theirs.h} comp ${theirs.comp} bpc ${theirs.bpc} ${theirs.enc}`;
    add('images', index >= 0, `missing ${label}`);
    if (index < 0) continue;
    const [image] = left.splice(index, 1);
    comparePpi(image, theirs, label, add);
  }
  if (oracle.pdfimages.truncated) return;
  for (const image of left)
    add(
      'images',
      false,
      `extra p${image.page} obj ${image.object} ${image.kind} ${image.width}x${image.height} ${image.encoding}`,
    );
}

function comparePpi(
  image: Inspection['images'][number] | undefined,
  theirs: OracleImage,
  label: string,
  add: Add,
): void {
  if (!image || theirs.x_ppi === null || theirs.y_ppi === null) return;
  const wanted = Math.min(theirs.x_ppi, theirs.y_ppi);
  const found = Math.min(image.ppi.x ?? Infinity, image.ppi.y ?? Infinity);
  // For degenerate matrices all tools give meaningless values.
  if (wanted < 1 || wanted > 5000) return;
  const tolerance = Math.max(1, 0.015 * wanted);
  add('images.ppi', Math.abs(found - wanted) <= tolerance, `${label}: ${found} / ${wanted}`);
}

const notSpots = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'All', 'None']);

function compareSpots(ours: Inspection, oracle: Oracle, entry: Entry, add: Add): void {
  const defined = ours.inks.map((ink) => ink.name).sort();
  const theirs = entry.inks_in_objects
    .map((name) => name.replace(/^\//, ''))
    .filter((name) => !notSpots.has(name))
    .sort();
  add('spots.defined', String(defined) === String(theirs), `${defined} / ${theirs}`);
  const separated = oracle.gs.tiffsep;
  if (!separated || !answered(separated)) return;
  const used = new Set(ours.inks.filter((ink) => ink.used).map((ink) => ink.name));
  for (const spot of separated.spots) {
    if (!separated.pages.some((page) => (page.mean[spot] ?? 0) > 0)) continue;
    add('spots.used', used.has(spot), `${spot} is on a plate`);
  }
}
