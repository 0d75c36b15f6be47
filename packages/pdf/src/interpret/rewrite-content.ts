import { createLexer, isRegular, nextToken, tokens, tokenText } from '../open/lexer.ts';
import { readValue } from '../open/parse-object.ts';
import type { PdfValue } from '../open/values.ts';

/** A change to the bytes of one operator. Text is latin1: one character per byte. */
export interface OperatorEdit {
  /** In place of operands and operator; '' drops them. Left out: kept as they are. */
  replace?: string | Uint8Array | undefined;
  before?: string | Uint8Array | undefined;
  after?: string | Uint8Array | undefined;
}
export interface PlacedEdit extends OperatorEdit {
  /** [start, end) as in `Place`. */
  start: number;
  end: number;
}

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
const lineFeed = new Uint8Array([10]);

/** Applies edits to a content stream; everything between them is copied byte for byte. Edits must not overlap. */
export function rewriteContent(bytes: Uint8Array, edits: readonly PlacedEdit[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const put = (part: Uint8Array): void => {
    if (part.length === 0) return;
    const last = parts.at(-1)?.at(-1);
    // Two tokens must not grow together.
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

export interface ListedOperator {
  op: string;
  operands: PdfValue[];
  start: number;
  end: number;
}

/** The operators of a content stream without executing them. Inline image data is not understood: use `interpretPage`. */
export function listOperators(bytes: Uint8Array): ListedOperator[] {
  const lexer = createLexer(bytes);
  const list: ListedOperator[] = [];
  let operands: PdfValue[] = [];
  let start = -1;
  for (let token = nextToken(lexer); token !== tokens.end; token = nextToken(lexer)) {
    if (start < 0) start = lexer.start;
    const text = token === tokens.keyword ? tokenText(lexer) : '';
    if (token !== tokens.keyword || text === 'true' || text === 'false' || text === 'null') {
      operands.push(readValue(lexer, token, 0));
      continue;
    }
    list.push({ op: text, operands, start, end: lexer.pos });
    operands = [];
    start = -1;
  }
  return list;
}
