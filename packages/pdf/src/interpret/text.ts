import type { PdfArray } from '../open/values.ts';
import { decodeText, type LoadedFont } from './fonts.ts';
import { multiply, quadBounds, transformQuad, transformRect, union } from './matrix.ts';
import type { Glyph, GraphicsState, Matrix, Rect, TextEvent } from './types.ts';
import { eventBase, type Walk } from './walk.ts';

/** Extent of shown text in text space. */
interface Extent {
  /** Position after the last glyph: x, or y in vertical writing. */
  end: number;
  low: number;
  high: number;
  count: number;
}

/** Strings and position adjustments as in the TJ operator. */
export type ShowItems = readonly (Uint8Array | number)[];

/** The strings and numbers of a TJ array; other entries are ignored. */
export function itemsOf(array: PdfArray): ShowItems {
  const items: (Uint8Array | number)[] = [];
  for (const entry of array) {
    if (typeof entry === 'number') items.push(entry);
    else if (typeof entry === 'object' && entry !== null && 'kind' in entry && entry.kind === 'string')
      items.push(entry.bytes);
  }
  return items;
}

/** Text space per unit of the widths of a simple font. */
const unitOf = ({ facts }: LoadedFont): number => (facts.type === 'Type3' ? facts.fontMatrix[0] : 0.001);

/** Advance of one code for font size 1 by the font's widths alone. */
const declaredAdvance = (font: LoadedFont, code: number, cid: number): number =>
  font.simpleWidths ? (font.simpleWidths[code] as number) * unitOf(font) : font.cidAdvance(cid) * 0.001;

/** Advance of one code of a composite font in text space, including spacing (ISO 32000-1, 9.4.4). */
function advanceOf(font: LoadedFont, state: GraphicsState, code: number, length: number, cid: number): number {
  const { size, charSpacing, wordSpacing, scaling } = state.text;
  const space = length === 1 && code === 32 ? charSpacing + wordSpacing : charSpacing;
  const advance = font.cidAdvance(cid) * 0.001 * size;
  return font.facts.isVertical ? advance - space : (advance + space) * scaling;
}

/** Advances over all items; calls `visit` for each glyph with the position before it. */
function advance(
  font: LoadedFont,
  state: GraphicsState,
  items: ShowItems,
  visit: ((pen: number, code: number, length: number, cid: number, offset: number, step: number) => void) | null,
): Extent {
  const { size, scaling } = state.text;
  const isVertical = font.facts.isVertical;
  let pen = 0;
  let low = 0;
  let high = 0;
  let count = 0;
  let offset = 0;
  for (const item of items) {
    if (typeof item === 'number') {
      pen -= item * 0.001 * size * (isVertical ? 1 : scaling);
      continue;
    }
    if (font.simpleWidths) {
      // Fast paths for the most frequent case, a simple font: without and with a look at the single glyphs.
      const widths = font.simpleWidths;
      const unit = unitOf(font);
      const { charSpacing, wordSpacing } = state.text;
      if (visit) {
        for (let i = 0; i < item.length; i += 1) {
          const code = item[i] as number;
          const space = code === 32 ? charSpacing + wordSpacing : charSpacing;
          const step = ((widths[code] as number) * unit * size + space) * scaling;
          visit(pen, code, 1, code, offset + i, step);
          pen += step;
          if (pen < low) low = pen;
          else if (pen > high) high = pen;
        }
      } else {
        const [scaled, space, word] = [unit * size * scaling, charSpacing * scaling, wordSpacing * scaling];
        for (let i = 0; i < item.length; i += 1) {
          const code = item[i] as number;
          pen += (widths[code] as number) * scaled + space;
          if (code === 32) pen += word;
          if (pen < low) low = pen;
          else if (pen > high) high = pen;
        }
      }
      count += item.length;
      offset += item.length;
      continue;
    }
    decodeText(font, item, (code, length, cid) => {
      const step = advanceOf(font, state, code, length, cid);
      visit?.(pen, code, length, cid, offset, step);
      pen += step;
      offset += length;
      count += 1;
      if (pen < low) low = pen;
      else if (pen > high) high = pen;
    });
  }
  return { end: pen, low, high, count };
}

