/** Pictures of pages as a screen shows them: RGB by MuPDF, colour managed, without overprint. */
import * as mupdf from 'mupdf';
import type { Rect } from '../interpret/types.ts';
import type { BoxName } from '../open/boxes.ts';
import { guarded } from '../open/engine.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { alignPageTree } from './engine-pages.ts';
import { clippedFrame, type PageFrame, pageFrame } from './page-frame.ts';

export interface PreviewOptions {
  /** Pixels per inch; UserUnit counts. */
  dpi: number;
  /** Default `crop`. */
  box?: BoxName;
  /** Only this part of the page, points. */
  clip?: Rect;
  /** `view`: the default configuration on screen; `all`: every layer on. Default `view`. */
  layers?: 'view' | 'all';
  /** Default true. */
  annotations?: boolean;
  /** Default white. `transparent` gives four channels. */
  background?: readonly [number, number, number] | 'transparent';
}

/** Interleaved 8-bit pixels. */
export interface Raster {
  width: number;
  height: number;
  channels: 1 | 3 | 4;
  pixels: Uint8Array;
  frame: PageFrame;
}

/** MuPDF keeps decoded images and fonts in a store of its own; what is over this much of it goes after each page. */
const keptStorePercent = 50;

/**
 * @param file an opened file that no rewriter works on: layers and boxes are changed in its engine's memory.
 * @throws FileFaultError PDF_LIMIT_PIXELS, PDF_DAMAGED, PDF_MEMORY
 */
export function renderPreview(file: PdfFile, pageNumber: number, options: PreviewOptions): Raster {
  const facts = file.pages[pageNumber - 1];
  if (!facts) throw new RangeError(`page ${pageNumber}`);
  const whole = pageFrame(facts, { dpi: options.dpi, box: options.box ?? 'crop' });
  const frame = options.clip ? clippedFrame(whole, options.clip).frame : whole;
  return guarded(() => {
    const page = loadPage(file, pageNumber, whole.box);
    try {
      return options.layers === 'all'
        ? withAllLayers(file, () => drawn(page, frame, options))
        : drawn(page, frame, options);
    } finally {
      page.destroy();
      mupdf.shrinkStore(keptStorePercent);
    }
  });
}

/**
 * MuPDF cuts transparent pages at their CropBox, so a larger box is made the page's own first. The change lives in the
 * engine's memory only.
 */
function loadPage(file: PdfFile, pageNumber: number, box: Rect): mupdf.PDFPage {
  alignPageTree(file, pageNumber);
  const object = file.engine.findPage(pageNumber - 1);
  for (const key of ['MediaBox', 'CropBox']) object.put(key, [...box]);
  return file.engine.loadPage(pageNumber - 1);
}

function withAllLayers<T>(file: PdfFile, draw: () => T): T {
  const layers = Array.from({ length: file.engine.countLayers() }, (_, index) => index);
  const hidden = layers.filter((layer) => !file.engine.isLayerVisible(layer));
  for (const layer of hidden) file.engine.setLayerVisible(layer, true);
  try {
    return draw();
  } finally {
    for (const layer of hidden) file.engine.setLayerVisible(layer, false);
  }
}

function drawn(page: mupdf.PDFPage, frame: PageFrame, options: PreviewOptions): Raster {
  const background = options.background ?? [255, 255, 255];
  const hasAlpha = background === 'transparent';
  const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceRGB, [0, 0, frame.width, frame.height], hasAlpha);
  try {
    if (hasAlpha) pixmap.clear();
    else pixmap.clear(255);
    draw(page, pixmap, frame, options);
    const channels = hasAlpha ? 4 : 3;
    const pixels = packed(pixmap, frame, channels);
    if (!hasAlpha && background.some((level) => level !== 255)) multiply(pixels, background);
    return { width: frame.width, height: frame.height, channels, pixels, frame };
  } finally {
    pixmap.destroy();
  }
}

function draw(page: mupdf.PDFPage, pixmap: mupdf.Pixmap, frame: PageFrame, options: PreviewOptions): void {
  // MuPDF first takes points to its own page space; that is undone, so that our frame alone decides.
  const [a, b, c, d, e, f] = frame.toPixel;
  const matrix = mupdf.Matrix.concat(mupdf.Matrix.invert(page.getTransform()), [a, b, c, d, e, f]);
  const device = new mupdf.DrawDevice(mupdf.Matrix.identity, pixmap);
  try {
    if (options.annotations === false) page.runPageContents(device, matrix);
    else page.run(device, matrix);
    device.close();
  } finally {
    device.destroy();
  }
}

/** A copy of the pixels outside the engine's heap, without padding at the ends of rows. */
function packed(pixmap: mupdf.Pixmap, frame: PageFrame, channels: number): Uint8Array {
  const stride = pixmap.getStride();
  const row = frame.width * channels;
  const source = pixmap.getPixels();
  if (stride === row) return new Uint8Array(source);
  const pixels = new Uint8Array(row * frame.height);
  for (let y = 0; y < frame.height; y += 1) pixels.set(source.subarray(y * stride, y * stride + row), y * row);
  return pixels;
}

/** Coloured paper: what is printed on it is multiplied. */
function multiply(pixels: Uint8Array, paper: readonly [number, number, number]): void {
  for (let index = 0; index < pixels.length; index += 1) {
    pixels[index] = ((pixels[index] as number) * (paper[index % 3] as number) + 127) / 255;
  }
}
