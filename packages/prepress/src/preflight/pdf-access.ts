/** Short ways to typed values of dictionaries. */
import { isArray, isDict, isName, isString, type PdfDict, type PdfFile, type PdfValue, pdfText } from '@pdf2press/pdf';

export const dictOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): PdfDict | null => {
  const value = dict ? file.entry(dict, key) : null;
  return isDict(value) ? value : null;
};
export const arrayOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): readonly PdfValue[] => {
  const value = dict ? file.entry(dict, key) : null;
  return isArray(value) ? value : [];
};
export const nameOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): string | null => {
  const value = dict ? file.entry(dict, key) : null;
  return isName(value) ? value.name : null;
};
export const numberOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): number | null => {
  const value = dict ? file.entry(dict, key) : null;
  return typeof value === 'number' ? value : null;
};
export const textOf = (file: PdfFile, dict: PdfDict | null | undefined, key: string): string | null => {
  const value = dict ? file.entry(dict, key) : null;
  return isString(value) ? pdfText(value.bytes) : null;
};
export const dictsIn = (file: PdfFile, values: readonly PdfValue[]): PdfDict[] =>
  values.map((value) => file.resolve(value)).filter(isDict);

/** Four numbers of an array entry as a box with its corners in order; null when it is none. */
export function rectOf(file: PdfFile, dict: PdfDict, key: string): [number, number, number, number] | null {
  const [a, b, c, d] = arrayOf(file, dict, key).map((value) => file.resolve(value));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number') return null;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** The dictionaries of a resource category on a page and in the forms below it, each once. */
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
