import type { Rect, Shape } from '@pdf2press/contract';
import { warning } from '../../layouts/problems.ts';
import { defineMark, takeLine } from '../mark.ts';
import { sideLaySettings } from './contract.ts';

/**
 * A bold line running off the sheet at its side lay, near the gripper: in a straight pile it shows as one line down the
 * edge, and a sheet that was not pulled up breaks it (spec/impose §7). On the back it is behind the front's.
 */
export const sideLay = defineMark({
  kind: 'SideLay',
  key: 'sideLay',
  settings: sideLaySettings,
  isStatic: true,
  draw: (context, { side, offset, length, width }) => {
    const { sheet, gripperEdge, keepOut, ink, isTumbled } = context;
    const isBack = context.side === 'Back';
    // The lay stands on one of the two edges beside the gripper.
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
