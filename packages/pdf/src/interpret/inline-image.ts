import { isRegular, isSpace } from '../open/lexer.ts';
import type { ImageFacts } from './types.ts';

/** Where an inline image ends. */
export interface InlineImageEnd {
  /** End of the data (exclusive). */
  readonly dataEnd: number;
  /** First byte after EI. */
  readonly next: number;
  readonly isTerminated: boolean;
}

/** Number of bytes after EI that must look like content. */
const lookAhead = 16;

/**
 * Finds the end of an inline image (ISO 32000-1, 8.9.7). The length of unfiltered data is known. Other data ends at an
 * EI between delimiters that is followed by text that looks like content, because EI may also occur inside the data.
 */
export function findInlineImageEnd(bytes: Uint8Array, start: number, limit: number, image: ImageFacts): InlineImageEnd {
  const known = image.encoding === 'none' && !image.dict.map.has('Filter') ? rawLength(image) : declaredLength(image);
  if (known !== null && start + known <= limit) {
    let at = start + known;
    while (at < limit && isSpace(bytes[at])) at += 1;
    if (isEnd(bytes, at, limit)) return { dataEnd: start + known, next: at + 2, isTerminated: true };
  }
  for (let at = start; at + 1 < limit; at += 1) {
    if (bytes[at] !== 69 || bytes[at + 1] !== 73) continue;
    if (at > start && !isSpace(bytes[at - 1])) continue;
    if (isEnd(bytes, at, limit) && looksLikeContent(bytes, at + 2, limit)) {
      return { dataEnd: Math.max(start, at - 1), next: at + 2, isTerminated: true };
    }
  }
  return { dataEnd: limit, next: limit, isTerminated: false };
}

function rawLength(image: ImageFacts): number | null {
  const row = Math.ceil((image.width * image.components * image.bitsPerComponent) / 8);
  const length = row * image.height;
  return Number.isSafeInteger(length) && length >= 0 ? length : null;
}

/** The /Length of the data, required since PDF 2.0. */
function declaredLength(image: ImageFacts): number | null {
  return image.length > 0 ? image.length : null;
}

function isEnd(bytes: Uint8Array, at: number, limit: number): boolean {
  return bytes[at] === 69 && bytes[at + 1] === 73 && (at + 2 >= limit || !isRegular(bytes[at + 2]));
}

function looksLikeContent(bytes: Uint8Array, from: number, limit: number): boolean {
  const end = Math.min(limit, from + lookAhead);
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number;
    // NUL is white space in PDF, but after EI it is almost always image data.
    if (byte === 0 || byte > 126 || (byte < 32 && !isSpace(byte))) return false;
  }
  return true;
}
