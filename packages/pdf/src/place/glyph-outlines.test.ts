import * as mupdf from 'mupdf';
import { expect, test } from 'vitest';
import { createGlyphOutlines, engineGlyph } from './glyph-outlines.ts';

test('the table of ASCII glyphs is equal to what MuPDF draws', () => {
  const font = new mupdf.Font('Helvetica');
  const { glyph } = createGlyphOutlines();
  for (const character of Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))) {
    const { path, advance } = engineGlyph(font, character);
    expect(glyph(character)).toEqual({ path, advance: expect.closeTo(advance, 4) });
  }
});

test('other scripts use fonts of MuPDF; a character that no font has becomes a question mark', () => {
  const { glyph } = createGlyphOutlines();
  for (const character of ['é', 'ß', '印', '’']) expect(glyph(character).path).toMatch(/ m .* h$/);
  expect(glyph('\u{10ffff}')).toEqual(glyph('?'));
});
