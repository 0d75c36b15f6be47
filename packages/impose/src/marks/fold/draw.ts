import type { Shape } from '@pdf2press/contract';
import { defineMark, takeLine } from '../mark.ts';
import { foldSettings } from './contract.ts';
import { messages } from './messages.ts';

/** A dashed line at both ends of every fold, outside the block. */
export const fold = defineMark({
  kind: 'Fold',
  key: 'fold',
  messages,
  settings: foldSettings,
  isStatic: true,
  draw: (context, { offset, length, width, dashOn, dashOff }) => {
    const { creases, block, keepOut, ink } = context;
    const stroke = { ink, width, dash: [dashOn, dashOff] };
    const shapes = creases.flatMap(({ axis, at }): Shape[] => {
      const [low, high] = axis === 'x' ? [block.y, block.y + block.height] : [block.x, block.x + block.width];
      const ends = [
        [low - offset - length, low - offset],
        [high + offset, high + offset + length],
      ] as const;
      return ends.flatMap(([from, to]) => {
        const line = axis === 'x' ? { x1: at, y1: from, x2: at, y2: to } : { x1: from, y1: at, x2: to, y2: at };
        return keepOut.free(line).map((part) => {
          takeLine(context, part);
          return { type: 'line' as const, ...part, stroke };
        });
      });
    });
    return { shapes };
  },
});
