import { FileFaultError } from '@pdf2press/contract/faults';
import { createLexer, type Lexer, nextToken, packKeyword, type TokenType, tokens } from './lexer.ts';
import type { PdfDict, PdfValue } from './values.ts';

/** Deepest nesting of direct arrays and dictionaries that is read. */
export const maxNesting = 100;

const keywordValues = new Map<number, PdfValue>([
  [packKeyword('true'), true],
  [packKeyword('null'), null],
]);
const reference = packKeyword('R');

/**
 * Parses the text of one object. `stream` is the object number when the object is a stream, else 0.
 * @throws FileFaultError PDF_LIMIT_NESTING
 */
export function parseObject(bytes: Uint8Array, stream = 0): PdfValue {
  const lexer = createLexer(bytes);
  return readValue(lexer, nextToken(lexer), 0, stream);
}

/**
 * Reads the value that begins with `token`; unreadable values become null.
 * @throws FileFaultError PDF_LIMIT_NESTING
 */
export function readValue(lexer: Lexer, token: TokenType, depth: number, stream = 0): PdfValue {
  if (depth > maxNesting) throw new FileFaultError('PDF_LIMIT_NESTING', { limit: maxNesting });
  switch (token) {
    case tokens.number:
      return lexer.number;
    case tokens.string:
      return { kind: 'string', bytes: lexer.isReused ? lexer.string.slice() : lexer.string };
    case tokens.name:
      return lexer.name;
    case tokens.keyword:
      if (lexer.keyword === -1 && lexer.pos - lexer.start === 5 && lexer.bytes[lexer.start] === 102) return false;
      return keywordValues.get(lexer.keyword) ?? null;
    case tokens.arrayStart:
      return readArray(lexer, depth);
    case tokens.dictStart:
      return readDict(lexer, depth, stream);
    default:
      return null;
  }
}

function readArray(lexer: Lexer, depth: number): PdfValue[] {
  const values: PdfValue[] = [];
  for (let token = nextToken(lexer); token !== tokens.arrayEnd && token !== tokens.end; token = nextToken(lexer)) {
    if (token === tokens.dictEnd) break;
    if (token === tokens.keyword && lexer.keyword === reference) foldReference(values);
    else values.push(readValue(lexer, token, depth + 1));
  }
  return values;
}

/** `12 0 R`: replaces the two numbers before the R by a reference. */
function foldReference(values: PdfValue[]): void {
  const generation = values.pop();
  const num = values.pop();
  values.push(typeof num === 'number' && typeof generation === 'number' ? { kind: 'ref', num } : null);
}

/**
 * Reads entries up to `>>`. Of a repeated key the first value is used, as in most PDF readers.
 * @throws FileFaultError PDF_LIMIT_NESTING
 */
export function readDict(lexer: Lexer, depth: number, stream = 0): PdfDict {
  const map = new Map<string, PdfValue>();
  let key: string | null = null;
  let values: PdfValue[] = [];
  const store = (): void => {
    if (key !== null && values.length > 0) {
      if (map.has(key)) lexer.hasRepeats = true;
      else map.set(key, values[0] ?? null);
    }
    values = [];
  };
  for (let token = nextToken(lexer); token !== tokens.dictEnd && token !== tokens.end; token = nextToken(lexer)) {
    if (token === tokens.arrayEnd) break;
    if (token === tokens.name && (key === null || values.length > 0)) {
      store();
      key = lexer.name.name;
    } else if (token === tokens.keyword && lexer.keyword === reference) foldReference(values);
    else if (values.length < 3) values.push(readValue(lexer, token, depth + 1));
  }
  store();
  return { kind: 'dict', map, stream };
}
