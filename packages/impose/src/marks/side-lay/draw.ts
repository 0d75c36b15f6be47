import type { Rect, Shape } from '@pdf2press/contract';
import { warning } from '../../sheet/problems.ts';
import { defineMark, takeLine } from '../mark.ts';
import { sideLaySettings } from './contract.ts';
import { messages } from './messages.ts';

/**
 * A bold line that runs off the sheet at the side lay, near the gripper. In the delivery pile the lines of all sheets
 * align; a sheet that did not reach the side lay is out of line. On the back it lies behind the one on the front.
 */
export const sideLay = defineMark({
  kind: 'SideLay',
  key: 'sideLay',
  messages,
  settings: sideLaySettings,
  isStatic: true,
  draw: (context, { side, offset, length, width }) => {
    const { sheet, gripperEdge, keepOut, ink, isTumbled } = context;
    const isBack = context.side === 'Back';
    // The side lay is at one of the two edges adjacent to the gripper edge.
    const isUpright = gripperEdge === 'Bottom' || gripperEdge === 'Top';
    const isFarGripper = (gripperEdge === 'Top' || gripperEdge === 'Right') !== (isBack && isTumbled === isUpright);
    const [along, across] = isUpright ? [sheet.height, sheet.width] : [sheet.width, sheet.height];
    const at = isFarGripper ? along - offset : offset;
    const isLow = (side === 'Left') !== (isBack && isTumbled !== isUpright);
    const from = isLow ? 0 : across - length;
    const line = isUpright
      ? { x1: from, y1: at, x2: from + length, y2: at }
      : { x1: at, y1: from, x2: at, y2: from + length };
    if (!keepOut.isFree(areaOf(line, width)))
      return { shapes: [], problems: [warning('impose.markNoRoom', 'marks.sideLay', { count: 1 })] };
    takeLine(context, line);
    const shapes: Shape[] = [{ type: 'line', ...line, stroke: { ink, width } }];
    return { shapes };
  },
});

const areaOf = (line: { x1: number; y1: number; x2: number; y2: number }, width: number): Rect => ({
  x: line.x1 - width / 2,
  y: line.y1 - width / 2,
  width: line.x2 - line.x1 + width,
  height: line.y2 - line.y1 + width,
});
