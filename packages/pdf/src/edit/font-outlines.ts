/**
 * Outlines of the glyphs of a PDF font by character code, as MuPDF draws them, including encodings and substitute
 * fonts.
 */
import { withCodesOnPage } from '../interpret/codes-on-page.ts';
import type { Matrix } from '../interpret/types.ts';
import { tolerant } from '../open/engine.ts';
import { mupdf } from '../open/mupdf.ts';
import type { PdfFile } from '../open/pdf-file.ts';

/** A path segment with absolute coordinates. */
export type OutlineSegment =
  | readonly ['M' | 'L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

/** Number of codes drawn at a time. */
const codesAtOnce = 512;
/** Distance between the glyphs drawn at a time, in ems; larger than any glyph. */
const spread = 64;

/**
 * Outlines of codes in text space at font size 1: y up, the origin where the glyph is shown, vertical displacement
 * included. A code without outline (a space) has an empty list.
 * @param codes codes as hexadecimal bytes, as in a string
 */
export function fontOutlines(
  file: PdfFile,
  fontObject: number,
  codes: readonly string[],
): Map<string, OutlineSegment[]> {
  const outlines = new Map<string, OutlineSegment[]>();
  for (let from = 0; from < codes.length; from += codesAtOnce) {
    const some = codes.slice(from, from + codesAtOnce);
    const svg = tolerant(() => drawCodes(file, fontObject, some), '');
    for (const code of some) outlines.set(code, []);
    readUses(svg, (index, segments) => {
      const code = some[index];
      if (code !== undefined) outlines.get(code)?.push(...segments);
    });
  }
  return outlines;
}

/** Draws each code once and writes the page as SVG with shared paths. */
const drawCodes = (file: PdfFile, fontObject: number, codes: readonly string[]): string =>
  withCodesOnPage(file, { fontObject, codes, spread }, (page) => {
    const engine = mupdf();
    const buffer = new engine.Buffer();
    const writer = new engine.DocumentWriter(buffer, 'svg', 'text=path');
    try {
      const device = writer.beginPage([0, 0, codes.length * spread, 2 * spread]);
      // MuPDF flips y for its page space; this is undone.
      page.run(device, engine.Matrix.invert(page.getTransform()));
      device.close();
      device.destroy();
      writer.endPage();
      writer.close();
      return buffer.asString();
    } finally {
      writer.destroy();
      buffer.destroy();
    }
  });

const attribute = (tag: string, name: string): string => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/**
 * Calls `take` for every glyph in the SVG, with the number of its place on the page and its outline from there. The place
 * is taken away before anything is added to it: the outline of a code is the same, to the last digit, wherever it stands.
 */
function readUses(svg: string, take: (index: number, segments: OutlineSegment[]) => void): void {
  const shapes = new Map<string, OutlineSegment[]>();
  for (const [tag] of svg.matchAll(/<path[^>]*\bid="[^"]*"[^>]*>/g))
    shapes.set(attribute(tag, '\\bid'), readPath(attribute(tag, '\\bd')));
  for (const [tag] of svg.matchAll(/<use[^>]*>/g)) {
    const shape = shapes.get(attribute(tag, '(?:xlink:)?href').replace('#', ''));
    const numbers = (attribute(tag, 'transform').match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/g) ?? []).map(Number);
    const [x, y] = [Number(attribute(tag, '\\bx')) || 0, Number(attribute(tag, '\\by')) || 0];
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers;
    const across = e + a * x + c * y;
    const index = Math.round(across / spread);
    const matrix: Matrix = [a, b, c, d, across - index * spread, f + b * x + d * y];
    if (shape)
      take(
        index,
        shape.map((segment) => transformed(segment, matrix)),
      );
  }
}

function transformed(segment: OutlineSegment, [a, b, c, d, e, f]: Matrix): OutlineSegment {
  const [letter, ...n] = segment;
  const moved: number[] = [];
  for (let at = 0; at + 1 < n.length; at += 2)
    moved.push(a * (n[at] ?? 0) + c * (n[at + 1] ?? 0) + e, b * (n[at] ?? 0) + d * (n[at + 1] ?? 0) + f);
  // As many coordinates as before, which TypeScript cannot count.
  return [letter, ...moved] as unknown as OutlineSegment;
}

/** Parses SVG path data (absolute M L H V C Z, which MuPDF writes). */
function readPath(data: string): OutlineSegment[] {
  const segments: OutlineSegment[] = [];
  let [x, y] = [0, 0];
  for (const [, letter = '', text = ''] of data.matchAll(/([MLHVCZ])([^MLHVCZ]*)/gi)) {
    const n = (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/g) ?? []).map(Number);
    const kind = letter.toUpperCase();
    if (kind === 'Z') segments.push(['Z']);
    const width = kind === 'C' ? 6 : kind === 'H' || kind === 'V' ? 1 : 2;
    for (let at = 0; at + width <= n.length && kind !== 'Z'; at += width) {
      const step = n.slice(at, at + width);
      if (kind === 'C') {
        segments.push(['C', step[0] ?? 0, step[1] ?? 0, step[2] ?? 0, step[3] ?? 0, step[4] ?? 0, step[5] ?? 0]);
        [x, y] = [step[4] ?? 0, step[5] ?? 0];
      } else {
        if (kind === 'H') x = step[0] ?? 0;
        else if (kind === 'V') y = step[0] ?? 0;
        else [x, y] = [step[0] ?? 0, step[1] ?? 0];
        segments.push([kind === 'M' && at === 0 ? 'M' : 'L', x, y]);
      }
    }
  }
  return segments;
}
