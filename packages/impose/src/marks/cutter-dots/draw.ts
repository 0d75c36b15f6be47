import type { Rect, Shape } from '@pdf2press/contract';
import { warning } from '../../sheet/problems.ts';
import { defineMark, overlaps, takeLine } from '../mark.ts';
import { cutterDotsSettings } from './contract.ts';
import { messages } from './messages.ts';

/**
 * Register dots for the camera of a cutting table (i-cut, ARMS): spread evenly around the block, and one more beside the
 * first that shows the orientation of the sheet. Always K only: in several inks, misregister would enlarge the dots.
 */
export const cutterDots = defineMark({
  kind: 'CutterDots',
  key: 'cutterDots',
  messages,
  settings: cutterDotsSettings,
  isStatic: true,
  draw: (context, { size, count, offset }) => {
    if (context.side === 'Back') return { shapes: [] };
    const ring = around(
      context.cells.map(({ clip }) => clip),
      offset,
    );
    const first = pointOn(ring, 0);
    // A crop mark may occupy the place of the orientation dot, so further distances are tried.
    const seconds = [2.5, 3, 3.5, 4, 5].map((step) => ({ x: first.x + step * size, y: first.y }));
    const places = [...Array.from({ length: count }, (_, dot) => [pointOn(ring, dot / count)]), seconds];
    const shapes = places.flatMap((candidates): Shape[] => {
      const found = candidates.find((point) => isFree(rectAt(point)));
      if (!found) return [];
      const [{ x, y }, rect] = [found, rectAt(found)];
      takeLine(context, { x1: rect.x, y1: rect.y, x2: rect.x + size, y2: rect.y + size });
      return [{ type: 'circle', x, y, radius: size / 2, fill: { cmyk: [0, 0, 0, 1] } }];
    });
    const missing = places.length - shapes.length;
    return {
      shapes,
      problems: missing > 0 ? [warning('impose.markNoRoom', 'marks.cutterDots', { count: missing })] : [],
    };

    function rectAt({ x, y }: { x: number; y: number }): Rect {
      return { x: x - size / 2, y: y - size / 2, width: size, height: size };
    }

    function isFree(rect: Rect): boolean {
      const { sheet, keepOut, taken } = context;
      const isOnSheet = rect.x >= 0 && rect.y >= 0 && rect.x + size <= sheet.width && rect.y + size <= sheet.height;
      return isOnSheet && keepOut.isFree(rect) && !taken.some((other) => overlaps(other, rect));
    }
  },
});

function around(areas: readonly Rect[], offset: number): Rect {
  const [x, y] = [Math.min(...areas.map((area) => area.x)), Math.min(...areas.map((area) => area.y))];
  const right = Math.max(...areas.map((area) => area.x + area.width));
  const top = Math.max(...areas.map((area) => area.y + area.height));
  return { x: x - offset, y: y - offset, width: right - x + 2 * offset, height: top - y + 2 * offset };
}

/**
 * The point at `part` (0 to 1) of the way around a rectangle, counter-clockwise from its lower left corner; each side
 * is a quarter.
 */
function pointOn({ x, y, width, height }: Rect, part: number): { x: number; y: number } {
  const [side, along] = [Math.floor(part * 4), (part * 4) % 1];
  const corners = [
    { x: x + along * width, y },
    { x: x + width, y: y + along * height },
    { x: x + width - along * width, y: y + height },
    { x, y: y + height - along * height },
  ];
  return corners[side % 4] ?? { x, y };
}
