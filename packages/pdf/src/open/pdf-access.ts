/**
 * Typed access to dictionary entries. References are followed; a missing entry or one of another type gives null (an
 * empty array for `arrayOf`).
 */
import type { PdfFile } from './pdf-file.ts';
import { pdfText } from './text-string.ts';
import { isArray, isDict, isName, isString, type PdfDict, type PdfValue } from './values.ts';

/** An entry that is a dictionary. */
export const dictOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): PdfDict | null => {
  const value = dict ? file.entry(dict, key) : null;
  return isDict(value) ? value : null;
};
/** An entry that is an array; its elements may be references. */
export const arrayOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): readonly PdfValue[] => {
  const value = dict ? file.entry(dict, key) : null;
  return isArray(value) ? value : [];
};
/** The text of an entry that is a name. */
export const nameOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): string | null => {
  const value = dict ? file.entry(dict, key) : null;
  return isName(value) ? value.name : null;
};
/** An entry that is a number. */
export const numberOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): number | null => {
  const value = dict ? file.entry(dict, key) : null;
  return typeof value === 'number' ? value : null;
};
/** An entry that is a text string, decoded. */
export const textOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): string | null => {
  const value = dict ? file.entry(dict, key) : null;
  return isString(value) ? pdfText(value.bytes) : null;
};
/** The dictionaries in an array, with references followed. */
export const dictsIn = (file: PdfFile, values: readonly PdfValue[]): PdfDict[] =>
  values.map((value) => file.resolve(value)).filter(isDict);

/** An entry that is a rectangle, with its corners in order; null when it is not. */
export function rectOf(file: PdfFile, dict: PdfDict, key: string): [number, number, number, number] | null {
  const [a, b, c, d] = arrayOf(file, dict, key).map((value) => file.resolve(value));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number') return null;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** The dictionaries in a resource category, of a page and of all forms it uses, each once. */
export function resourcesBelow(
  file: PdfFile,
  resources: PdfDict | null,
  category: string,
): { name: string; dict: PdfDict }[] {
  const found: { name: string; dict: PdfDict }[] = [];
  const seen = new Set<PdfDict | number>();
  const visit = (holder: PdfDict | null, depth: number) => {
    if (!holder || seen.has(holder) || depth > 32) return;
    seen.add(holder);
    const entries = dictOf(file, holder, category);
    for (const [name, value] of entries?.map ?? []) {
      const dict = file.resolve(value);
      if (isDict(dict)) found.push({ name, dict });
    }
    for (const [, value] of dictOf(file, holder, 'XObject')?.map ?? []) {
      const form = file.resolve(value);
      if (isDict(form) && nameOf(file, form, 'Subtype') === 'Form' && !seen.has(form.stream)) {
        seen.add(form.stream);
        visit(dictOf(file, form, 'Resources'), depth + 1);
      }
    }
  };
  visit(resources, 0);
  return found;
}
