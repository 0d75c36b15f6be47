import type { PageFacts } from '../open/page-facts.ts';
import { arrayOf, dictOf, dictsIn, nameOf } from '../open/pdf-access.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isRef, type PdfDict, type PdfValue } from '../open/values.ts';

/** Levels of forms in forms; deeper ones are not painted either. */
const deepest = 32;

/**
 * Everything that pages can paint: images, forms, pattern cells, fonts with procedures, soft masks and appearances of
 * annotations. An object is looked at once, however many pages use it.
 */
export function paintedObjects(file: PdfFile, pages: readonly PageFacts[]): PdfDict[] {
  const found: PdfDict[] = [];
  const seen = new Set<PdfDict | number>();
  const paint = (value: PdfValue | undefined, depth: number): void => {
    if (value === undefined || depth > deepest || (isRef(value) && seen.has(value.num))) return;
    if (isRef(value)) seen.add(value.num);
    const dict = file.resolve(value);
    if (!isDict(dict)) return;
    found.push(dict);
    if (nameOf(file, dict, 'Subtype') !== 'Image') resources(dictOf(file, dict, 'Resources'), depth + 1);
  };
  const resources = (holder: PdfDict | null, depth: number): void => {
    if (!holder || seen.has(holder)) return;
    seen.add(holder);
    for (const category of ['XObject', 'Pattern', 'Font'] as const)
      for (const [, value] of dictOf(file, holder, category)?.map ?? []) paint(value, depth);
    for (const [, value] of dictOf(file, holder, 'ExtGState')?.map ?? []) {
      const state = file.resolve(value);
      paint(dictOf(file, isDict(state) ? state : null, 'SMask')?.map.get('G'), depth);
    }
  };
  for (const page of pages) {
    resources(page.resources, 0);
    for (const annotation of dictsIn(file, arrayOf(file, page.dict, 'Annots'))) {
      const normal = dictOf(file, annotation, 'AP')?.map.get('N');
      const states = file.resolve(normal);
      if (isDict(states) && states.stream === 0) for (const [, state] of states.map) paint(state, 0);
      else paint(normal, 0);
    }
  }
  return found;
}

/** Whether a form is a transparency group with a colour space of its own (ISO 32000-1, 11.6.6). */
export const hasOwnSpace = (file: PdfFile, form: PdfDict): boolean =>
  dictOf(file, form, 'Group')?.map.has('CS') ?? false;
