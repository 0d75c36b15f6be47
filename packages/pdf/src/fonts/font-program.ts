/** A font of the house, opened to be embedded in a PDF. */
import { readFileSync } from 'node:fs';
import type { FontFileFacts } from '@pdf2press/contract';
import type { Rect } from '../interpret/types.ts';
import { type CffFont, readCff } from './cff.ts';
import { readCharacterMap } from './character-map.ts';
import { factsOfFont } from './font-facts.ts';
import { demandTable, openSfnt, type Sfnt, sourceOf, unreadable, viewOf } from './sfnt.ts';
import { subsetCff } from './subset-cff.ts';
import { subsetGlyphs, subsetTag } from './subset-glyphs.ts';

export interface FontProgram {
  readonly facts: FontFileFacts;
  /** The glyph of a text, which is a character or the letters of a ligature; 0 when there is none. */
  readonly glyphOf: (text: string) => number;
  /** Thousandths of an em. */
  readonly advanceOf: (glyph: number) => number;
  readonly glyphCount: number;
  /** Of a font with PostScript outlines; null otherwise. */
  readonly cff: CffFont | null;
  readonly hasWindowsUnicode: boolean;
  readonly metrics: ProgramMetrics;
  /** What is embedded for these glyphs: only them where the licence allows it, else all. */
  readonly embedded: (glyphs: Iterable<number>) => EmbeddedProgram;
}

export interface EmbeddedProgram {
  readonly bytes: Uint8Array;
  /** Before the name of the font: `ABCDEF+`; '' for a whole font. */
  readonly prefix: string;
}

export interface ProgramMetrics {
  bbox: Rect;
  ascent: number;
  descent: number;
  capHeight: number;
  stemV: number;
  italicAngle: number;
  isFixedPitch: boolean;
}

/** Characters of ligatures, for text that tells their letters. */
const ligatures: Readonly<Record<string, number>> = { ff: 0xfb00, fi: 0xfb01, fl: 0xfb02, ffi: 0xfb03, ffl: 0xfb04 };

/** A character that looks as another one, where a font has only that. */
const alike: Readonly<Record<number, number>> = {
  160: 32,
  173: 45,
  8486: 0x3a9,
  937: 0x2126,
  8710: 0x394,
  916: 0x2206,
  181: 0x3bc,
  956: 0xb5,
};

/** @throws FileFaultError FONT_UNREADABLE */
export function openFontProgram(path: string): FontProgram {
  try {
    return programOf(openSfnt(sourceOf(readFileSync(path))));
  } catch (error) {
    if (error instanceof RangeError) throw unreadable('tables', error);
    throw error;
  }
}

function programOf(sfnt: Sfnt): FontProgram {
  const facts = factsOfFont(sfnt);
  const map = readCharacterMap(demandTable(sfnt, 'cmap', 4));
  const perEm = 1000 / (viewOf(demandTable(sfnt, 'head', 54)).getUint16(18) || 1000);
  const cff = sfnt.kind === 'OpenType' ? readCff(demandTable(sfnt, 'CFF ', 4)) : null;
  return {
    facts,
    cff,
    glyphCount: facts.glyphCount,
    hasWindowsUnicode: map.hasWindowsUnicode,
    advanceOf: advancesOf(sfnt, perEm),
    metrics: metricsOf(sfnt, perEm, facts),
    glyphOf(text) {
      const [first = ''] = text;
      const character = text.length === first.length ? (text.codePointAt(0) ?? 0) : (ligatures[text] ?? 0);
      return map.glyphOf(character) || map.glyphOf(alike[character] ?? character);
    },
    embedded(glyphs) {
      // PostScript outlines are embedded without the tables of the font file around them.
      const outlines = sfnt.kind === 'OpenType' ? demandTable(sfnt, 'CFF ', 4) : null;
      if (facts.isSubsettingForbidden) return { bytes: outlines ?? sfnt.whole(), prefix: '' };
      const wanted = [...glyphs];
      const bytes = outlines ? subsetCff(outlines, wanted) : subsetGlyphs(sfnt, wanted);
      return { bytes, prefix: `${subsetTag(wanted)}+` };
    },
  };
}

function advancesOf(sfnt: Sfnt, perEm: number): (glyph: number) => number {
  const view = viewOf(demandTable(sfnt, 'hmtx', 4));
  const count = Math.min(viewOf(demandTable(sfnt, 'hhea', 36)).getUint16(34), Math.floor(view.byteLength / 4));
  // Glyphs after the last have its advance.
  return (glyph) => (count === 0 ? 0 : view.getUint16(4 * Math.min(glyph, count - 1)) * perEm);
}

/** Weight class 400 has stems of some 80 thousandths, 700 of some 140; the descriptor only guides substitutes. */
const stemOf = (weight: number): number => Math.round(80 + (weight - 400) / 5);

function metricsOf(sfnt: Sfnt, perEm: number, { style }: FontFileFacts): ProgramMetrics {
  const head = viewOf(demandTable(sfnt, 'head', 54));
  const hhea = viewOf(demandTable(sfnt, 'hhea', 36));
  const os2 = sfnt.table('OS/2');
  const post = sfnt.table('post');
  const scaled = (value: number): number => Math.round(value * perEm);
  const ascent = scaled(hhea.getInt16(4));
  const hasHeights = os2 !== null && os2.length >= 90;
  return {
    bbox: [36, 38, 40, 42].map((at) => scaled(head.getInt16(at))) as unknown as Rect,
    ascent,
    descent: scaled(hhea.getInt16(6)),
    capHeight: hasHeights ? scaled(viewOf(os2).getInt16(88)) : Math.round(ascent * 0.8),
    stemV: stemOf(os2 && os2.length >= 6 ? viewOf(os2).getUint16(4) : /bold/i.test(style) ? 700 : 400),
    italicAngle: post && post.length >= 8 ? viewOf(post).getInt32(4) / 65536 : 0,
    isFixedPitch: post !== null && post.length >= 16 && viewOf(post).getUint32(12) !== 0,
  };
}
