/** A TrueType font with the outlines of some glyphs only; all glyphs keep their numbers. */
import { createHash } from 'node:crypto';
import { demandTable, type Sfnt, viewOf } from './sfnt.ts';

/** Tables that a font in a PDF needs (ISO 32000-1, 9.9), and `OS/2`, which says what its maker allows. */
const kept = ['OS/2', 'cmap', 'cvt ', 'fpgm', 'head', 'hhea', 'hmtx', 'maxp', 'prep'];

/** Flags of a component of a composite glyph. */
const component = { wordArguments: 1, scale: 8, more: 0x20, scales: 0x40, matrix: 0x80 };

/** Where each glyph's outline begins in `glyf`; one more than there are glyphs. */
function readPlaces(sfnt: Sfnt): number[] {
  const isLong = viewOf(demandTable(sfnt, 'head', 54)).getInt16(50) === 1;
  const view = viewOf(demandTable(sfnt, 'loca', 4));
  return Array.from({ length: Math.floor(view.byteLength / (isLong ? 4 : 2)) }, (_, glyph) =>
    isLong ? view.getUint32(4 * glyph) : 2 * view.getUint16(2 * glyph),
  );
}

/** The glyphs that an outline is composed of. */
function componentsOf(outline: Uint8Array): number[] {
  if (outline.length < 10 || viewOf(outline).getInt16(0) >= 0) return [];
  const view = viewOf(outline);
  const found: number[] = [];
  for (let at = 10, flags = component.more; flags & component.more && at + 4 <= outline.length; ) {
    flags = view.getUint16(at);
    found.push(view.getUint16(at + 2));
    at += 4 + (flags & component.wordArguments ? 4 : 2);
    at += flags & component.scale ? 2 : flags & component.scales ? 4 : flags & component.matrix ? 8 : 0;
  }
  return found;
}

/** Writes tables as a font file. */
export function writeSfnt(tables: ReadonlyMap<string, Uint8Array>, signature = '\0\x01\0\0'): Uint8Array {
  const tags = [...tables.keys()].sort();
  const power = 2 ** Math.floor(Math.log2(tags.length));
  const directory = Buffer.alloc(12 + 16 * tags.length);
  directory.write(signature, 0, 'latin1');
  directory.writeUInt16BE(tags.length, 4);
  directory.writeUInt16BE(16 * power, 6);
  directory.writeUInt16BE(Math.log2(power), 8);
  directory.writeUInt16BE(16 * (tags.length - power), 10);
  const parts: Uint8Array[] = [directory];
  let at = directory.length;
  for (const [index, tag] of tags.entries()) {
    const bytes = tables.get(tag) ?? new Uint8Array();
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
    directory.write(tag, 12 + 16 * index, 'latin1');
    directory.writeUInt32BE(checksum(padded), 16 + 16 * index);
    directory.writeUInt32BE(at, 20 + 16 * index);
    directory.writeUInt32BE(bytes.length, 24 + 16 * index);
    parts.push(padded);
    at += padded.length;
  }
  const whole = Buffer.concat(parts);
  const head = directory.readUInt32BE(20 + 16 * tags.indexOf('head'));
  whole.writeUInt32BE((0xb1b0afba - checksum(whole)) >>> 0, head + 8);
  return whole;
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

/** Leaves the outlines of these glyphs, of what they are composed of, and of the one that stands for missing glyphs. */
export function subsetGlyphs(sfnt: Sfnt, glyphs: Iterable<number>): Uint8Array {
  const outlines = demandTable(sfnt, 'glyf', 0);
  const places = readPlaces(sfnt);
  const outlineOf = (glyph: number) =>
    outlines.subarray(places[glyph] ?? 0, Math.max(places[glyph + 1] ?? 0, places[glyph] ?? 0));
  const wanted = new Set([0, ...glyphs]);
  // What is added while the set is walked is visited, too.
  for (const glyph of wanted) for (const part of componentsOf(outlineOf(glyph))) wanted.add(part);
  const loca = Buffer.alloc(4 * places.length);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (let glyph = 0; glyph + 1 < places.length; glyph += 1) {
    loca.writeUInt32BE(at, 4 * glyph);
    if (!wanted.has(glyph)) continue;
    const outline = outlineOf(glyph);
    const padding = -outline.length & 3;
    parts.push(outline, Buffer.alloc(padding));
    at += outline.length + padding;
  }
  loca.writeUInt32BE(at, loca.length - 4);
  const head = Buffer.from(demandTable(sfnt, 'head', 54));
  head.writeUInt32BE(0, 8);
  head.writeInt16BE(1, 50);
  const post = Buffer.alloc(32);
  post.writeUInt32BE(0x00030000, 0);
  const tables = new Map<string, Uint8Array>([
    ...kept.flatMap((tag): [string, Uint8Array][] => {
      const bytes = sfnt.table(tag);
      return bytes ? [[tag, bytes]] : [];
    }),
    ['glyf', Buffer.concat(parts)],
    ['head', head],
    ['loca', loca],
    ['post', post],
  ]);
  return writeSfnt(tables);
}

/** The six letters before the name of a subset (ISO 32000-1, 9.6.4): other ones for other glyphs. */
export function subsetTag(glyphs: Iterable<number>): string {
  const hash = createHash('sha256')
    .update([...new Set(glyphs)].sort((a, b) => a - b).join(' '))
    .digest();
  return [...hash.subarray(0, 6)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('');
}
