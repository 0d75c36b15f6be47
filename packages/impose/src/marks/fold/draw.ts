import type { Shape } from '@pdf2press/contract';
import { warning } from '../../sheet/problems.ts';
import { defineMark, type MarkContext, takeLine } from '../mark.ts';
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
    const { creases, block, keepOut, ink, sheet } = context;
    const stroke = { ink, width, dash: [dashOn, dashOff] };
    let hidden = 0;
    const shapes = creases.flatMap(({ axis, at }): Shape[] => {
      const [low, high] = axis === 'x' ? [block.y, block.y + block.height] : [block.x, block.x + block.width];
      const ends = [
        [low - offset - length, low - offset],
        [high + offset, high + offset + length],
      ] as const;
      const parts = ends.flatMap(([from, to]) =>
        keepOut.free(axis === 'x' ? { x1: at, y1: from, x2: at, y2: to } : { x1: from, y1: at, x2: to, y2: at }),
      );
      if (!parts.some((part) => isOnSheet(part, sheet))) hidden += 1;
      return parts.map((part) => {
        takeLine(context, part);
        return { type: 'line' as const, ...part, stroke };
      });
    });
    return hidden === 0 ? { shapes } : { shapes, problems: [warning('impose.foldHidden', 'marks.fold')] };
  },
});

/** Whether a part of a line lies on the sheet. */
const isOnSheet = (line: { x1: number; y1: number; x2: number; y2: number }, sheet: MarkContext['sheet']): boolean =>
  line.x1 < sheet.width && line.x2 > 0 && line.y1 < sheet.height && line.y2 > 0;
