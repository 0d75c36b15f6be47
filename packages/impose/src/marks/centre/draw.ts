import type { Shape } from '@pdf2press/contract';
import { defineMark, overlaps } from '../mark.ts';
import { centreSettings } from './contract.ts';
import { messages } from './messages.ts';

/** A line at the middle of each sheet edge, for the first cut on the guillotine and for positioning the stock. */
export const centre = defineMark({
  kind: 'Centre',
  key: 'centre',
  messages,
  settings: centreSettings,
  isStatic: true,
  draw: ({ sheet, keepOut, taken, ink }, { offset, length, width }) => {
    const [x, y] = [sheet.width / 2, sheet.height / 2];
    const lines = [
      { x1: x, y1: offset, x2: x, y2: offset + length },
      { x1: x, y1: sheet.height - offset - length, x2: x, y2: sheet.height - offset },
      { x1: offset, y1: y, x2: offset + length, y2: y },
      { x1: sheet.width - offset - length, y1: y, x2: sheet.width - offset, y2: y },
    ];
    const shapes = lines
      .flatMap((line) => keepOut.free(line))
      .filter((line) => !taken.some((other) => overlaps(other, areaOf(line))))
      .map((line): Shape => ({ type: 'line', ...line, stroke: { ink, width } }));
    return { shapes };
  },
});

const areaOf = (line: { x1: number; y1: number; x2: number; y2: number }) => ({
  x: line.x1,
  y: line.y1,
  width: line.x2 - line.x1,
  height: line.y2 - line.y1,
});
