/** Tables of a TrueType or OpenType font file (ISO/IEC 14496-22). */
import { FileFaultError } from '@pdf2press/contract/faults';

/** Where the bytes come from: all at once, or piece by piece from a file of which only some tables are wanted. */
export interface FontSource {
  readonly size: number;
  readonly read: (offset: number, length: number) => Uint8Array;
}

export const sourceOf = (bytes: Uint8Array): FontSource => ({
  size: bytes.length,
  read: (offset, length) => bytes.subarray(offset, offset + length),
});

/** What draws the glyphs: the table `glyf`, or `CFF `. */
export type FontFileKind = 'TrueType' | 'OpenType';

export interface Sfnt {
  readonly kind: FontFileKind;
  readonly tags: readonly string[];
  /** The bytes of a table; null when there is none. */
  readonly table: (tag: string) => Uint8Array | null;
  readonly whole: () => Uint8Array;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Fonts have some 20 tables. */
const maxTables = 200;

export const unreadable = (why: string, cause?: unknown): FileFaultError =>
  new FileFaultError('FONT_UNREADABLE', { why }, { cause });

/**
 * Reads the directory of a font file.
 * @throws FileFaultError FONT_UNREADABLE for what is no single TrueType or OpenType font, or is cut off
 */
export function openSfnt(source: FontSource): Sfnt {
  const head = source.read(0, 12);
  if (head.length < 12) throw unreadable('short');
  const signature = Buffer.from(head.subarray(0, 4)).toString('latin1');
  if (signature === 'ttcf') throw unreadable('collection');
  if (signature !== 'OTTO' && signature !== 'true' && signature !== '\0\x01\0\0') throw unreadable('kind');
  const count = viewOf(head).getUint16(4);
  const directory = source.read(12, 16 * count);
  if (count === 0 || count > maxTables || directory.length < 16 * count) throw unreadable('directory');
  const places = new Map<string, { offset: number; length: number }>();
  const view = viewOf(directory);
  for (let at = 0; at < directory.length; at += 16) {
    const place = { offset: view.getUint32(at + 8), length: view.getUint32(at + 12) };
    if (place.offset + place.length > source.size) throw unreadable('tables');
    places.set(Buffer.from(directory.subarray(at, at + 4)).toString('latin1'), place);
  }
  const kind = places.has('glyf') ? 'TrueType' : places.has('CFF ') ? 'OpenType' : null;
  if (!kind) throw unreadable('outlines');
  return {
    kind,
    tags: [...places.keys()],
    table(tag) {
      const place = places.get(tag);
      return place ? source.read(place.offset, place.length) : null;
    },
    whole: () => source.read(0, source.size),
  };
}

/** A table that every font has. @throws FileFaultError FONT_UNREADABLE when it is missing or shorter than `least` */
export function demandTable(sfnt: Sfnt, tag: string, least: number): Uint8Array {
  const bytes = sfnt.table(tag);
  if (!bytes || bytes.length < least) throw unreadable(`table ${tag.trim()}`);
  return bytes;
}
