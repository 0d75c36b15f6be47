/** Codes for the rule cases, encoded by bwip-js: a reader is not tested with what its own makers wrote. */
import symbologies from 'bwip-js';
import { mm, withResource } from './content.ts';
import type { Doc } from './doc.ts';

/** Result of bwip-js `raw`: a matrix of dots (`pixs`), or alternating widths of bars and spaces (`sbs`). */
interface RawCode {
  pixs?: number[];
  pixx?: number;
  pixy?: number;
  sbs?: number[];
}

export interface Drawing {
  /** Width of a module in millimetres. */
  module: number;
  /** Height of bars in points. */
  height?: number;
  colour?: string;
  /** Lower left corner in points. */
  x?: number;
  y?: number;
  /** Counterclockwise, degrees. */
  turn?: number;
  /** Changes the widths of bars and spaces. */
  change?: (widths: number[]) => number[];
  /** Further options of the encoder. */
  options?: Record<string, unknown>;
}

export const rawCode = (bcid: string, text: string, options: Record<string, unknown> = {}): RawCode =>
  (symbologies.raw({ bcid, text, ...options }) as RawCode[])[0] ?? {};

export type Bar = readonly [x: number, y: number, width: number, height: number];

/** The bars or dots in modules, from the lower left corner; adjacent dots of a row are one. */
export function shapesOf(code: RawCode, change: Drawing['change'], height: number): Bar[] {
  const { pixs, pixx = 1, pixy = 1, sbs = [] } = code;
  if (!pixs) {
    let x = 0;
    return (change?.(sbs) ?? sbs).flatMap((width, at): Bar[] => {
      x += width;
      return at % 2 === 0 ? [[x - width, 0, width, height]] : [];
    });
  }
  return Array.from({ length: pixy }, (_, row) => row).flatMap((row) => {
    const runs: Bar[] = [];
    for (let column = 0; column < pixx; column += 1) {
      if (!pixs[row * pixx + column]) continue;
      const start = column;
      while (column + 1 < pixx && pixs[row * pixx + column + 1]) column += 1;
      runs.push([start, pixy - 1 - row, column + 1 - start, 1]);
    }
    return runs;
  });
}

const number = (value: number): string => value.toFixed(4);

/** A code as rectangles of one path. */
export function drawnCode(bcid: string, text: string, drawing: Drawing): string {
  const { module, height = 60, colour = '0 0 0 1 k', x = 100, y = 200, turn = 0, change, options } = drawing;
  const unit = mm(module);
  const boxes = shapesOf(rawCode(bcid, text, options), change, height / unit);
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const matrix = [cos * unit, sin * unit, -sin * unit, cos * unit, x, y].map((value) => value.toFixed(5)).join(' ');
  return `q ${matrix} cm ${colour} ${boxes.map((box) => `${box.map(number).join(' ')} re`).join(' ')} f Q`;
}

/** A code as a picture of one pixel to a module, and bars of so many pixels. */
export function pictureOfCode(bcid: string, text: string, { module, x = 100, y = 200 }: Drawing): Doc {
  const { pixs, pixx = 1, pixy = 1, sbs = [] } = rawCode(bcid, text);
  const [columns, rows] = pixs ? [pixx, pixy] : [sbs.reduce((sum, width) => sum + width, 0), 60];
  const bars = sbs.flatMap((width, at) => Array.from({ length: width }, () => 1 - (at % 2)));
  const data = Uint8Array.from({ length: columns * rows }, (_, at) =>
    (pixs ? pixs[at] : bars[at % columns]) ? 0 : 255,
  );
  const unit = mm(module);
  return {
    content: `q ${number(columns * unit)} 0 0 ${number(rows * unit)} ${x} ${y} cm /Pic Do Q`,
    resources: withResource('XObject', '/Pic 480 0 R'),
    objects: {
      480: {
        dict: `/Type /XObject /Subtype /Image /Width ${columns} /Height ${rows} /ColorSpace /DeviceGray /BitsPerComponent 8`,
        data,
      },
    },
  };
}

/** A picture of the whole page, 200 ppi, with tones, grain and stripes, and a code of so many pixels to a module in it. */
export function pictureAroundCode(bcid: string, text: string, module: number): Doc {
  const { pixs, pixx = 1, pixy = 1, sbs = [] } = rawCode(bcid, text);
  const [columns, rows] = pixs ? [pixx, pixy] : [sbs.reduce((sum, width) => sum + width, 0), 40];
  const bars = sbs.flatMap((width, at) => Array.from({ length: width }, () => 1 - (at % 2)));
  const [width, height] = [1111, 1389];
  const [left, top] = [620, 300];
  const quiet = 12 * module;
  let grain = 7;
  const data = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [(at % width) - left, Math.floor(at / width) - top];
    const isNear = x >= -quiet && y >= -quiet && x < columns * module + quiet && y < rows * module + quiet;
    const [column, row] = [Math.floor(x / module), Math.floor(y / module)];
    const isInside = column >= 0 && row >= 0 && column < columns && row < rows;
    if (isInside) return (pixs ? pixs[row * pixx + column] : bars[column]) ? 20 : 240;
    if (isNear) return 240;
    grain = (grain * 1103515245 + 12345) % 2 ** 31;
    const stripes = y > 600 ? 70 * Math.sin(at / width / 1.3) : 40 * Math.sin(x / 90) * Math.cos(y / 60);
    return Math.round(130 + stripes + (grain / 2 ** 31) * 20);
  });
  return {
    content: 'q 400 0 0 500 0 0 cm /Pic Do Q',
    resources: withResource('XObject', '/Pic 480 0 R'),
    objects: {
      480: {
        dict: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
        data,
      },
    },
  };
}
