import type { SessionPage } from '@pdf2press/contract';

type Sized = Pick<SessionPage, 'boxes' | 'rotate' | 'userUnit'>;

/** Width and height of the trimmed page as it is read, points. */
export function trimmedSize({ boxes, rotate, userUnit }: Sized): [number, number] {
  const [x0, y0, x1, y1] = boxes.trim;
  const [across, up] = [(x1 - x0) * userUnit, (y1 - y0) * userUnit];
  return rotate % 180 === 0 ? [across, up] : [up, across];
}

/** The least that a page has beyond its trim on any side, points. */
export function leastBleed({ boxes: { trim, bleed }, userUnit }: Sized): number {
  const sides = [trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3]];
  return Math.max(0, Math.min(...sides)) * userUnit;
}
