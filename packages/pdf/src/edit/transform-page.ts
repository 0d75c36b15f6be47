/**
 * Moves, scales or rotates the whole content of pages: content streams, patterns, boxes, annotations and destinations.
 */
import {
  identity,
  isMatrix,
  multiply,
  quadBounds,
  transformPoint,
  transformQuad,
  transformRect,
} from '../interpret/matrix.ts';
import type { Matrix, Rect } from '../interpret/types.ts';
import { boxNames } from '../open/boxes.ts';
import type { PageFacts } from '../open/page-facts.ts';
import { isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from '../open/values.ts';
import { numberText } from '../write/value-text.ts';
import type { PdfEditor } from './editor.ts';
import { pdfDict, pdfRef } from './make-values.ts';
import { ownResources, wrapContent } from './page-content.ts';

const boxKeys = { media: 'MediaBox', crop: 'CropBox', bleed: 'BleedBox', trim: 'TrimBox', art: 'ArtBox' } as const;

/** A matrix as six operands for `cm`. */
export const matrixText = (matrix: Matrix): string =>
  matrix.map((value) => numberText(Math.abs(value) < 1e-12 ? 0 : value)).join(' ');

/** Removes rounding errors. */
const tidy = (value: number): number => Math.round(value * 1e6) / 1e6;
/** A box with rounding errors removed. */
export const tidyBox = (box: Rect): Rect => [tidy(box[0]), tidy(box[1]), tidy(box[2]), tidy(box[3])];

/**
 * Applies a matrix to pages with their patterns, annotations, destinations and boxes (unless `keepBoxes`). Content
 * streams are not changed.
 * @throws RangeError for a page that is a direct object
 */
export function transformPages(
  edit: PdfEditor,
  pages: readonly { page: PageFacts; matrix: Matrix }[],
  options: { keepBoxes?: boolean } = {},
): void {
  const byObject = new Map<number, Matrix>();
  for (const { page, matrix } of pages) {
    movePatterns(edit, page, matrix);
    wrapContent(edit, page, { before: `q ${matrixText(matrix)} cm\n`, after: '\nQ' });
    if (!options.keepBoxes) {
      for (const name of boxNames) {
        const box = page.boxes[name];
        if (box) edit.putPage(page, boxKeys[name], [...tidyBox(transformRect(matrix, normal(box)))]);
      }
    }
    moveAnnotations(edit, page, matrix);
    byObject.set(page.object, matrix);
  }
  moveDestinations(edit, byObject);
}

const normal = (box: readonly number[]): Rect => {
  const [a = 0, b = 0, c = 0, d = 0] = box;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
};

/**
 * Pattern matrices are relative to default user space of the page, not to the CTM (ISO 32000-1, 8.7.2), so they are
 * transformed separately.
 */
function movePatterns(edit: PdfEditor, page: PageFacts, matrix: Matrix): void {
  const { file } = edit;
  const resources = ownResources(edit, page);
  const patterns = file.resolve(resources.map.get('Pattern'));
  if (!isDict(patterns) || patterns.map.size === 0) return;
  const moved = new Map<string, PdfValue>();
  for (const [name, entry] of patterns.map) {
    const pattern = file.resolve(entry);
    if (!isDict(pattern)) continue;
    const dict = pdfDict(
      { Matrix: [...multiply(matrixOf(file.entry(pattern, 'Matrix')), matrix)], Length: undefined },
      pattern,
    );
    moved.set(
      name,
      pdfRef(pattern.stream ? edit.addStream(file.rawStream(pattern.stream), rawDict(dict)) : edit.add(dict)),
    );
  }
  edit.putPage(page, 'Resources', pdfDict({ Pattern: { kind: 'dict', map: moved, stream: 0 } }, resources));
}

/** The editor would deflate a stream without filter again; an empty filter list prevents this. */
const rawDict = (dict: PdfDict): PdfDict => (dict.map.has('Filter') ? dict : pdfDict({ Filter: [] }, dict));

const matrixOf = (value: PdfValue): Matrix => (isMatrix(value) ? value : identity);

const pointLists = ['QuadPoints', 'L', 'Vertices', 'CL'] as const;

function moveAnnotations(edit: PdfEditor, page: PageFacts, matrix: Matrix): void {
  const { file } = edit;
  const turn: Matrix = [matrix[0], matrix[1], matrix[2], matrix[3], 0, 0];
  const isTurned = matrix[1] !== 0 || matrix[2] !== 0;
  for (const entry of page.annotations) {
    const annotation = file.resolve(entry);
    if (!isRef(entry) || !isDict(annotation)) continue;
    const rect = numbers(file.entry(annotation, 'Rect'));
    if (rect?.length === 4) edit.put(entry.num, 'Rect', [...tidyBox(quadBounds(transformQuad(matrix, normal(rect))))]);
    for (const key of pointLists) {
      const points = numbers(file.entry(annotation, key));
      if (points) edit.put(entry.num, key, movedPoints(points, matrix));
    }
    const ink = file.entry(annotation, 'InkList');
    if (isArray(ink))
      edit.put(
        entry.num,
        'InkList',
        ink.map((stroke) => movedPoints(numbers(file.resolve(stroke)) ?? [], matrix)),
      );
    if (isTurned) turnAppearance(edit, annotation, turn);
  }
}

/**
 * Appearances are fitted into their Rect without rotation (ISO 32000-1, 12.5.5), so a rotation is added to their
 * Matrix.
 */
function turnAppearance(edit: PdfEditor, annotation: PdfDict, turn: Matrix): void {
  const { file } = edit;
  const visit = (value: PdfValue, depth: number): void => {
    const found = file.resolve(value);
    if (!isDict(found) || depth > 2) return;
    if (found.stream !== 0)
      edit.put(found.stream, 'Matrix', [...multiply(matrixOf(file.entry(found, 'Matrix')), turn)]);
    else for (const entry of found.map.values()) visit(entry, depth + 1);
  };
  visit(annotation.map.get('AP') ?? null, 0);
}

const numbers = (value: PdfValue): number[] | null =>
  isArray(value) && value.every((entry) => typeof entry === 'number') ? (value as number[]) : null;

function movedPoints(points: readonly number[], matrix: Matrix): number[] {
  const moved: number[] = [];
  for (let at = 0; at + 1 < points.length; at += 2)
    moved.push(...transformPoint(matrix, points[at] ?? 0, points[at + 1] ?? 0).map(tidy));
  return moved;
}

/** Updates explicit destinations anywhere in the file that lead to one of the pages (ISO 32000-1, 12.3.2.2). */
function moveDestinations(edit: PdfEditor, byObject: ReadonlyMap<number, Matrix>): void {
  const { file } = edit;
  for (let num = 1; num < file.objectCount; num += 1) {
    const value = file.get(num);
    if (!isDict(value) && !isArray(value)) continue;
    const changed = movedIn(value, byObject, 0);
    if (!changed) continue;
    if (isDict(changed) && isDict(value)) {
      for (const [key, entry] of changed.map) if (entry !== value.map.get(key)) edit.put(num, key, entry);
    } else edit.set(num, changed);
  }
}

/** The value with updated destinations; null when it contains none. */
function movedIn(value: PdfValue, byObject: ReadonlyMap<number, Matrix>, depth: number): PdfValue | null {
  if (depth > 6) return null;
  if (isArray(value)) {
    const moved = movedDestination(value, byObject);
    if (moved) return moved;
    const entries = value.map((entry) => movedIn(entry, byObject, depth + 1));
    return entries.some((entry) => entry !== null) ? value.map((entry, index) => entries[index] ?? entry) : null;
  }
  if (!isDict(value)) return null;
  const entries: Record<string, PdfValue> = {};
  for (const [key, entry] of value.map) {
    const moved = movedIn(entry, byObject, depth + 1);
    if (moved !== null) entries[key] = moved;
  }
  if (Object.keys(entries).length === 0) return null;
  return { ...pdfDict(entries, value), stream: value.stream };
}

function movedDestination(array: readonly PdfValue[], byObject: ReadonlyMap<number, Matrix>): PdfValue | null {
  const [page, fit, ...rest] = array;
  const matrix = isRef(page) ? byObject.get(page.num) : undefined;
  if (!matrix || page === undefined || !isName(fit)) return null;
  const number = (index: number): number | null => (typeof rest[index] === 'number' ? (rest[index] as number) : null);
  const [x, y] = transformPoint(matrix, number(0) ?? 0, number(1) ?? 0);
  if (fit.name === 'XYZ')
    return [page, fit, number(0) === null ? null : tidy(x), number(1) === null ? null : tidy(y), rest[2] ?? null];
  if (fit.name === 'FitH' || fit.name === 'FitBH')
    return [page, fit, tidy(transformPoint(matrix, 0, number(0) ?? 0)[1])];
  if (fit.name === 'FitV' || fit.name === 'FitBV') return [page, fit, tidy(x)];
  if (fit.name !== 'FitR' || rest.length < 4) return null;
  return [page, fit, ...tidyBox(transformRect(matrix, normal([0, 1, 2, 3].map((index) => number(index) ?? 0))))];
}