/** Box of the text between two positions, in text space. */
function stretch(font: LoadedFont, state: GraphicsState, low: number, high: number): Rect {
  const { size, rise, scaling } = state.text;
  if (font.facts.isVertical) {
    // Glyphs are centred horizontally on the origin.
    const half = 0.5 * size * scaling;
    return [-Math.abs(half), Math.min(low, high) + rise, Math.abs(half), Math.max(low, high) + rise];
  }
  const top = font.facts.ascent * 0.001 * size + rise;
  const bottom = font.facts.descent * 0.001 * size + rise;
  return [Math.min(low, high), Math.min(top, bottom), Math.max(low, high), Math.max(top, bottom)];
}

const paintsByMode = ['fill', 'stroke', 'both', 'none', 'fill', 'stroke', 'both', 'none'] as const;
/** What a text rendering mode paints (ISO 32000-1, table 106). */
export const textPaints = (mode: number): TextEvent['paints'] => paintsByMode[mode] ?? 'fill';

/**
 * Shows text: sends the event, executes Type 3 glyphs through `showGlyph`, advances the text matrix.
 * @returns the bounds of the text after a transformation of default user space; null where nobody asks for them
 */
export function showText(
  walk: Walk,
  items: ShowItems,
  showGlyph: ((walk: Walk, font: LoadedFont, code: number, matrix: Matrix) => void) | null,
): ((matrix: Matrix) => Rect) | null {
  const { font, state } = walk;
  if (!font) return null;
  const needsClip = state.text.mode >= 4;
  const isType3 = font.facts.type === 'Type3';
  const listens = walk.listeners.text.length > 0;
  const isTiled = state.fill.pattern !== null || state.stroke.pattern !== null;
  if (!listens && !needsClip && !isType3 && !isTiled) return null;
  const textMatrix = walk.textMatrix;
  const extent = advance(font, state, items, null);
  const toPage = multiply(textMatrix, state.ctm);
  const box = stretch(font, state, extent.low, extent.high);
  const bbox = transformRect(toPage, box);
  if (listens && extent.count > 0) {
    const event = textEvent(walk, font, items, toPage, bbox, extent.count);
    for (const listen of walk.listeners.text) listen(event);
  }
  if (needsClip) walk.textClip = walk.textClip ? union(walk.textClip, bbox) : bbox;
  if (isType3 && showGlyph && extent.count > 0) {
    const { size, scaling, rise } = state.text;
    advance(font, state, items, (pen, code) => {
      showGlyph(walk, font, code, multiply([size * scaling, 0, 0, size, pen, rise], toPage));
    });
  }
  walk.textMatrix = font.facts.isVertical
    ? multiply([1, 0, 0, 1, 0, extent.end], textMatrix)
    : [
        textMatrix[0],
        textMatrix[1],
        textMatrix[2],
        textMatrix[3],
        textMatrix[0] * extent.end + textMatrix[4],
        textMatrix[1] * extent.end + textMatrix[5],
      ];
  return (matrix) => transformRect(multiply(toPage, matrix), box);
}

