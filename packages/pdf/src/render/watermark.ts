/** Words that are drawn into the picture of a page, so that they are part of its pixels. */
import { watermarkLayout } from '@pdf2press/contract';
import type * as Mupdf from 'mupdf';
import { guarded } from '../open/engine.ts';
import { mupdf } from '../open/mupdf.ts';
import type { Raster } from './preview.ts';

/** Built-in fonts of MuPDF, tried in this order for each character: every machine draws the same. */
const fontNames = ['Helvetica-Bold', 'zh-Hans'];
/** Least height of the letters, pixels. */
const leastLetter = 9;
const { letterPart, gap, rowStep } = watermarkLayout;
const angle = (watermarkLayout.degrees * Math.PI) / 180;
/** Dark letters with a light edge are read on dark and on light pages alike. */
const look = { letters: [0.25, 0.25, 0.25], edge: [1, 1, 1], lettersAlpha: 0.26, edgeAlpha: 0.3 } as const;

interface Glyph {
  font: Mupdf.Font;
  id: number;
  code: number;
  advance: number;
}

type Size = Pick<Raster, 'width' | 'height'>;

/** Draws the same words into many pictures; the drawing is made once for each size. */
export interface Watermark {
  /** Changes the pixels of an RGB raster. */
  drawInto(raster: Raster): void;
  close(): void;
}

/**
 * Words that cover a picture in slanting rows, from edge to edge, so that no part of the page is without them.
 * @param words one line; without letters nothing is drawn
 */
export function createWatermark(words: string): Watermark {
  const fonts = fontNames.map((name) => new (mupdf().Font)(name));
  const glyphs = [...words.trim()].map((character) => glyphOf(fonts, character.codePointAt(0) ?? 0x20));
  let made: { size: Size; pixels: Uint8Array } | null = null;
  return {
    drawInto(raster) {
      if (glyphs.length === 0) return;
      if (made?.size.width !== raster.width || made.size.height !== raster.height)
        made = { size: { width: raster.width, height: raster.height }, pixels: guarded(() => drawn(glyphs, raster)) };
      blend(raster.pixels, made.pixels);
    },
    close() {
      for (const font of fonts) font.destroy();
    },
  };
}

/** A character that no font has is drawn as a question mark. */
function glyphOf(fonts: readonly Mupdf.Font[], code: number): Glyph {
  for (const font of fonts) {
    const id = font.encodeCharacter(code);
    if (id > 0) return { font, id, code, advance: font.advanceGlyph(id) };
  }
  const [font] = fonts as [Mupdf.Font];
  const id = font.encodeCharacter(0x3f);
  return { font, id, code: 0x3f, advance: font.advanceGlyph(id) };
}

/** The words in rows on a transparent ground: red, green and blue multiplied with the opacity, and the opacity. */
function drawn(glyphs: readonly Glyph[], { width, height }: Size): Uint8Array {
  const letter = Math.max(leastLetter, Math.max(width, height) * letterPart);
  const { ColorSpace, DrawDevice, Matrix, Pixmap, StrokeState, Text } = mupdf();
  const text = new Text();
  layOut(text, glyphs, { width, height, letter });
  const stroke = new StrokeState({ lineWidth: letter / 14, lineCap: 'Butt', lineJoin: 'Round', miterLimit: 10 });
  const pixmap = new Pixmap(ColorSpace.DeviceRGB, [0, 0, width, height], true);
  const device = new DrawDevice(Matrix.identity, pixmap);
  const { identity } = Matrix;
  const space = ColorSpace.DeviceRGB;
  try {
    pixmap.clear();
    device.strokeText(text, stroke, identity, space, [...look.edge], look.edgeAlpha);
    device.fillText(text, identity, space, [...look.letters], look.lettersAlpha);
    device.close();
    const [row, stride, source] = [width * 4, pixmap.getStride(), pixmap.getPixels()];
    const pixels = new Uint8Array(row * height);
    for (let y = 0; y < height; y += 1) pixels.set(source.subarray(y * stride, y * stride + row), y * row);
    return pixels;
  } finally {
    for (const object of [device, pixmap, stroke, text]) object.destroy();
  }
}

/** Rows through the middle of the picture and beside it, as far as its corners; every second one is moved. */
function layOut(
  text: Mupdf.Text,
  glyphs: readonly Glyph[],
  { width, height, letter }: Size & { letter: number },
): void {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const length = glyphs.reduce((sum, { advance }) => sum + advance, 0) * letter;
  const [step, reach] = [length + gap * letter, Math.hypot(width, height) / 2];
  const rows = Math.ceil(reach / (rowStep * letter));
  const columns = Math.ceil(reach / step) + 1;
  for (let row = -rows; row <= rows; row += 1)
    for (let column = -columns; column <= columns; column += 1) {
      // Along the row and across it, from the middle of the picture.
      let along = (column + (row % 2 === 0 ? 0 : 0.5)) * step - length / 2;
      const across = row * rowStep * letter;
      for (const { font, id, code, advance } of glyphs) {
        const x = width / 2 + along * cos + across * sin;
        const y = height / 2 - along * sin + across * cos;
        const isNear = x > -letter && y > -letter && x < width + letter && y < height + letter;
        if (isNear) text.showGlyph(font, [letter * cos, -letter * sin, -letter * sin, -letter * cos, x, y], id, code);
        along += advance * letter;
      }
    }
}

function blend(target: Uint8Array, words: Uint8Array): void {
  for (let from = 0, to = 0; from < words.length; from += 4, to += 3) {
    const alpha = words[from + 3] as number;
    if (alpha === 0) continue;
    for (let channel = 0; channel < 3; channel += 1)
      target[to + channel] =
        (words[from + channel] as number) + ((target[to + channel] as number) * (255 - alpha) + 127) / 255;
  }
}
