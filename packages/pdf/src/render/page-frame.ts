import { FileFaultError } from '@pdf2press/contract/faults';
import type { Matrix, Rect } from '../interpret/types.ts';
import type { BoxName } from '../open/boxes.ts';
import type { PageFacts } from '../open/page-facts.ts';

/** The page facts that determine the position of a page on a raster. */
export type PagePlace = Pick<PageFacts, 'number' | 'effective' | 'rotate' | 'userUnit'>;

/** A rectangle of whole pixels. */
export interface PixelRect {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Position of a raster on a page. Pixel space has its origin at the upper left of the page as shown (after /Rotate), x
 * to the right and y down; pixel (i, j) covers [i, i+1) × [j, j+1).
 */
export interface PageFrame {
  page: number;
  dpi: number;
  box: Rect;
  rotate: PageFacts['rotate'];
  userUnit: number;
  /** Size of the raster in pixels. */
  width: number;
  height: number;
  /** Maps default user space (points) to pixels. */
  toPixel: Matrix;
  /** Maps pixels to default user space (points). */
  toPoint: Matrix;
}

/** Limit of pixels in a raster of one page, against pages of extreme size. */
export const maxPixels = 100_000_000;

const pointsPerInch = 72;

/**
 * The frame for a page box (default: crop) at a resolution. The lower left corner of the box as shown lies exactly on
 * the lower left corner of the raster, and the size is rounded to whole pixels. Ghostscript does the same, so previews
 * and plates coincide.
 * @throws FileFaultError PDF_LIMIT_PIXELS {page, width, height, limit}
 */
export function pageFrame(page: PagePlace, options: { dpi: number; box?: BoxName | Rect }): PageFrame {
  const box = typeof options.box === 'object' ? options.box : page.effective[options.box ?? 'crop'];
  const rotate = page.rotate;
  const scale = (options.dpi / pointsPerInch) * page.userUnit;
  const isSideways = rotate === 90 || rotate === 270;
  const shownWidth = isSideways ? box[3] - box[1] : box[2] - box[0];
  const shownHeight = isSideways ? box[2] - box[0] : box[3] - box[1];
  const width = Math.max(1, Math.floor(shownWidth * scale + 0.5));
  const height = Math.max(1, Math.floor(shownHeight * scale + 0.5));
  if (!(width * height <= maxPixels)) {
    throw new FileFaultError('PDF_LIMIT_PIXELS', { page: page.number, width, height, limit: maxPixels });
  }
  const at = { page: page.number, dpi: options.dpi, box, rotate, userUnit: page.userUnit };
  return sized(at, width, height);
}

/** The same frame with the size in pixels that a renderer actually produced. */
export const resizedFrame = (frame: PageFrame, width: number, height: number): PageFrame => sized(frame, width, height);

type FramePlace = Pick<PageFrame, 'page' | 'dpi' | 'box' | 'rotate' | 'userUnit'>;

function sized(at: FramePlace, width: number, height: number): PageFrame {
  const { page, dpi, box, rotate, userUnit } = at;
  const s = (dpi / pointsPerInch) * userUnit;
  const [x0, y0, x1, y1] = box;
  // x right and y up from the lower left corner of the page as shown; then y is flipped within the height of the
  // raster.
  const toPixel: Record<PageFacts['rotate'], Matrix> = {
    0: [s, 0, 0, -s, -s * x0, height + s * y0],
    90: [0, s, s, 0, -s * y0, height - s * x1],
    180: [-s, 0, 0, s, s * x1, height - s * y1],
    270: [0, -s, -s, 0, s * y1, height + s * x0],
  };
  const matrix = toPixel[rotate];
  return { page, dpi, box, rotate, userUnit, width, height, toPixel: matrix, toPoint: inverse(matrix) };
}

/** The part of a frame that consists of all pixels touching `clip` (points), and its position in the frame. */
export function clippedFrame(frame: PageFrame, clip: Rect): { frame: PageFrame; at: PixelRect } {
  const at = pixelsOf(frame, clip);
  const [a, b, c, d, e, f] = frame.toPixel;
  const toPixel: Matrix = [a, b, c, d, e - at.left, f - at.top];
  const part = { ...frame, width: at.width, height: at.height, toPixel, toPoint: inverse(toPixel) };
  return { frame: { ...part, box: pointsOf(part, { left: 0, top: 0, width: at.width, height: at.height }) }, at };
}

/** All pixels that touch a rectangle of the page (points): at least one, limited to the raster. */
export function pixelsOf(frame: PageFrame, rect: Rect): PixelRect {
  const [x0, y0, x1, y1] = transformed(frame.toPixel, rect);
  // Ignore rounding errors below a millionth of a pixel.
  const left = bounded(Math.floor(x0 + 1e-6), 0, frame.width - 1);
  const top = bounded(Math.floor(y0 + 1e-6), 0, frame.height - 1);
  const right = bounded(Math.ceil(x1 - 1e-6), left + 1, frame.width);
  const bottom = bounded(Math.ceil(y1 - 1e-6), top + 1, frame.height);
  return { left, top, width: right - left, height: bottom - top };
}

/** The rectangle of the page (points) that pixels cover. */
export const pointsOf = (frame: PageFrame, pixels: PixelRect): Rect =>
  transformed(frame.toPoint, [pixels.left, pixels.top, pixels.left + pixels.width, pixels.top + pixels.height]);

/**
 * The highest resolution up to `dpi` at which a box (default: crop) has at most `pixels` pixels (default: `maxPixels`).
 */
export function fittingDpi(page: PagePlace, options: { dpi: number; box?: BoxName | Rect; pixels?: number }): number {
  const box = typeof options.box === 'object' ? options.box : page.effective[options.box ?? 'crop'];
  const inches = ((box[2] - box[0]) * (box[3] - box[1]) * page.userUnit ** 2) / pointsPerInch ** 2;
  // Leave room for rounding up width and height.
  const limit = Math.sqrt(((options.pixels ?? maxPixels) * 0.999) / inches);
  return Math.min(options.dpi, limit);
}

const bounded = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const det = a * d - b * c;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

function transformed([a, b, c, d, e, f]: Matrix, [x0, y0, x1, y1]: Rect): Rect {
  const xs = [a * x0 + c * y0 + e, a * x1 + c * y1 + e];
  const ys = [b * x0 + d * y0 + f, b * x1 + d * y1 + f];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
