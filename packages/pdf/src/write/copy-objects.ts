import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isName, type PdfDict, type PdfValue } from '../open/values.ts';
import type { PdfWriter } from './pdf-writer.ts';
import { entriesText, valueText } from './value-text.ts';

/** Copies objects of an open file to a new file: each object once, and only those that are referenced. */
export interface ObjectCopier {
  /** Object number in the new file. The object is written by the next `drain`. 0 for objects that are not copied. */
  reference: (num: number) => number;
  /** A value as text with references to the new file. */
  text: (value: PdfValue) => string;
  entries: (dict: PdfDict, without?: ReadonlySet<string>) => string;
  /**
   * Writes a stream of the source as object `num` with the dictionary `entries`; the encoded data is copied unchanged.
   */
  copyStream: (source: number, num: number, entries: string) => void;
  /** Writes an object under the number that `reference` returned. */
  write: (source: number) => void;
  /** Writes all objects referenced so far, and those that they reference. */
  drain: () => void;
}

const withoutLength: ReadonlySet<string> = new Set(['Length']);

export interface CopierOptions {
  /**
   * Skip pages and page tree nodes. Otherwise a reference to a page (/P of an annotation, a destination) would copy the
   * whole page tree.
   */
  skipsPages: boolean;
  /** Objects keep their numbers: referenced objects are already in the file or are written with `write`. */
  keepsNumbers?: boolean;
  /** Objects that the caller writes, with their numbers in the new file. */
  known?: ReadonlyMap<number, number>;
}

export function createCopier(
  file: PdfFile,
  writer: PdfWriter,
  { skipsPages, keepsNumbers = false, known: given = new Map() }: CopierOptions,
): ObjectCopier {
  const numbers = new Map<number, number>(given);
  const waiting: number[] = [];

  const isPage = (value: PdfValue): boolean =>
    isDict(value) && (isName(value.map.get('Type'), 'Page') || isName(value.map.get('Type'), 'Pages'));

  const reference = (source: number): number => {
    if (keepsNumbers) return source;
    const known = numbers.get(source);
    if (known !== undefined) return known;
    const isLeftOut = skipsPages && isPage(file.get(source));
    const num = isLeftOut ? 0 : writer.reserve();
    numbers.set(source, num);
    if (!isLeftOut) waiting.push(source);
    return num;
  };

  const copyStream = (source: number, num: number, entries: string): void => {
    const dict = file.get(source);
    const place = isDict(dict) ? file.streamRange(source, dict) : null;
    if (place) {
      writer.stream(num, entries, place);
      return;
    }
    file.borrowStream(source, (bytes) => writer.stream(num, entries, bytes));
  };

  const write = (source: number): void => {
    const num = reference(source);
    const value = file.get(source);
    if (isDict(value) && value.stream !== 0) copyStream(source, num, entriesText(value, reference, withoutLength));
    else writer.object(num, valueText(value, reference));
    file.release(source);
  };

  return {
    reference,
    text: (value) => valueText(value, reference),
    entries: (dict, without) => entriesText(dict, reference, without),
    copyStream,
    write,
    drain() {
      for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) write(source);
    },
  };
}
