import type { PdfFile } from '../open/pdf-file.ts';
import { pdfText } from '../open/text-string.ts';
import { isArray, isDict, isName, isRef, isString, type PdfDict, type PdfValue } from '../open/values.ts';

/** Limits of depth and size, because damaged or hostile trees can be circular. What was found before is used. */
const maxDepth = 30;
const maxNodes = 100_000;

/** Calls `take` for each entry of a name tree (ISO 32000-1, 7.9.6). */
export function walkNameTree(file: PdfFile, root: PdfValue, take: (name: string, value: PdfValue) => void): void {
  const seen = new Set<number>();
  const walk = (value: PdfValue | undefined, depth: number): void => {
    if (isRef(value)) {
      if (seen.has(value.num)) return;
      seen.add(value.num);
    }
    const node = file.resolve(value);
    if (!isDict(node) || depth > maxDepth || seen.size > maxNodes) return;
    const names = file.entry(node, 'Names');
    if (isArray(names)) {
      for (let i = 0; i + 1 < names.length; i += 2) {
        const name = file.resolve(names[i]);
        if (isString(name)) take(pdfText(name.bytes), names[i + 1] ?? null);
      }
    }
    const kids = file.entry(node, 'Kids');
    if (isArray(kids)) for (const kid of kids) walk(kid, depth + 1);
  };
  walk(root, 0);
}

/** Calls `take` for each form field and widget with its field type, which may be inherited (ISO 32000-1, 12.7.3.1). */
export function walkFields(file: PdfFile, take: (field: PdfDict, type: string) => void): void {
  const form = file.entry(file.catalog, 'AcroForm');
  const seen = new Set<number>();
  const walk = (value: PdfValue, inherited: string, depth: number): void => {
    if (isRef(value)) {
      if (seen.has(value.num)) return;
      seen.add(value.num);
    }
    const field = file.resolve(value);
    if (!isDict(field) || depth > maxDepth || seen.size > maxNodes) return;
    const own = file.entry(field, 'FT');
    const type = isName(own) ? own.name : inherited;
    take(field, type);
    const kids = file.entry(field, 'Kids');
    if (isArray(kids)) for (const kid of kids) walk(kid, type, depth + 1);
  };
  const fields = isDict(form) ? file.entry(form, 'Fields') : null;
  if (isArray(fields)) for (const field of fields) walk(field, '', 0);
}
