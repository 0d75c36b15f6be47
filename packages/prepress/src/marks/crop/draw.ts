import type { Cell, Shape } from '@pdf2press/contract';
import { defineMark, type MarkContext } from '../mark.ts';
import { cropSettings } from './contract.ts';

/** Two lines at each corner of each trim, outside every bleed (spec/impose §7). Equal lines are drawn once. */
export const crop = defineMark({
  kind: 'Crop',
  key: 'crop',
  settings: cropSettings,
  isStatic: true,
  draw: (context, settings) => {
    const drawn = new Set<string>();
    const shapes: Shape[] = [];
    for (const cell of context.cells) {
      for (const line of cornerLines(cell, settings.offset, settings.length)) {
        if (!settings.inner && isInside(line, context)) continue;
        const key = [line.x1, line.y1, line.x2, line.y2].map((value) => Math.round(value * 20)).join();
        if (drawn.has(key)) continue;
        drawn.add(key);
        // A line that would begin inside a neighbour belongs to no gap: nothing of it is drawn beyond that page either.
        if (!context.keepOut.isFreePoint(line.x2, line.y2)) continue;
        for (const part of context.keepOut.free(line)) {
          shapes.push({ type: 'line', ...part, stroke: { ink: context.ink, width: settings.width } });
        }
      }
    }
    return { shapes };
  },
});

interface Line {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

function cornerLines(cell: Cell, offset: number, length: number): Line[] {
  const { x, y, width, height, clip } = cell;
  const [right, top] = [x + width, y + height];
  const left = x - Math.max(offset, x - clip.x);
  const down = y - Math.max(offset, y - clip.y);
  const beyond = right + Math.max(offset, clip.x + clip.width - right);
  const up = top + Math.max(offset, clip.y + clip.height - top);
  // Each line from its outer end to the one beside the page.
  return [y, top]
    .flatMap((at) => [
      { x1: left - length, y1: at, x2: left, y2: at },
      { x1: beyond + length, y1: at, x2: beyond, y2: at },
    ])
    .concat(
      [x, right].flatMap((at) => [
        { x1: at, y1: down - length, x2: at, y2: down },
        { x1: at, y1: up + length, x2: at, y2: up },
      ]),
    );
}

const isInside = (line: Line, { block }: MarkContext): boolean =>
  line.x2 > block.x && line.x2 < block.x + block.width && line.y2 > block.y && line.y2 < block.y + block.height;
