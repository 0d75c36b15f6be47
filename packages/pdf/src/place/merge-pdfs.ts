/** Several files as one, page by page as they are. */
import { createEditor, type PdfEditor } from '../edit/editor.ts';
import { pdfBytes, pdfRef } from '../edit/make-values.ts';
import { type NamedDestinations, namedDestinations, topBookmarks } from '../inspect/destinations.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, isRef, isString, latin1, type PdfValue, pdfName } from '../open/values.ts';
import { createCopier } from '../write/copy-objects.ts';
import { createPdfWriter, type PdfWriter } from '../write/pdf-writer.ts';
import { pageNumbers, writePage } from '../write/split-file.ts';
import { nameText, stringText, textStringText } from '../write/value-text.ts';
import { infoText, optionalContent, outputIntents, type SourceFile } from './document-parts.ts';

export interface MergedPdf {
  bytes: number;
  /** Indexes of files with another output intent than the one that the merged file has. */
  otherIntents: number[];
  /** Named destinations that have another name now, because an earlier file has one of theirs. */
  renamed: number;
}

/** A file of the merged one. */
interface Begun {
  file: PdfFile;
  editor: PdfEditor;
  /** Numbers that its pages have in the new file. */
  pages: number[];
  destinations: NamedDestinations & { renamed: number };
  /** Objects of its bookmarks of the highest level. */
  bookmarks: readonly number[];
  /** Numbers in the new file that are known before anything is copied. */
  numbers: Map<number, number>;
}
type Part = Begun & SourceFile;

/**
 * Writes the pages of open files one after another into one file: decrypted, stream data copied unchanged. Page boxes,
 * spot colours, layers, links, named destinations, bookmarks and page labels stay, and the output intents of the first
 * file that has any. Form fields stay as they look; scripts, attachments, tags and metadata are left out. The files are
 * changed in memory and serve nothing else afterwards.
 * @throws FileFaultError PDF_LIMIT_OUTPUT; `path` does not exist then
 */
