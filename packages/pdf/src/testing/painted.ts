import { readFileSync } from 'node:fs';
import * as mupdf from 'mupdf';

interface Point {
  x: number;
  y: number;
}

/** What lies on one page, in the coordinates of its media box: points from the lower left corner. */
export interface PaintedPage {
  width: number;
  height: number;
  /** Filled paths by their corner points. */
  fills: { points: Point[]; space: string; colour: number[] }[];
  /** Stroked paths by their points. */
  strokes: { points: Point[]; isDashed: boolean }[];
}

/** Reads every page of a PDF with MuPDF alone: nothing of what wrote the file is used. */
export function paintedPages(path: string): PaintedPage[] {
  const document = mupdf.Document.openDocument(readFileSync(path), 'application/pdf');
  try {
    return Array.from({ length: document.countPages() }, (_, index) => paintedPage(document, index));
  } finally {
    document.destroy();
  }
}

function paintedPage(document: mupdf.Document, index: number): PaintedPage {
  const page = document.loadPage(index);
  const [left, top, right, bottom] = page.getBounds('MediaBox');
  const painted: PaintedPage = { width: right - left, height: bottom - top, fills: [], strokes: [] };
  const pointsOf = (path: mupdf.Path, [a, b, c, d, e, f]: mupdf.Matrix): Point[] => {
    const points: Point[] = [];
    const add = (x: number, y: number) => points.push({ x: x * a + y * c + e - left, y: bottom - (x * b + y * d + f) });
    path.walk({ moveTo: add, lineTo: add });
    return points;
  };
  const device = new mupdf.Device({
    fillPath: (path, _isEvenOdd, matrix, space, colour) => {
      painted.fills.push({ points: pointsOf(path, matrix), space: space.getName(), colour: [...colour] });
      // Thousands of them would wait for the collector of garbage.
      path.destroy();
      space.destroy();
    },
    strokePath: (path, stroke, matrix) => {
      painted.strokes.push({ points: pointsOf(path, matrix), isDashed: (stroke.getDashes() ?? []).length > 0 });
      path.destroy();
      stroke.destroy();
    },
  });
  page.run(device, mupdf.Matrix.identity);
  device.close();
  device.destroy();
  page.destroy();
  return painted;
}
