/** Fonts that a simple font of a file can be embedded as: of the house, in place of a standard font, or symbols. */
import { type FontProgram, type SymbolFont, standInOf } from '@pdf2press/pdf';
import type { Described } from './reason.ts';

/** What a code of a simple font shows. */
export interface Shown {
  code: number;
  char: string;
  /** The glyph name that the file's encoding gives it; '' for none. */
  name: string;
}

export interface SimpleFace {
  readonly name: string;
  readonly kind: 'TrueType' | 'Type1C';
  readonly metrics: Described['metrics'];
  readonly isSymbolic: boolean;
  /** Why no simple font can be embedded as this one. */
  readonly isUnfit: boolean;
  /** The glyph for a code, its advance and, where the font knows it by another one, its name; null when it is missing. */
  readonly find: (shown: Shown) => { glyph: number; advance: number; name?: string } | null;
  readonly embedded: (glyphs: number[]) => { bytes: Uint8Array; prefix: string };
}

export function faceOfLibrary(program: FontProgram): SimpleFace {
  const { facts, cff, metrics } = program;
  return {
    name: facts.postScriptName,
    kind: cff ? 'Type1C' : 'TrueType',
    metrics,
    isSymbolic: false,
    // Glyphs without names, or without a table that readers of simple fonts look into.
    isUnfit: cff ? cff.isCidKeyed : !program.hasWindowsUnicode,
    find({ char }) {
      const glyph = char === '' ? 0 : program.glyphOf(char);
      if (glyph === 0) return null;
      return { glyph, advance: program.advanceOf(glyph), ...(cff && { name: cff.nameOf(glyph) }) };
    },
    embedded: (glyphs) => program.embedded(glyphs),
  };
}

/** A free font of the metrics of a standard font; null for another name. */
export function faceOfStandIn(baseName: string): SimpleFace | null {
  const standIn = standInOf(baseName);
  return (
    standIn && {
      ...standIn,
      isSymbolic: false,
      isUnfit: false,
      find({ char }) {
        const advance = char === '' ? null : standIn.advanceOf(char);
        return advance === null ? null : { glyph: 0, advance };
      },
      embedded: () => ({ bytes: standIn.program, prefix: '' }),
    }
  );
}

/** Symbols are found by the names of the file's encoding, else by those of the standard font. */
export function faceOfSymbols({ name, program, metrics, cff, nameOf, advanceOf }: SymbolFont): SimpleFace {
  const byName = new Map(Array.from({ length: cff.glyphCount }, (_, glyph) => [cff.nameOf(glyph), glyph]));
  return {
    name,
    kind: 'Type1C',
    metrics,
    isSymbolic: true,
    isUnfit: false,
    find(shown) {
      const glyph = byName.get(shown.name || nameOf(shown.code)) ?? 0;
      return glyph === 0 ? null : { glyph, advance: advanceOf(glyph), name: cff.nameOf(glyph) };
    },
    embedded: () => ({ bytes: program, prefix: '' }),
  };
}
