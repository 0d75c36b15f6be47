import type { PdfFile } from '../open/pdf-file.ts';
import type { ImageFacts } from './types.ts';

/** Masks with more samples are not read: they cost too much for what they tell. */
const mostSamples = 100_000_000;

/** Whether every sample has all bits set, or none; bits that fill up a row count for nothing. */
function areAll(bytes: Uint8Array, { width, height }: ImageFacts, bits: number, isSet: boolean): boolean {
  const rowBytes = Math.ceil((width * bits) / 8);
  if (bytes.length < rowBytes * height) return false;
  const wanted = isSet ? 0xff : 0;
  const lastBits = (width * bits) % 8;
  const inLast = lastBits === 0 ? 0xff : (0xff << (8 - lastBits)) & 0xff;
  for (let row = 0; row < height; row += 1) {
    const end = (row + 1) * rowBytes - 1;
    for (let at = row * rowBytes; at < end; at += 1) if (bytes[at] !== wanted) return false;
    if (((bytes[end] ?? 0) & inLast) !== (wanted & inLast)) return false;
  }
  return true;
}

/** Answers already given in this thread, by object number of the image, which may be placed a thousand times. */
const known = new WeakMap<PdfFile, Map<number, boolean>>();

/**
 * Whether the mask of an image hides all of it, so that nothing prints: a soft mask that is 0 everywhere (ISO 32000-1,
 * 11.6.5.3), or an explicit mask whose samples are all masked out (8.9.6.3). Masks in lossy encodings count as showing
 * something.
 */
export function isMaskedOut(file: PdfFile, image: ImageFacts): boolean {
  const mask = image.softMask ?? image.mask;
  if (!mask || mask.object === 0 || !mask.isLossless || mask.encoding === 'JPX') return false;
  if (!(mask.width > 0 && mask.height > 0 && mask.width * mask.height <= mostSamples)) return false;
  const answers = known.get(file) ?? new Map<number, boolean>();
  known.set(file, answers);
  const answer = answers.get(image.object) ?? readsAsHidden(file, mask, image.softMask !== null);
  answers.set(image.object, answer);
  return answer;
}

function readsAsHidden(file: PdfFile, mask: ImageFacts, isSoft: boolean): boolean {
  const bits = mask.isStencil ? 1 : mask.bitsPerComponent;
  const isInverted = mask.decode !== null && (mask.decode[0] ?? 0) > (mask.decode[1] ?? 1);
  // In a soft mask 0 hides, in an explicit mask 1 does.
  return areAll(file.stream(mask.object), mask, bits, !isSoft !== isInverted);
}
