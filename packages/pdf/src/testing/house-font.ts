/** Font files as a print house has them, made of the free fonts that pdf.js brings. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as mupdf from 'mupdf';
import { readCff } from '../fonts/cff.ts';
import { openSfnt, sourceOf } from '../fonts/sfnt.ts';
import { writeSfnt } from '../fonts/subset-glyphs.ts';
import { glyphUnicode } from '../interpret/glyph-names.ts';

export interface HouseFont {
  family: string;
  style?: string;
  postScriptName: string;
  /** What the licence allows: `fsType` of the table OS/2. */
  fsType?: number;
}

const standardFont = (file: string): Uint8Array => {
  const home = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return readFileSync(path.join(home, 'standard_fonts', file));
};

function words(...values: readonly number[]): Buffer {
  const data = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) data.writeUInt16BE(value & 0xffff, index * 2);
  return data;
}

/** The table `name`, in English for Windows. */
function namesOf({ family, style = 'Regular', postScriptName }: HouseFont): Buffer {
  const texts: [number, Buffer][] = (
    [
      [1, family],
      [2, style],
      [4, `${family} ${style}`],
      [6, postScriptName],
    ] as const
  ).map(([id, text]) => [id, Buffer.from(text, 'utf16le').swap16()]);
  let at = 0;
  const records = texts.map(([id, text]) => {
    const record = words(3, 1, 0x409, id, text.length, at);
    at += text.length;
    return record;
  });
  return Buffer.concat([words(0, texts.length, 6 + 12 * texts.length), ...records, ...texts.map(([, text]) => text)]);
}

const styled = (os2: Uint8Array, fsType: number): Buffer => {
  const table = Buffer.from(os2);
  table.writeUInt16BE(fsType, 8);
  return table;
};

/** A TrueType font with the letters of Liberation Sans. */
export function houseFont(font: HouseFont): Uint8Array {
  const sfnt = openSfnt(sourceOf(standardFont('LiberationSans-Regular.ttf')));
  const tables = new Map(sfnt.tags.map((tag) => [tag, sfnt.table(tag) ?? new Uint8Array()]));
  tables.set('name', namesOf(font));
  tables.set('OS/2', styled(tables.get('OS/2') ?? new Uint8Array(), font.fsType ?? 0));
  return writeSfnt(tables);
}

/** The table `cmap` with one group for each character. */
function characters(glyphs: ReadonlyMap<number, number>): Buffer {
  const groups = [...glyphs].sort(([a], [b]) => a - b);
  const table = Buffer.alloc(16 + 12 * groups.length);
  table.writeUInt16BE(12, 0);
  table.writeUInt32BE(table.length, 4);
  table.writeUInt32BE(groups.length, 12);
  for (const [index, [character, glyph]] of groups.entries()) {
    table.writeUInt32BE(character, 16 + 12 * index);
    table.writeUInt32BE(character, 20 + 12 * index);
    table.writeUInt32BE(glyph, 24 + 12 * index);
  }
  return Buffer.concat([words(0, 1, 3, 10, 0, 12), table]);
}

/** An OpenType font with the PostScript outlines of Foxit Serif. */
export function houseOpenTypeFont(font: HouseFont): Uint8Array {
  const program = standardFont('FoxitSerif.pfb');
  const cff = readCff(program);
  const engine = new mupdf.Font('FoxitSerif', program);
  const numbers = Array.from({ length: cff.glyphCount }, (_, glyph) => glyph);
  const glyphs = new Map<number, number>();
  for (const glyph of numbers.slice(1)) {
    const character = glyphUnicode(cff.nameOf(glyph)).codePointAt(0);
    if (character !== undefined) glyphs.set(character, glyph);
  }
  const sfnt = openSfnt(sourceOf(standardFont('LiberationSans-Regular.ttf')));
  const head = Buffer.from(sfnt.table('head') ?? []);
  head.writeUInt16BE(1000, 18);
  const hhea = Buffer.from(sfnt.table('hhea') ?? []);
  hhea.writeUInt16BE(cff.glyphCount, 34);
  return writeSfnt(
    new Map<string, Uint8Array>([
      ['CFF ', program],
      ['OS/2', styled(sfnt.table('OS/2') ?? new Uint8Array(), font.fsType ?? 0)],
      ['cmap', characters(glyphs)],
      ['head', head],
      ['hhea', hhea],
      ['hmtx', Buffer.concat(numbers.map((glyph) => words(Math.round(engine.advanceGlyph(glyph, 0) * 1000), 0)))],
      ['maxp', Buffer.concat([Buffer.from([0, 0, 0x50, 0]), words(cff.glyphCount)])],
      ['name', namesOf(font)],
      ['post', Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.alloc(28)])],
    ]),
    'OTTO',
  );
}
