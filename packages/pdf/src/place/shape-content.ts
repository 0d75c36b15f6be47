import type { Ink, Rect, Shape } from '@pdf2press/contract';
import { numberText } from '../write/value-text.ts';
import { concat, rotationMatrix } from './page-space.ts';

/** Gives resource names for the inks, glyphs and strips that marks use. */
export interface MarkResources {
  inkName: (ink: Extract<Ink, { all: number } | { spot: string }>) => string;
  /** The form of a glyph in an em of 1 unit, and its advance in ems. The name is '' for a glyph that shows nothing. */
  glyph: (character: string) => { name: string; advance: number };
  /** The form of the colour bar file, and the box of its page that is the bar; null when there is no such file. */
  strip: () => { name: string; box: Rect } | null;
}

/** A coordinate, rounded to a ten-thousandth of a point. */
export const num = (value: number): string => numberText(Math.round(value * 1e4) / 1e4);
const nums = (...values: number[]): string => values.map(num).join(' ');

function setInk(ink: Ink, inks: MarkResources, isStroke: boolean): string {
  if ('cmyk' in ink) return `${nums(...ink.cmyk)} ${isStroke ? 'K' : 'k'}`;
  const tint = 'all' in ink ? ink.all : ink.tint;
  return `/${inks.inkName(ink)} ${isStroke ? 'CS' : 'cs'} ${num(tint)} ${isStroke ? 'SCN' : 'scn'}`;
}

type Drawer<T extends Shape['type']> = (shape: Extract<Shape, { type: T }>, inks: MarkResources) => string;

const stroke = (style: NonNullable<Extract<Shape, { type: 'line' }>['stroke']>, inks: MarkResources): string =>
  `${setInk(style.ink, inks, true)} ${num(style.width)} w [${nums(...(style.dash ?? []))}] 0 d `;

const paint = (shape: Extract<Shape, { type: 'path' | 'circle' }>, inks: MarkResources, path: string): string => {
  const style =
    (shape.stroke ? stroke(shape.stroke, inks) : '') + (shape.fill ? `${setInk(shape.fill, inks, false)} ` : '');
  return `${style}${path} ${shape.stroke && shape.fill ? 'B' : shape.fill ? 'f' : 'S'}`;
};

const letters = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const;
/** Distance of control points for a circle of radius 1; the error is below 0.03 % of the radius. */
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
  path: (path, inks) =>
    paint(path, inks, path.segments.map(([letter, n]) => `${nums(...n)} ${letters[letter]}`.trim()).join(' ')),
  text: (text, inks) => {
    const [a, b, c, d] = rotationMatrix(text.rotation);
    const { size } = text;
    const setting = `q ${setInk(text.ink, inks, false)} ${nums(a * size, b * size, c * size, d * size, text.x, text.y)} cm`;
    let step = 0;
    let glyphs = '';
    for (const character of text.text) {
      const { name, advance } = inks.glyph(character);
      if (name !== '') {
        glyphs += `1 0 0 1 ${num(step)} 0 cm /${name} Do\n`;
        step = 0;
      }
      step += advance;
    }
    return `${setting}\n${glyphs}Q`;
  },
  strip: (tile, inks) => {
    const strip = inks.strip();
    if (!strip) return '';
    const { box, name } = strip;
    const inside = ({ x, y, width, height }: Rect) => `${nums(x, y, width, height)} re W n`;
    // The centre of the bar on the centre of the tile, for any rotation.
    const toOrigin = [1, 0, 0, 1, -(box.x + box.width / 2), -(box.y + box.height / 2)] as const;
    const toTile = [1, 0, 0, 1, tile.x + tile.width / 2, tile.y + tile.height / 2] as const;
    const matrix = concat(concat(toOrigin, rotationMatrix(tile.rotation)), toTile);
    return `q ${inside(tile.clip)} ${inside(tile)} ${nums(...matrix)} cm /${name} Do Q`;
  },
  // Barcodes are replaced by paths before a plan is written; one that is still here shows nothing.
  barcode: () => '',
};

/** Content stream operators for shapes in sheet space (points, origin at the lower left). */
export function shapeContent(shapes: readonly Shape[], resources: MarkResources): string {
  return shapes.map((shape) => (drawers[shape.type] as Drawer<Shape['type']>)(shape as never, resources)).join('\n');
}
