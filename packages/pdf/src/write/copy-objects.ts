import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isName, type PdfDict, type PdfValue } from '../open/values.ts';
import type { PdfWriter } from './pdf-writer.ts';
import { entriesText, valueText } from './value-text.ts';

/** Carries objects of one open file into a file that is written; each object once, only what is reached. */
export interface ObjectCopier {
  /** The object's number in the new file; it is written by the next `drain`. 0 for what must not come along. */
  reference: (num: number) => number;
  /** A value as text with its references carried over. */
  text: (value: PdfValue) => string;
  entries: (dict: PdfDict, without?: ReadonlySet<string>) => string;
  /** Writes a stream of the source under `num` with `entries` for its dictionary, its bytes as they are. */
  copyStream: (source: number, num: number, entries: string) => void;
  /** Writes an object under the number it has been given. */
  write: (source: number) => void;
  /** Writes all that was referenced, and what that references. */
  drain: () => void;
}

const withoutLength: ReadonlySet<string> = new Set(['Length']);

export interface CopierOptions {
  /**
   * Pages are not copied: a stray reference (an annotation's /P, a destination) would otherwise drag the whole old page
   * tree along.
   */
  skipsPages: boolean;
  /** Into a file where every object has the number it had: what is referenced is there already or is written by name. */
  keepsNumbers?: boolean;
}

export function createCopier(
  file: PdfFile,
  writer: PdfWriter,
  { skipsPages, keepsNumbers = false }: CopierOptions,
): ObjectCopier {
  const numbers = new Map<number, number>();
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
