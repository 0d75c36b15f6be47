import type { Rect } from '../interpret/types.ts';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { createCopier } from './copy-objects.ts';
import { createPdfWriter } from './pdf-writer.ts';
import { writePage } from './split-file.ts';
import { nameText } from './value-text.ts';

/** Of the catalog, what decides how a page looks. */
const lookOfCatalog = ['OCProperties', 'OutputIntents'] as const;

/**
 * Writes a file in which each page is the same page of an open file, seen through one of the rectangles (default user
 * space): what is around them is not on the page. For renderers, which then draw no more than that.
 * @throws FileFaultError PDF_LIMIT_OUTPUT; `path` does not exist then
 */
export function writeViews(
  file: PdfFile,
  page: PageFacts,
  views: readonly Rect[],
  options: { path: string; showsAllLayers: boolean },
): void {
  const writer = createPdfWriter({ path: options.path, version: file.version || '1.4' });
  const [tree, root] = [writer.reserve(), writer.reserve()];
  const numbers = views.map(() => writer.reserve());
  const copier = createCopier(file, writer, { skipsPages: true, known: new Map() });
  try {
    views.forEach((view, at) => {
      const map = new Map(page.dict.map).set('MediaBox', [...view]).set('CropBox', [...view]);
      writePage({ ...page, dict: { ...page.dict, map } }, numbers[at] ?? 0, tree, writer, copier);
    });
    const kids = numbers.map((num) => `${num} 0 R`).join(' ');
    writer.object(tree, `<</Type/Pages/Count ${views.length}/Kids[${kids}]>>`);
    const entries = lookOfCatalog.flatMap((key) => {
      const value = options.showsAllLayers && key === 'OCProperties' ? undefined : file.catalog.map.get(key);
      return value === undefined ? [] : [`${nameText(key)} ${copier.text(value)}`];
    });
    writer.object(root, `<</Type/Catalog/Pages ${tree} 0 R${entries.join('')}>>`);
    copier.drain();
    writer.finish({ root, info: undefined });
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
