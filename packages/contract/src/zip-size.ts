/* How large the files of a ZIP say they are together, read from the directory at its end (APPNOTE 6.3 §4.3.12–4.3.16). */

/** Bytes of all files of a ZIP together. */
export const maxUnzippedBytes = 4 * 2 ** 30;
/** How many times larger than the ZIP its files may be together, once they are larger than `freeUnzippedBytes`. */
export const maxUnzippedRatio = 200;
const freeUnzippedBytes = 64 * 2 ** 20;

/** Why files that are so large together are not taken out of a ZIP; undefined where they may be. Sizes in bytes. */
export function unzippedLimit({
  zipBytes,
  bytes,
}: {
  zipBytes: number;
  bytes: number;
}): { code: 'ZIP_LIMIT_BYTES' | 'ZIP_LIMIT_RATIO'; limit: number } | undefined {
  if (bytes > maxUnzippedBytes) return { code: 'ZIP_LIMIT_BYTES', limit: maxUnzippedBytes };
  if (bytes > freeUnzippedBytes && bytes > zipBytes * maxUnzippedRatio)
    return { code: 'ZIP_LIMIT_RATIO', limit: maxUnzippedRatio };
  return undefined;
}

/** Bytes at the end of a ZIP in which its directory ends: the record and the longest comment. */
export const zipEndBytes = 22 + 0xffff;

const endMark = 0x06054b50;
const end64Mark = 0x07064b50;
const entryMark = 0x02014b50;
/** In a field of 32 bits: the value has more of them and stands elsewhere. */
const elsewhere = 0xffffffff;

/** Where the directory of a ZIP lies: its first byte and its length; undefined where the end is that of no ZIP, or of one with more than 4 GiB. */
export function zipDirectoryAt(end: Uint8Array): { start: number; bytes: number } | undefined {
  const view = new DataView(end.buffer, end.byteOffset, end.byteLength);
  for (let at = end.byteLength - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== endMark || at + 22 + view.getUint16(at + 20, true) !== end.byteLength) continue;
    const [bytes, start] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const isLarge = at >= 20 && view.getUint32(at - 20, true) === end64Mark;
    return isLarge || start === elsewhere || bytes === elsewhere ? undefined : { start, bytes };
  }
  return undefined;
}

/** The size of an entry in its extra field for 64 bits, where it comes first (§4.5.3). */
function largeSize(view: DataView, from: number, to: number): number {
  for (let at = from; at + 12 <= to; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === 1) return Number(view.getBigUint64(at + 4, true));
  return 0;
}

/**
 * Bytes that all entries of a directory say they have together; a directory that ends in the middle of an entry, or holds
 * something else, is read as far as it is one. Names are not looked at.
 */
export function unzippedBytesOf(directory: Uint8Array): number {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
  let sum = 0;
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === entryMark; ) {
    const size = view.getUint32(at + 24, true);
    const extra = at + 46 + view.getUint16(at + 28, true);
    const next = extra + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    sum += size === elsewhere ? largeSize(view, extra, Math.min(next, view.byteLength)) : size;
    at = next;
  }
  return sum;
}
