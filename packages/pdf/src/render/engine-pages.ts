/** Changes made to a document in the engine's memory so that an engine finds the pages and boxes that we found. */

import type { BoxName } from '../open/boxes.ts';
import { type Engine, guarded, tolerant } from '../open/engine.ts';
import { openPdf, type PageFacts, type PdfFile } from '../open/pdf-file.ts';
import { rewritePdf } from '../write/rewrite-file.ts';

/**
 * Page trees lie: a wrong /Count, kids that are no pages. Where the engine's idea of a page differs from our walk of the
 * tree, it is given a flat tree of the pages that are there.
 */
export function alignPageTree(file: PdfFile, pageNumber: number): void {
  const wanted = file.pages[pageNumber - 1]?.object ?? 0;
  if (wanted === 0 || enginePage(file.engine, pageNumber) === wanted) return;
  const tree = file.engine.getTrailer().get('Root', 'Pages');
  const kids = file.engine.newArray();
  for (const page of file.pages) kids.push(file.engine.newIndirect(page.object));
  tree.put('Kids', kids);
  tree.put('Count', file.pages.length);
}

const enginePage = (engine: Engine, pageNumber: number): number =>
  tolerant(() => (engine.countPages() >= pageNumber ? engine.findPage(pageNumber - 1).asIndirect() : 0), 0);

/**
 * Writes a mended, decrypted copy in which one box is every page's only one: for Ghostscript, which gives up on damage that
 * MuPDF repairs, and cuts pages at their CropBox.
 * @throws FileFaultError as `openPdf`.
 */
export function writeMendedCopy(
  source: { path: string; password?: string | undefined },
  options: { box: BoxName; showsAllLayers: boolean; to: string },
): void {
  const file = openPdf(source);
  try {
    for (const page of file.pages) tolerant(() => fixPage(file, page, options.box), undefined);
    if (options.showsAllLayers) guarded(() => file.engine.getTrailer().get('Root').delete('OCProperties'));
    file.forget();
    rewritePdf(file, options.to);
  } finally {
    file.close();
  }
}

function fixPage(file: PdfFile, facts: PageFacts, box: BoxName): void {
  alignPageTree(file, facts.number);
  const page = file.engine.findPage(facts.number - 1);
  for (const key of ['MediaBox', 'CropBox']) page.put(key, [...facts.effective[box]]);
  page.put('Rotate', facts.rotate);
  page.put('UserUnit', facts.userUnit);
}
