/** Previews of pages as on a screen: RGB rendered by MuPDF, with colour management, without overprint. */
import type * as Mupdf from 'mupdf';
import type { Rect } from '../interpret/types.ts';
import type { BoxName } from '../open/boxes.ts';
import { guarded } from '../open/engine.ts';
import { mupdf } from '../open/mupdf.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { alignPageTree } from './engine-pages.ts';
import { clippedFrame, type PageFrame, pageFrame } from './page-frame.ts';

export interface PreviewOptions {
  /** Pixels per inch of paper, that is, after UserUnit. */
  dpi: number;
  /** Page box to show. Default `crop`. */
  box?: BoxName;
  /** Show only this part of the page, in points. */
  clip?: Rect;
  /** `view` uses the default layer configuration; `all` shows every layer. Default `view`. */
  layers?: 'view' | 'all';
  /** Whether to draw annotations. Default true. */
  annotations?: boolean;
  /** Paper colour, 0 to 255. Default white. `transparent` gives four channels. */
  background?: readonly [number, number, number] | 'transparent';
  /**
   * Draw in CMYK, four channels, 255 is full ink: DeviceCMYK is not converted, and what has no blend space of its own blends
   * in inks, as in print. RGB is converted with a profile of MuPDF's own. Default false.
   */
  inInks?: boolean;
}

/** Interleaved 8-bit pixels. */
export interface Raster {
  width: number;
  height: number;
  channels: 1 | 3 | 4;
  pixels: Uint8Array;
  frame: PageFrame;
}

/** MuPDF caches decoded images and fonts; the cache is reduced to this percentage after each page. */
const keptStorePercent = 50;

/**
 * Draws a page.
 * @param file its layers and boxes are changed in MuPDF's memory while the page is drawn
 * @param pageNumber page number from 1
 * @throws FileFaultError PDF_LIMIT_PIXELS, PDF_DAMAGED, PDF_MEMORY; RangeError when there is no such page
 */
export function renderPreview(file: PdfFile, pageNumber: number, options: PreviewOptions): Raster {
  const facts = file.pages[pageNumber - 1];
  if (!facts) throw new RangeError(`page ${pageNumber}`);
  const whole = pageFrame(facts, { dpi: options.dpi, box: options.box ?? 'crop' });
  const frame = options.clip ? clippedFrame(whole, options.clip).frame : whole;
  return guarded(() =>
    withPageBox(file, pageNumber, whole.box, () => {
      const page = file.engine.loadPage(pageNumber - 1);
      try {
        return options.layers === 'all'
          ? withAllLayers(file, () => drawn(page, frame, options))
          : drawn(page, frame, options);
      } finally {
        page.destroy();
        mupdf().shrinkStore(keptStorePercent);
      }
    }),
  );
}

/**
 * MuPDF clips transparent pages to their CropBox. Therefore the wanted box is set as MediaBox and CropBox while
 * drawing.
 */
function withPageBox<T>(file: PdfFile, pageNumber: number, box: Rect, draw: () => T): T {
  alignPageTree(file, pageNumber);
  const page = file.engine.findPage(pageNumber - 1);
  const before = (['MediaBox', 'CropBox'] as const).map((key) => ({ key, value: page.get(key) }));
  for (const { key } of before) page.put(key, [...box]);
  try {
    return draw();
  } finally {
    for (const { key, value } of before) {
      if (value.isNull()) page.delete(key);
      else page.put(key, value);
    }
  }
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

/**
 * Larger pictures are drawn in strips, because MuPDF holds a strip in memory and another one for every open
 * transparency group.
 */
const stripPixels = 16_000_000;

function drawn(page: Mupdf.PDFPage, frame: PageFrame, options: PreviewOptions): Raster {
  const background = options.background ?? [255, 255, 255];
  const channels = background === 'transparent' || options.inInks ? 4 : 3;
  const { ColorSpace, Pixmap } = mupdf();
  const space = options.inInks ? ColorSpace.DeviceCMYK : ColorSpace.DeviceRGB;
  const { width, height } = frame;
  const pixels = new Uint8Array(width * height * channels);
  const rows = Math.max(1, Math.min(height, Math.floor(stripPixels / width)));
  for (let top = 0; top < height; top += rows) {
    const strip: Mupdf.Rect = [0, top, width, Math.min(height, top + rows)];
    const pixmap = new Pixmap(space, strip, background === 'transparent');
    try {
      if (background === 'transparent') pixmap.clear();
      else pixmap.clear(255);
      draw(page, pixmap, frame, options);
      copyRows(pixmap, pixels.subarray(top * width * channels), width * channels);
    } finally {
      pixmap.destroy();
    }
  }
  if (background !== 'transparent' && background.some((level) => level !== 255)) multiply(pixels, background);
  return { width, height, channels, pixels, frame };
}

function draw(page: Mupdf.PDFPage, pixmap: Mupdf.Pixmap, frame: PageFrame, options: PreviewOptions): void {
  // MuPDF transforms to a page space of its own first; this is undone so that only our frame determines the position.
  const [a, b, c, d, e, f] = frame.toPixel;
  const { DrawDevice, Matrix } = mupdf();
  const matrix = Matrix.concat(Matrix.invert(page.getTransform()), [a, b, c, d, e, f]);
  const device = new DrawDevice(Matrix.identity, pixmap);
  try {
    if (options.annotations === false) page.runPageContents(device, matrix);
    else page.run(device, matrix);
    device.close();
  } finally {
    device.destroy();
  }
}

/** Copies a pixmap out of WebAssembly memory, without the padding at the end of rows. */
function copyRows(pixmap: Mupdf.Pixmap, target: Uint8Array, row: number): void {
  const stride = pixmap.getStride();
  const source = pixmap.getPixels();
  for (let y = 0; y < pixmap.getHeight(); y += 1) target.set(source.subarray(y * stride, y * stride + row), y * row);
}

/** Multiplies the picture with the colour of the paper. */
function multiply(pixels: Uint8Array, paper: readonly [number, number, number]): void {
  for (let index = 0; index < pixels.length; index += 1) {
    pixels[index] = ((pixels[index] as number) * (paper[index % 3] as number) + 127) / 255;
  }
}
