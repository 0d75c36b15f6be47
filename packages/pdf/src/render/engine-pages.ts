/** Changes made to a document in the engine's memory so that an engine finds the pages and boxes that we found. */
import { writeFileSync } from 'node:fs';
import { FileFaultError } from '@pdf2press/contract';
import { type Engine, guarded, tolerant } from '../open/engine.ts';
import { openPdf, type PdfFile } from '../open/pdf-file.ts';
import type { PageFrame } from './page-frame.ts';

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

/** The engine writes a whole file into its heap; larger ones would not fit beside it. */
const maxCopyBytes = 400 * 2 ** 20;

/**
 * Writes a mended, decrypted copy whose pages have exactly the boxes of `frames`: for Ghostscript, which gives up on damage
 * that MuPDF repairs.
 * @throws FileFaultError PDF_TOO_LARGE, PDF_DAMAGED, PDF_MEMORY
 */
export function writeMendedCopy(
  source: { path: string; password?: string | undefined },
  options: { frames: readonly PageFrame[]; showAllLayers: boolean; to: string },
): void {
  const file = openPdf(source);
  try {
    if (file.bytes > maxCopyBytes) {
      throw new FileFaultError('PDF_TOO_LARGE', { bytes: file.bytes, limitBytes: maxCopyBytes, stage: 'plates' });
    }
    guarded(() => {
      for (const frame of options.frames) fixPage(file, frame);
      if (options.showAllLayers) file.engine.getTrailer().get('Root').delete('OCProperties');
      const bytes = file.engine.saveToBuffer('decrypt');
      writeFileSync(options.to, bytes.asUint8Array());
      bytes.destroy();
    });
  } finally {
    file.close();
  }
}

function fixPage(file: PdfFile, frame: PageFrame): void {
  alignPageTree(file, frame.page);
  const page = file.engine.findPage(frame.page - 1);
  for (const key of ['MediaBox', 'CropBox']) page.put(key, [...frame.box]);
  page.put('Rotate', frame.rotate);
  page.put('UserUnit', frame.userUnit);
}
