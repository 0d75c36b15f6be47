import { createHash } from 'node:crypto';
import { FileFaultError } from '@pdf2press/contract/faults';
import type { PageFacts } from '../open/page-facts.ts';
import { openPdf, type PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isRef, type PdfDict } from '../open/values.ts';
import { createCopier, type ObjectCopier } from './copy-objects.ts';
import { createPdfWriter, type PdfWriter } from './pdf-writer.ts';
import { nameText } from './value-text.ts';

/** Entries of the catalog that are about every page; all others lead to pages that are not there, or are about the whole. */
const keptOfCatalog = ['Lang', 'Metadata', 'OCProperties', 'OutputIntents'] as const;
/** Entries of a page that lead to other pages or to its place in the document. */
const leftOut: ReadonlySet<string> = new Set(['Parent', 'B', 'StructParents', 'Type']);

/** Writes a page as object `num` of a new file, with what it inherits. */
export function writePage(page: PageFacts, num: number, tree: number, writer: PdfWriter, copier: ObjectCopier): void {
  const inherited = [...page.inherited].filter(([key]) => !page.dict.map.has(key));
  const attributes = inherited.map(([key, value]) => `${nameText(key)} ${copier.text(value)}`).join('');
  writer.object(num, `<</Type/Page/Parent ${tree} 0 R${attributes}${copier.entries(page.dict, leftOut)}>>`);
}

/** Numbers that pages have in a new file, by their objects: so links to them lead to where they are now. */
export const pageNumbers = (pages: readonly PageFacts[], numbers: readonly number[]): Map<number, number> =>
  new Map(pages.flatMap(({ object }, at) => (object === 0 ? [] : [[object, numbers[at] ?? 0] as const])));

/**
 * Writes some pages of an open file as a file of their own: decrypted, stream data copied unchanged, with the output intents,
 * layers and metadata of the whole. Form fields stay as they look; links to pages of other parts lead nowhere.
 * @param pages the first and the last page, from 1
 * @returns the size of the new file
 * @throws FileFaultError PDF_LIMIT_OUTPUT; `path` does not exist then
 */
export function writePages(file: PdfFile, pages: readonly [number, number], path: string): number {
  const writer = createPdfWriter({ path, version: file.version || '1.4' });
  const [tree, root] = [writer.reserve(), writer.reserve()];
  const kept = file.pages.slice(pages[0] - 1, pages[1]);
  const numbers = kept.map(() => writer.reserve());
  const copier = createCopier(file, writer, { skipsPages: true, known: pageNumbers(kept, numbers) });
  try {
    kept.forEach((page, at) => {
      writePage(page, numbers[at] ?? 0, tree, writer, copier);
    });
    const kids = numbers.map((num) => `${num} 0 R`).join(' ');
    writer.object(tree, `<</Type/Pages/Count ${kept.length}/Kids[${kids}]>>`);
    const { map } = file.catalog;
    const entries = keptOfCatalog.flatMap((key) => {
      const value = map.get(key);
      return value === undefined ? [] : [`${nameText(key)} ${copier.text(value)}`];
    });
    writer.object(root, `<</Type/Catalog/Pages ${tree} 0 R${entries.join('')}>>`);
    const info = file.trailer.map.get('Info');
    const infoNumber = isRef(info) ? copier.reference(info.num) : undefined;
    copier.drain();
    return writer.finish({ root, info: infoNumber });
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

const contentsOf = (file: PdfFile, { map }: PdfDict): number[] => {
  const value = map.get('Contents');
  const found = isRef(value) && isArray(file.resolve(value)) ? file.resolve(value) : value;
  return (isArray(found) ? found : [found]).flatMap((one) => (isRef(one) ? [one.num] : []));
};

/** What must not change when a page is taken out of a file: its boxes, its rotation, its content, its annotations. */
function lookOf(file: PdfFile, page: PageFacts): string {
  const content = createHash('sha256');
  for (const num of contentsOf(file, page.dict)) if (isDict(file.get(num))) content.update(file.stream(num));
  const { effective, rotate, userUnit, annotations } = page;
  return JSON.stringify([effective, rotate, userUnit, annotations.length, content.digest('hex')]);
}

/**
 * Compares pages of a file with those that were made from them.
 * @param at number of the page in `written` that the first of them became
 * @throws FileFaultError PDF_DAMAGED {page} when one differs
 */
export function comparePages(file: PdfFile, [first, last]: readonly [number, number], written: PdfFile, at = 1): void {
  for (let page = first; page <= last; page += 1) {
    const [before, after] = [file.pages[page - 1], written.pages[page - first + at - 1]];
    if (!before || !after || lookOf(file, before) !== lookOf(written, after))
      throw new FileFaultError('PDF_DAMAGED', { page });
  }
}

/**
 * Opens what `writePages` wrote and compares each page with the one it was made from.
 * @throws FileFaultError PDF_DAMAGED {page} when one differs
 */
export function verifyPages(file: PdfFile, pages: readonly [number, number], path: string): void {
  const written = openPdf({ path, budgets: file.budgets });
  try {
    comparePages(file, pages, written);
    const [first, last] = pages;
    if (written.pageCount !== last - first + 1) throw new FileFaultError('PDF_DAMAGED', { page: last });
  } finally {
    written.close();
  }
}