export function mergePdfs(files: readonly PdfFile[], path: string, producer: string): MergedPdf {
  const version = files.map((file) => file.version || '1.4').reduce((a, b) => (Number(b) > Number(a) ? b : a), '1.4');
  const writer = createPdfWriter({ path, version });
  try {
    const [tree, root, info, outlines] = [writer.reserve(), writer.reserve(), writer.reserve(), writer.reserve()];
    const taken: Taken = { strings: new Set(), names: new Set() };
    const begun = files.map((file) => begin(file, { writer, outlines, taken }));
    linkBookmarks(begun);
    const parts = begun.map(
      (part): Part => ({ ...part, copier: createCopier(part.file, writer, { skipsPages: true, known: part.numbers }) }),
    );
    const kids = parts.flatMap(({ file, pages, copier }) => {
      file.pages.forEach((page, at) => void writePage(page, pages[at] ?? 0, tree, writer, copier));
      return pages.map((num) => `${num} 0 R`);
    });
    writer.object(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(' ')}]>>`);
    const entries = [
      outputIntents(parts),
      optionalContent(parts, []),
      writeBookmarks(parts, outlines, writer),
      destinationsText(parts),
      labelsText(files),
    ];
    writer.object(root, `<</Type/Catalog/Pages ${tree} 0 R${entries.join('')}>>`);
    writer.object(info, infoText(parts[0], producer));
    for (const { copier } of parts) copier.drain();
    const renamed = begun.reduce((sum, { destinations }) => sum + destinations.renamed, 0);
    return { bytes: writer.finish({ root, info }), otherIntents: otherIntents(files), renamed };
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

interface Shared {
  writer: PdfWriter;
  /** Number of the root of all bookmarks. */
  outlines: number;
  taken: Taken;
}

function begin(file: PdfFile, { writer, outlines, taken }: Shared): Begun {
  const editor = createEditor(file);
  const destinations = ownDestinations(editor, taken);
  const pages = file.pages.map(() => writer.reserve());
  const numbers = pageNumbers(file.pages, pages);
  const old = file.catalog.map.get('Outlines');
  // A root that is no object of its own cannot be the parent of its bookmarks.
  const bookmarks = isRef(old) ? topBookmarks(file).map(({ num }) => num) : [];
  if (isRef(old)) numbers.set(old.num, outlines);
  for (const num of endsOf(bookmarks)) numbers.set(num, writer.reserve());
  return { file, editor, pages, destinations, bookmarks, numbers };
}

/** The first and the last one, which are linked with those of other files. */
const endsOf = (bookmarks: readonly number[]): number[] => [
  ...new Set([bookmarks[0], bookmarks.at(-1)].flatMap((num) => num ?? [])),
];

/** The last bookmark of each file is followed by the first one of the next file that has any. */
function linkBookmarks(parts: readonly Begun[]): void {
  const withAny = parts.filter(({ bookmarks }) => bookmarks.length > 0);
  /** Makes an entry of a bookmark lead to an object of another file. */
  const lead = (part: Begun, num: number, key: 'Next' | 'Prev', target: number | undefined): void => {
    const stand = target === undefined ? null : part.file.reserve();
    if (stand !== null && target !== undefined) part.numbers.set(stand, target);
    part.editor.put(num, key, stand === null ? undefined : pdfRef(stand));
  };
  withAny.forEach((part, at) => {
    const [before, after] = [withAny[at - 1], withAny[at + 1]];
    const [first, last] = [part.bookmarks[0] as number, part.bookmarks.at(-1) as number];
    lead(part, first, 'Prev', before?.numbers.get(before.bookmarks.at(-1) as number));
    lead(part, last, 'Next', after?.numbers.get(after.bookmarks[0] as number));
  });
}

function writeBookmarks(parts: readonly Part[], outlines: number, writer: PdfWriter): string {
  const withAny = parts.filter(({ bookmarks }) => bookmarks.length > 0);
  const [head, tail] = [withAny[0], withAny.at(-1)];
  if (!head || !tail) return '';
  let count = 0;
  for (const { file, bookmarks, copier } of withAny) {
    const root = file.entry(file.catalog, 'Outlines');
    const shown = isDict(root) ? file.entry(root, 'Count') : null;
    count += typeof shown === 'number' && shown > 0 ? shown : bookmarks.length;
    for (const num of endsOf(bookmarks)) copier.write(num);
  }
  const first = head.numbers.get(head.bookmarks[0] as number);
  const last = tail.numbers.get(tail.bookmarks.at(-1) as number);
  writer.object(outlines, `<</Type/Outlines/First ${first} 0 R/Last ${last} 0 R/Count ${count}>>`);
  return `/Outlines ${outlines} 0 R`;
}

/** Names that earlier files have given. */
interface Taken {
  strings: Set<string>;
  names: Set<string>;
}
type Renames = Record<keyof Taken, Map<string, string>>;

/** The named destinations of a file under names that no earlier file has; what leads to them is changed with them. */
function ownDestinations(editor: PdfEditor, taken: Taken): NamedDestinations & { renamed: number } {
  const own = namedDestinations(editor.file);
  const renames: Renames = { strings: new Map(), names: new Map() };
  const renamed = (kind: keyof Taken): Map<string, PdfValue> => {
    const result = new Map<string, PdfValue>();
    for (const [name, value] of own[kind]) {
      let free = name;
      for (let number = 2; taken[kind].has(free) || (free !== name && own[kind].has(free)); number += 1)
        free = `${name}_${number}`;
      if (free !== name) renames[kind].set(name, free);
      taken[kind].add(free);
      result.set(free, value);
    }
    return result;
  };
  const found = { strings: renamed('strings'), names: renamed('names') };
  const count = renames.strings.size + renames.names.size;
  if (count > 0) renameUses(editor, renames);
  return { ...found, renamed: count };
}

/** Deeper values are not searched. */
const maxDepth = 30;

/** Changes names of destinations in annotations, bookmarks and actions. */
function renameUses({ file, put }: PdfEditor, renames: Renames): void {
  const newName = (value: PdfValue | undefined): PdfValue | null => {
    const target = file.resolve(value);
    const name = isString(target)
      ? renames.strings.get(latin1(target.bytes))
      : isName(target)
        ? renames.names.get(target.name)
        : undefined;
    if (name === undefined) return null;
    return isName(target) ? pdfName(name) : pdfBytes(Buffer.from(name, 'latin1'));
  };
  const search = (num: number, value: PdfValue, path: readonly (string | number)[]): void => {
    if (path.length > maxDepth) return;
    if (isArray(value)) value.forEach((entry, at) => void search(num, entry, [...path, at]));
    if (!isDict(value)) return;
    for (const [key, entry] of value.map) {
      const leads = key === 'Dest' || (key === 'D' && isName(value.map.get('S'), 'GoTo'));
      const name = leads ? newName(entry) : null;
      if (name !== null) put(num, [...path, key], name);
      else if (typeof entry === 'object') search(num, entry, [...path, key]);
    }
  };
  for (let num = 1; num < file.objectCount; num += 1) search(num, file.get(num), []);
}

function destinationsText(parts: readonly Part[]): string {
  const all = (kind: keyof Taken): [string, string][] =>
    parts.flatMap(({ destinations, copier }) =>
      [...destinations[kind]].map(([name, value]): [string, string] => [name, copier.text(value)]),
    );
  // A name tree is sorted by the bytes of its names.
  const strings = all('strings').sort(([a], [b]) => (a < b ? -1 : 1));
  const tree = strings.map(([name, value]) => `${stringText(Buffer.from(name, 'latin1'))} ${value}`).join(' ');
  const names = all('names').map(([name, value]) => `${nameText(name)} ${value}`);
  return (
    (tree === '' ? '' : `/Names<</Dests<</Names[${tree}]>>>>`) +
    (names.length === 0 ? '' : `/Dests<<${names.join('')}>>`)
  );
}

/** The label of each page as it was, if any file has labels. */
function labelsText(files: readonly PdfFile[]): string {
  if (!files.some((file) => file.catalog.map.has('PageLabels'))) return '';
  const labels = files.flatMap((file) => file.pages.map(({ label }) => label));
  return `/PageLabels<</Nums[${labels.map((label, at) => `${at}<</P ${textStringText(label)}>>`).join('')}]>>`;
}

const intentOf = (file: PdfFile): string | null => {
  const list = file.entry(file.catalog, 'OutputIntents');
  const intent = isArray(list) ? file.resolve(list[0]) : null;
  if (!isDict(intent)) return null;
  const identifier = file.entry(intent, 'OutputConditionIdentifier');
  return isString(identifier) ? latin1(identifier.bytes) : '';
};

function otherIntents(files: readonly PdfFile[]): number[] {
  const intents = files.map(intentOf);
  const kept = intents.find((intent) => intent !== null);
  return intents.flatMap((intent, at) => (intent === null || intent === kept ? [] : [at]));
}
