import { identity, isMatrix } from '../interpret/matrix.ts';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, type PdfDict, type PdfValue } from '../open/values.ts';
import { concat, type Matrix, mapBox } from './page-space.ts';

/** A printed annotation: its appearance stream and position. */
export interface DrawnAnnotation {
  /** The annotation dictionary. */
  readonly annotation: PdfDict;
  /** Object number of the appearance stream. */
  appearance: number;
  /** To be concatenated before the appearance is drawn in user space of the page. */
  matrix: Matrix;
  /** The optional content that the annotation belongs to (/OC), or null. */
  layer: PdfValue;
}

const hidden = 2;
const print = 4;
/**
 * Types that are never printed, whatever their flags are. A film, a sound or a 3D object prints as its appearance, the
 * poster (ISO 32000-1, 12.5.2 and 13.6.2).
 */
const unprintable = new Set(['Popup', 'Link', 'TrapNet']);

/**
 * The printed annotations of a page in order: Print flag set, not hidden, with a normal appearance (ISO 32000-1,
 * 12.5.3). An imposed sheet has no annotations, so these become part of the page content.
 */
export function drawnAnnotations(file: PdfFile, page: PageFacts): DrawnAnnotation[] {
  return page.annotations.flatMap((entry) => {
    const annotation = file.resolve(entry);
    if (!isDict(annotation)) return [];
    const flags = file.entry(annotation, 'F');
    const subtype = file.entry(annotation, 'Subtype');
    const bits = typeof flags === 'number' ? flags : 0;
    if ((bits & hidden) !== 0 || (bits & print) === 0 || (isName(subtype) && unprintable.has(subtype.name))) return [];
    const appearance = normalAppearance(file, annotation);
    const rect = numbers(file, file.entry(annotation, 'Rect'));
    if (!appearance || rect?.length !== 4) return [];
    const matrix = appearanceMatrix(file, appearance, rect as [number, number, number, number]);
    return matrix
      ? [{ annotation, appearance: appearance.stream, matrix, layer: annotation.map.get('OC') ?? null }]
      : [];
  });
}

function normalAppearance(file: PdfFile, annotation: PdfDict): PdfDict | null {
  const appearances = file.entry(annotation, 'AP');
  const normal = isDict(appearances) ? file.entry(appearances, 'N') : null;
  if (!isDict(normal)) return null;
  if (normal.stream !== 0) return normal;
  const state = file.entry(annotation, 'AS');
  const chosen = isName(state) ? file.entry(normal, state.name) : null;
  return isDict(chosen) && chosen.stream !== 0 ? chosen : null;
}

function numbers(file: PdfFile, value: PdfValue): number[] | null {
  if (!isArray(value)) return null;
  const list = value.map((entry) => file.resolve(entry));
  return list.every((entry) => typeof entry === 'number') ? (list as number[]) : null;
}

/** Maps the transformed BBox of the appearance to the Rect of the annotation (ISO 32000-1, 12.5.5, algorithm 8.1). */
function appearanceMatrix(file: PdfFile, appearance: PdfDict, rect: [number, number, number, number]): Matrix | null {
  const bbox = numbers(file, file.entry(appearance, 'BBox'));
  if (bbox?.length !== 4) return null;
  const own = numbers(file, file.entry(appearance, 'Matrix'));
  const matrix = isMatrix(own) ? own : identity;
  const corners = [
    [0, 1],
    [2, 1],
    [0, 3],
    [2, 3],
  ].map(([i, j]) =>
    mapBox([bbox[i as number] ?? 0, bbox[j as number] ?? 0, bbox[i as number] ?? 0, bbox[j as number] ?? 0], matrix),
  );
  const [x0, x1] = [Math.min(...corners.map((c) => c.x)), Math.max(...corners.map((c) => c.x))];
  const [y0, y1] = [Math.min(...corners.map((c) => c.y)), Math.max(...corners.map((c) => c.y))];
  if (!(x1 > x0) || !(y1 > y0)) return null;
  const [left, right] = [Math.min(rect[0], rect[2]), Math.max(rect[0], rect[2])];
  const [bottom, top] = [Math.min(rect[1], rect[3]), Math.max(rect[1], rect[3])];
  const [sx, sy] = [(right - left) / (x1 - x0), (top - bottom) / (y1 - y0)];
  return concat([1, 0, 0, 1, -x0, -y0], [sx, 0, 0, sy, left, bottom]);
}
