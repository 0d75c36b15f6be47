import type { Font } from 'mupdf';
import { mupdf } from '../open/mupdf.ts';
import { numberText } from '../write/value-text.ts';
import latin from './latin-glyphs.json' with { type: 'json' };

/** A glyph: path operators for an em of 1 unit with y upwards, and its advance in ems. */
export interface Glyph {
  path: string;
  advance: number;
}

/**
 * Fonts in the order in which they are tried for a character. They are built into MuPDF, so the result does not depend
 * on the machine.
 */
const fontNames = ['Helvetica', 'zh-Hans'];

/** Draws text as filled paths. Marks use no fonts, so that an imposed file has exactly the fonts of its pages. */
export interface GlyphOutlines {
  glyph: (character: string) => Glyph;
  /** Operators that fill `text` with its baseline starting at the origin, and its width; both in ems. */
  text: (text: string) => { operators: string; width: number };
}

/**
 * The ASCII glyphs of Helvetica as MuPDF draws them. Nearly all marks consist of these, and loading MuPDF for the first
 * glyph takes as long as imposing some hundred pages. A test compares the table with MuPDF. JSON
 * modules have no tuples, hence the cast.
 */
const known = latin as unknown as Readonly<Record<string, readonly [advance: number, path: string]>>;

/** Creates a source of glyph outlines with a cache. */
export function createGlyphOutlines(): GlyphOutlines {
  const fonts = new Map<string, Font>();
  const glyphs = new Map<string, Glyph>();
  const fontOf = (name: string): Font => {
    const font = fonts.get(name) ?? new (mupdf().Font)(name);
    fonts.set(name, font);
    return font;
  };
  const find = (character: string): Glyph => {
    if (Object.hasOwn(known, character)) {
      const [advance, path] = known[character] ?? [0, ''];
      return { path, advance };
    }
    const code = character.codePointAt(0) ?? 0;
    const name = fontNames.find((candidate) => fontOf(candidate).encodeCharacter(code) > 0);
    return name ? engineGlyph(fontOf(name), character) : glyph('?');
  };
  const glyph = (character: string): Glyph => {
    const found = glyphs.get(character) ?? find(character);
    glyphs.set(character, found);
    return found;
  };
  return {
    glyph,
    text(text) {
      let width = 0;
      let operators = '';
      for (const character of text) {
        const { path, advance } = glyph(character);
        if (path) operators += `q 1 0 0 1 ${numberText(Number(width.toFixed(4)))} 0 cm ${path} f Q\n`;
        width += advance;
      }
      return { operators, width };
    },
  };
}

/** The outline of a glyph from MuPDF, which provides outlines only through its SVG output. */
export function engineGlyph(font: Font, character: string): Glyph {
  const { Buffer, ColorSpace, DocumentWriter, Text } = mupdf();
  const buffer = new Buffer();
  const writer = new DocumentWriter(buffer, 'svg', 'text=path');
  const device = writer.beginPage([0, 0, 100, 10]);
  const text = new Text();
  text.showString(font, [1, 0, 0, 1, 0, 0], character);
  device.fillText(text, [1, 0, 0, 1, 0, 0], ColorSpace.DeviceRGB, [0, 0, 0], 1);
  device.close();
  writer.endPage();
  writer.close();
  const svg = buffer.asString();
  for (const object of [text, device, writer, buffer]) object.destroy();
  const [, path = ''] = /<path id="font_\d+_\d+" d="([^"]*)"/.exec(svg) ?? [];
  return { path: operatorsOf(path), advance: font.advanceGlyph(font.encodeCharacter(character.codePointAt(0) ?? 0)) };
}

/** Converts SVG path data (absolute M L H V C Z, which MuPDF writes) to PDF path operators. */
function operatorsOf(path: string): string {
  const operators: string[] = [];
  let [x, y] = ['0', '0'];
  for (const [, letter = '', numbers = ''] of path.matchAll(/([MLHVCZ])([^MLHVCZ]*)/g)) {
    const n = (numbers.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/g) ?? []).map((value) =>
      numberText(Number(Number(value).toFixed(4))),
    );
    const width = letter === 'C' ? 6 : letter === 'H' || letter === 'V' ? 1 : 2;
    if (letter === 'Z') operators.push('h');
    for (let i = 0; i + width <= n.length && letter !== 'Z'; i += width) {
      const step = n.slice(i, i + width);
      x = letter === 'V' ? x : (step[width === 1 ? 0 : width - 2] ?? x);
      y = letter === 'H' ? y : (step[width - 1] ?? y);
      if (letter === 'C') operators.push(`${step.join(' ')} c`);
      else operators.push(`${x} ${y} ${letter === 'M' && i === 0 ? 'm' : 'l'}`);
    }
  }
  return operators.join(' ');
}
