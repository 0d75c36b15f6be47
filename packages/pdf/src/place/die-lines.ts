import type { Rect } from '@pdf2press/contract';
import type { ColorSpace, Matrix, Path } from 'mupdf';
import { guarded } from '../open/engine.ts';
import { mupdf } from '../open/mupdf.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { mapBox, seenMatrix } from './page-space.ts';

/** Outlines of a die, in points in the space of the page as shown (see `layoutPage`), with their bounding box. */
export interface DieLines {
  outline: [letter: 'M' | 'L' | 'C' | 'Z', numbers: number[]][];
  box: Rect;
}

/**
 * A pattern for ink names: `*` stands for any characters, case is ignored. Print shops write CutContour, CUT-CONTOUR,
 * Stanze, die line.
 */
const matcher = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')}$`, 'i');

/**
 * Paths that a page draws in a spot ink whose name matches one of `names`; null when there are none. The box contains
 * all of them, for example creases besides the cut.
 * @throws RangeError when there is no such page; FileFaultError PDF_DAMAGED, PDF_MEMORY
 */
export function findDieLines(file: PdfFile, pageNumber: number, names: readonly string[]): DieLines | null {
  const facts = file.pages[pageNumber - 1];
  if (!facts) throw new RangeError(`page ${pageNumber}`);
  const patterns = names.map(matcher);
  // The device space of MuPDF has its origin at the upper left of the CropBox as shown, with y downwards.
  const crop = mapBox(facts.effective.crop, seenMatrix(facts));
  const seen = (x: number, y: number): [number, number] => [crop.x + x, crop.y + crop.height - y];
  const outline: DieLines['outline'] = [];
  const collect = (path: Path, ctm: Matrix, space: ColorSpace): void => {
    if (!isNamed(space, patterns)) return;
    const at = (x: number, y: number) => seen(x * ctm[0] + y * ctm[2] + ctm[4], x * ctm[1] + y * ctm[3] + ctm[5]);
    path.walk({
      moveTo: (x, y) => outline.push(['M', at(x, y)]),
      lineTo: (x, y) => outline.push(['L', at(x, y)]),
      curveTo: (x1, y1, x2, y2, x3, y3) => outline.push(['C', [...at(x1, y1), ...at(x2, y2), ...at(x3, y3)]]),
      closePath: () => outline.push(['Z', []]),
    });
  };
  guarded(() => {
    const page = file.engine.loadPage(pageNumber - 1);
    const device = new (mupdf().Device)({
      strokePath: (path, _stroke, ctm, space) => collect(path, ctm, space),
      fillPath: (path, _isEvenOdd, ctm, space) => collect(path, ctm, space),
    });
    page.run(device, [1, 0, 0, 1, 0, 0]);
    device.destroy();
    page.destroy();
  });
  return outline.length === 0 ? null : { outline, box: boxAround(outline) };
}

function isNamed(space: ColorSpace, patterns: readonly RegExp[]): boolean {
  const name = /^(?:Separation|DeviceN)?\(?(.*?)\)?$/.exec(space.getName())?.[1] ?? '';
  return space.isDeviceN() && patterns.some((pattern) => pattern.test(name));
}

/** Bounding box of all points including control points of curves, which is close enough for die lines. */
function boxAround(outline: DieLines['outline']): Rect {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [, numbers] of outline) {
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      const [x, y] = [numbers[i] ?? 0, numbers[i + 1] ?? 0];
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
    }
  }
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}
