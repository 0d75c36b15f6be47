import * as mupdf from 'mupdf';
import { numberText } from '../write/value-text.ts';

/** A glyph as path operators in a 1-unit em, y upwards, and how far the next one is. */
export interface Glyph {
  path: string;
  advance: number;
}

/** Fonts asked in turn for a character: the engine's own, so that nothing depends on the machine. */
const fontNames = ['Helvetica', 'zh-Hans'];

/** Text as filled paths. Marks carry no font, so that a file has exactly the fonts of its pages. */
export interface GlyphOutlines {
  glyph: (character: string) => Glyph;
  /** Operators that fill `text` with its baseline starting at the origin, in ems, and its width in ems. */
  text: (text: string) => { operators: string; width: number };
}

export function createGlyphOutlines(): GlyphOutlines {
  const fonts = new Map<string, mupdf.Font>();
  const glyphs = new Map<string, Glyph>();
  /** Outlines as the engine writes them, by character, until a glyph is asked for. */
  const learnt = new Map<string, { path: string; advance: number }>();
  const fontOf = (name: string): mupdf.Font => {
    const font = fonts.get(name) ?? new mupdf.Font(name);
    fonts.set(name, font);
    return font;
  };
  const learn = (characters: string, font: mupdf.Font): void => {
    const paths = outlines(font, characters);
    for (const character of characters) {
      const id = font.encodeCharacter(character.codePointAt(0) ?? 0);
      learnt.set(character, { path: paths.get(id) ?? '', advance: font.advanceGlyph(id) });
    }
  };
  const glyph = (character: string): Glyph => {
    const known = glyphs.get(character);
    if (known) return known;
    const outline = learnt.get(character);
    if (outline) {
      const made = { path: operatorsOf(outline.path), advance: outline.advance };
      glyphs.set(character, made);
      return made;
    }
    const code = character.codePointAt(0) ?? 0;
    const name = fontNames.find((candidate) => fontOf(candidate).encodeCharacter(code) > 0);
    // All of ASCII at once: a page of one character each would cost as much as a page of all.
    if (name) learn(ascii.includes(character) ? ascii : character, fontOf(name));
    else glyphs.set(character, character === '?' ? { path: '', advance: 0.3 } : glyph('?'));
    return glyph(character);
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

const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');

/** The engine gives outlines only through its SVG device: a path per glyph, in ems, y upwards, named by its number. */
function outlines(font: mupdf.Font, characters: string): Map<number, string> {
  const buffer = new mupdf.Buffer();
  const writer = new mupdf.DocumentWriter(buffer, 'svg', 'text=path');
  const device = writer.beginPage([0, 0, 100, 10]);
  const text = new mupdf.Text();
  text.showString(font, [1, 0, 0, 1, 0, 0], characters);
  device.fillText(text, [1, 0, 0, 1, 0, 0], mupdf.ColorSpace.DeviceRGB, [0, 0, 0], 1);
  device.close();
  writer.endPage();
  writer.close();
  const svg = buffer.asString();
  for (const object of [text, device, writer, buffer]) object.destroy();
  const paths = svg.matchAll(/<path id="font_\d+_(\d+)" d="([^"]*)"/g);
  return new Map([...paths].map(([, id, path]) => [Number(id), path ?? '']));
}

/** SVG path data (absolute M L H V C Z, as the engine writes it) as PDF operators. */
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
