/** Changes to an open document that make MuPDF and Ghostscript use the same pages and boxes as we do. */

import type { BoxName } from '../open/boxes.ts';
import { type Engine, tolerant } from '../open/engine.ts';
import type { PageFacts } from '../open/page-facts.ts';
import { arrayOf, dictOf } from '../open/pdf-access.ts';
import { openPdf, type PdfFile } from '../open/pdf-file.ts';
import { isRef, type PdfValue } from '../open/values.ts';
import { rewritePdf } from '../write/rewrite-file.ts';
import { splitAlphaPictures } from './alpha-pictures.ts';
import { paintCellsPlainly } from './blending-cells.ts';

/**
 * Page trees may have a wrong /Count or kids that are not pages. If MuPDF finds another page than our walk of the tree,
 * the tree is replaced by a flat one with the pages we found.
 */
export function alignPageTree(file: PdfFile, pageNumber: number): void {
  const wanted = file.pages[pageNumber - 1]?.object ?? 0;
  if (wanted === 0 || enginePage(file.engine, pageNumber) === wanted) return;
  const kids = file.pages.map((page) => ({ kind: 'ref', num: page.object }) as const);
  putInCatalog(file, ['Pages', 'Kids'], kids);
  putInCatalog(file, ['Pages', 'Count'], kids.length);
}

function putInCatalog(file: PdfFile, way: readonly string[], value: PdfValue | undefined): void {
  const root = file.trailer.map.get('Root');
  if (isRef(root)) file.put(root.num, way, value);
}

const enginePage = (engine: Engine, pageNumber: number): number =>
  tolerant(() => (engine.countPages() >= pageNumber ? engine.findPage(pageNumber - 1).asIndirect() : 0), 0);

/**
 * Writes a repaired, decrypted copy in which one box is used as MediaBox and CropBox of every page, and the opacity of
 * JPEG 2000 images is a soft mask. It is made for Ghostscript, which fails on some damage that MuPDF repairs, clips pages
 * to their CropBox, and ignores that opacity.
 * @param options `hiddenLayers`: object numbers of layers that are switched off in the copy, for the screen and for printing;
 *   `isPlain`: without the blend modes that the embedded Ghostscript crashes of
 * @throws FileFaultError as `openPdf`
 */
export function writeMendedCopy(
  source: { path: string; password?: string | undefined },
  options: { box: BoxName; showsAllLayers: boolean; hiddenLayers?: readonly number[]; isPlain?: boolean; to: string },
): void {
  const file = openPdf(source);
  try {
    for (const page of file.pages) fixPage(file, page, options.box);
    splitAlphaPictures(file);
    if (options.isPlain) paintCellsPlainly(file);
    if (options.showsAllLayers) putInCatalog(file, ['OCProperties'], undefined);
    else hideLayers(file, options.hiddenLayers ?? []);
    rewritePdf(file, options.to);
  } finally {
    file.close();
  }
}

/** Switches layers off: in the default configuration, and in their own usage, which decides where the configuration says so. */
function hideLayers(file: PdfFile, layers: readonly number[]): void {
  if (layers.length === 0) return;
  const config = dictOf(file, dictOf(file, file.catalog, 'OCProperties'), 'D');
  const listed = (key: string) => arrayOf(file, config, key).filter((entry) => isRef(entry));
  const isHidden = (entry: PdfValue) => isRef(entry) && layers.includes(entry.num);
  const refs = layers.map((num) => ({ kind: 'ref', num }) as const);
  const others = (key: string) => listed(key).filter((entry) => !isHidden(entry));
  putInCatalog(file, ['OCProperties', 'D', 'ON'], others('ON'));
  putInCatalog(file, ['OCProperties', 'D', 'OFF'], [...others('OFF'), ...refs]);
  const off = { kind: 'name', name: 'OFF' } as const;
  for (const num of layers) {
    file.put(num, ['Usage', 'Print', 'PrintState'], off);
    file.put(num, ['Usage', 'View', 'ViewState'], off);
  }
}

function fixPage(file: PdfFile, facts: PageFacts, box: BoxName): void {
  if (facts.object === 0) return;
  alignPageTree(file, facts.number);
  for (const key of ['MediaBox', 'CropBox']) file.put(facts.object, [key], [...facts.effective[box]]);
  file.put(facts.object, ['Rotate'], facts.rotate);
  file.put(facts.object, ['UserUnit'], facts.userUnit);
}