function textEvent(
  walk: Walk,
  font: LoadedFont,
  items: ShowItems,
  toPage: Matrix,
  bbox: Rect,
  glyphCount: number,
): TextEvent {
  const base = eventBase(walk);
  const { state } = base;
  const { size, scaling, rise, mode } = state.text;
  let glyphs: readonly Glyph[] | null = null;
  let bytes: Uint8Array | null = null;
  return {
    kind: 'text',
    place: base.place,
    state,
    layers: base.layers,
    marks: base.marks,
    font: font.facts,
    effectiveSize: Math.abs(size) * Math.hypot(toPage[2], toPage[3]),
    matrix: multiply([size * scaling, 0, 0, size, 0, rise], toPage),
    glyphCount,
    get bytes() {
      bytes ??= joined(items);
      return bytes;
    },
    bbox,
    // Type 3 glyphs are painted in every mode except 3 (invisible), as PDF renderers do.
    paints: font.facts.type === 'Type3' && mode !== 3 ? 'fill' : textPaints(mode),
    glyphs() {
      glyphs ??= listGlyphs(font, state, items, toPage);
      return glyphs;
    },
    eachCode(visit) {
      advance(font, state, items, (pen, code, codeBytes) => {
        const [x, y] = originOf(font, state, pen);
        visit(code, codeBytes, toPage[0] * x + toPage[2] * y + toPage[4], toPage[1] * x + toPage[3] * y + toPage[5]);
      });
    },
    eachBox(visit, within = everywhere) {
      const [a, b, c, d, e, f] = toPage;
      if (!font.facts.isVertical && b === 0 && c === 0 && a > 0 && d > 0) {
        // Upright text, the most frequent case: all glyphs of it are as tall.
        const [, low, , high] = stretch(font, state, 0, 0);
        const [y0, y1] = [d * low + f, d * high + f];
        const y = d * rise + f;
        if (y1 < within[1] || y0 > within[3]) return;
        const [left, , right] = within;
        advance(font, state, items, (pen, code, codeBytes, _cid, _offset, step) => {
          const x = a * pen + e;
          const end = a * (pen + step) + e;
          // Nearly all glyphs of a line end here, so nothing is called for them.
          if (x < end ? end < left || x > right : x < left || end > right) return;
          visit(code, Math.min(x, end), y0, Math.max(x, end), y1, codeBytes, x, y);
        });
        return;
      }
      advance(font, state, items, (pen, code, codeBytes, _cid, _offset, step) => {
        const box = transformRect(toPage, stretch(font, state, pen, pen + step));
        if (box[2] < within[0] || box[0] > within[2] || box[3] < within[1] || box[1] > within[3]) return;
        const [x, y] = originOf(font, state, pen);
        visit(code, box[0], box[1], box[2], box[3], codeBytes, a * x + c * y + e, b * x + d * y + f);
      });
    },
    unicodeOf: (code) => font.unicodeOf(code),
  };
}

const nothing = new Uint8Array(0);
const everywhere: Rect = [-Infinity, -Infinity, Infinity, Infinity];

function joined(items: ShowItems): Uint8Array {
  if (items.length === 1 && typeof items[0] === 'object') return items[0];
  let length = 0;
  for (const item of items) if (typeof item !== 'number') length += item.length;
  if (length === 0) return nothing;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const item of items) {
    if (typeof item === 'number') continue;
    bytes.set(item, at);
    at += item.length;
  }
  return bytes;
}

/** Origin of a glyph in text space. */
const originOf = (font: LoadedFont, { text: { rise } }: GraphicsState, pen: number): readonly [number, number] =>
  font.facts.isVertical ? [0, pen + rise] : [pen, rise];

function listGlyphs(font: LoadedFont, state: GraphicsState, items: ShowItems, toPage: Matrix): Glyph[] {
  const glyphs: Glyph[] = [];
  advance(font, state, items, (pen, code, codeBytes, cid, offset, step) => {
    const quad = transformQuad(toPage, stretch(font, state, pen, pen + step));
    const [originX, originY] = originOf(font, state, pen);
    glyphs.push({
      code,
      codeBytes,
      cid,
      unicode: font.unicodeOf(code),
      offset,
      advance: declaredAdvance(font, code, cid),
      x: toPage[0] * originX + toPage[2] * originY + toPage[4],
      y: toPage[1] * originX + toPage[3] * originY + toPage[5],
      quad,
      bbox: quadBounds(quad),
    });
  });
  return glyphs;
}
