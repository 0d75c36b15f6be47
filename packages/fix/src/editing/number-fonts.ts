/** Fonts that are written directly in resources become objects, because only an object can be replaced for all its uses. */
import { isArray, isDict, type PdfDict, type PdfEditor, type PdfValue, pdfRef, valueText } from '@pdf2press/pdf';

/** Every font but Type 3 has a name, and Type 3 fonts have procedures (ISO 32000-1, 9.6 and 9.7). */
const isFont = (value: PdfValue | undefined): value is PdfDict =>
  isDict(value) && (value.map.has('BaseFont') || value.map.has('CharProcs'));

/**
 * Gives numbers to all fonts that stand directly under `Font`, in resources or in a graphics state. Equal ones become one
 * object, as files of many pages repeat their fonts on each page.
 * @returns whether there were any
 */
export function numberFonts({ file, add, put }: PdfEditor): boolean {
  const numbers = new Map<string, number>();
  const numberOf = (font: PdfDict): number => {
    const text = valueText(font, (num) => num);
    const number = numbers.get(text) ?? add(font);
    numbers.set(text, number);
    return number;
  };
  const visit = (num: number, way: readonly (string | number)[], value: PdfValue | undefined): void => {
    for (const [key, entry] of entriesOf(value)) {
      // The list may be an object of its own; only from here is it known to be one of fonts.
      const inner = key === 'Font' ? file.resolve(entry) : entry;
      if (!isDict(inner) && !isArray(inner)) continue;
      const inside = [...way, key];
      for (const [name, font] of entriesOf(key === 'Font' ? inner : null))
        if (isFont(font)) put(num, [...inside, name], pdfRef(numberOf(font)));
      visit(num, inside, entry);
    }
  };
  const last = file.objectCount;
  for (let num = 1; num < last; num += 1) visit(num, [], file.get(num));
  return numbers.size > 0;
}

function entriesOf(value: PdfValue | undefined): Iterable<[string | number, PdfValue]> {
  if (isDict(value)) return value.map;
  return isArray(value) ? value.entries() : [];
}
