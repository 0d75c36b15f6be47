import type { Ink, Shape } from '@pdf2press/contract';
import { numberText } from '../write/value-text.ts';
import type { GlyphOutlines } from './glyph-outlines.ts';
import { rotationMatrix } from './page-space.ts';

/** Collects the spot colours that marks ask for; gives each a resource name. */
export interface InkTable {
  nameOf: (ink: Extract<Ink, { all: number } | { spot: string }>) => string;
}

export const num = (value: number): string => numberText(Number(value.toFixed(4)));
const nums = (...values: number[]): string => values.map(num).join(' ');

function setInk(ink: Ink, inks: InkTable, isStroke: boolean): string {
  if ('cmyk' in ink) return `${nums(...ink.cmyk)} ${isStroke ? 'K' : 'k'}`;
  const tint = 'all' in ink ? ink.all : ink.tint;
  return `/${inks.nameOf(ink)} ${isStroke ? 'CS' : 'cs'} ${num(tint)} ${isStroke ? 'SCN' : 'scn'}`;
}

type Drawer<T extends Shape['type']> = (shape: Extract<Shape, { type: T }>, inks: InkTable, glyphs: GlyphOutlines) => string;

const stroke = (style: NonNullable<Extract<Shape, { type: 'line' }>['stroke']>, inks: InkTable): string =>
  `${setInk(style.ink, inks, true)} ${num(style.width)} w [${nums(...(style.dash ?? []))}] 0 d `;

const paint = (shape: Extract<Shape, { type: 'path' | 'circle' }>, inks: InkTable, path: string): string => {
  const style = (shape.stroke ? stroke(shape.stroke, inks) : '') + (shape.fill ? `${setInk(shape.fill, inks, false)} ` : '');
  return `${style}${path} ${shape.stroke && shape.fill ? 'B' : shape.fill ? 'f' : 'S'}`;
};

const letters = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const;
/** Bézier circle: error below 0.03 % of the radius. */
const kappa = 0.5523;

const drawers: { [T in Shape['type']]: Drawer<T> } = {
  line: (line, inks) => `${stroke(line.stroke, inks)}${nums(line.x1, line.y1)} m ${nums(line.x2, line.y2)} l S`,
  rect: (rect, inks) => `${setInk(rect.fill, inks, false)} ${nums(rect.x, rect.y, rect.width, rect.height)} re f`,
  circle: (circle, inks) => {
    const { x, y, radius: r } = circle;
    const k = r * kappa;
    return paint(
      circle,
      inks,
      `${nums(x + r, y)} m ${nums(x + r, y + k, x + k, y + r, x, y + r)} c ${nums(x - k, y + r, x - r, y + k, x - r, y)} c ` +
        `${nums(x - r, y - k, x - k, y - r, x, y - r)} c ${nums(x + k, y - r, x + r, y - k, x + r, y)} c h`,
    );
  },
  path: (path, inks) => paint(path, inks, path.segments.map(([letter, n]) => `${nums(...n)} ${letters[letter]}`.trim()).join(' ')),
  text: (text, inks, glyphs) => {
    const [a, b, c, d] = rotationMatrix(text.rotation);
    const { size } = text;
    return `q ${setInk(text.ink, inks, false)} ${nums(a * size, b * size, c * size, d * size, text.x, text.y)} cm\n${glyphs.text(text.text).operators}Q`;
  },
  // Drawn by whoever knows symbologies before the plan comes here; the place alone is no mark.
  barcode: () => '',
};

/** Content stream operators for shapes, in sheet space. */
export function shapeContent(shapes: readonly Shape[], inks: InkTable, glyphs: GlyphOutlines): string {
  return shapes
    .map((shape) => (drawers[shape.type] as Drawer<Shape['type']>)(shape as never, inks, glyphs))
    .join('\n');
}
