import { isRegular } from '../open/lexer.ts';

/** A change to the bytes of one operator. Text is Latin-1: one character per byte. */
export interface OperatorEdit {
  /** Replaces operands and operator; '' removes them, undefined keeps them. */
  replace?: string | Uint8Array | undefined;
  before?: string | Uint8Array | undefined;
  after?: string | Uint8Array | undefined;
}
/** An edit with the position of its operator. */
export interface PlacedEdit extends OperatorEdit {
  /** Byte range [start, end) as in `Place`. */
  start: number;
  end: number;
}

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
const lineFeed = new Uint8Array([10]);

/**
 * Applies edits to a content stream; bytes between them are copied unchanged.
 * @throws RangeError when edits overlap
 */
export function rewriteContent(bytes: Uint8Array, edits: readonly PlacedEdit[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const put = (part: Uint8Array): void => {
    if (part.length === 0) return;
    const last = parts.at(-1)?.at(-1);
    // Two tokens must not be joined to one.
    if (isRegular(last) && isRegular(part[0])) parts.push(lineFeed);
    parts.push(part);
  };
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    if (edit.start < at) throw new RangeError(`edits overlap at ${edit.start}`);
    put(bytes.subarray(at, edit.start));
    if (edit.before !== undefined) put(bytesOf(edit.before));
    put(edit.replace === undefined ? bytes.subarray(edit.start, edit.end) : bytesOf(edit.replace));
    if (edit.after !== undefined) put(bytesOf(edit.after));
    at = edit.end;
  }
  put(bytes.subarray(at));
  return Buffer.concat(parts);
}
