import type { LayoutPage, Rect } from '@pdf2press/contract';
import type { Outline } from '../../marks/mark.ts';
import type { Slot } from '../grid.ts';
import type { DieShape } from '../layout.ts';

/** A rectangle as a die: where nothing else is known the trim is what is cut. */
export const rectangleDie = (box: Rect): DieShape => ({
  box,
  outline: [
    ['M', [box.x, box.y]],
    ['L', [box.x + box.width, box.y]],
    ['L', [box.x + box.width, box.y + box.height]],
    ['L', [box.x, box.y + box.height]],
    ['Z', []],
  ],
});

export const trimDie = (page: LayoutPage): DieShape => rectangleDie(page.trim);

/** Points along an outline, curves in 16 steps: enough for a tolerance of tenths of a millimetre. */
export function pointsOf(outline: Outline): { x: number; y: number }[] {
  const points: { x: number; y: number }[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const to = (toX: number, toY: number, steps: number) => {
    for (let i = 1; i <= steps; i++) points.push({ x: x + ((toX - x) * i) / steps, y: y + ((toY - y) * i) / steps });
    [x, y] = [toX, toY];
  };
  for (const [letter, n] of outline) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = n;
    if (letter === 'M') {
      [x, y, startX, startY] = [a, b, a, b];
      points.push({ x, y });
    } else if (letter === 'L') to(a, b, 8);
    else if (letter === 'Z') to(startX, startY, 8);
    else {
      const [x0, y0] = [x, y];
      for (let i = 1; i <= 16; i++) {
        const [t, s] = [i / 16, 1 - i / 16];
        points.push({
          x: s ** 3 * x0 + 3 * s * s * t * a + 3 * s * t * t * c + t ** 3 * e,
          y: s ** 3 * y0 + 3 * s * s * t * b + 3 * s * t * t * d + t ** 3 * f,
        });
      }
      [x, y] = [e, f];
    }
  }
  return points;
}

/** Hausdorff distance between two dies laid middle on middle, points (spec/impose §4.5). */
export function dieDistance(one: DieShape, other: DieShape): number {
  const centred = (die: DieShape) => {
    const [cx, cy] = [die.box.x + die.box.width / 2, die.box.y + die.box.height / 2];
    return pointsOf(die.outline).map(({ x, y }) => ({ x: x - cx, y: y - cy }));
  };
  const [a, b] = [centred(one), centred(other)];
  const oneWay = (from: typeof a, to: typeof a) =>
    Math.max(0, ...from.map((p) => Math.min(...to.map((q, i) => segmentDistance(p, q, to[(i + 1) % to.length] ?? q)))));
  return Math.max(oneWay(a, b), oneWay(b, a));
}

function segmentDistance(
  p: { x: number; y: number },
  a: { x: number; y: number },
  b: { x: number; y: number },
): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / square));
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/** The die on the sheet: its middle on the slot's middle, turned with it. */
export function dieOnSheet(die: DieShape, slot: Slot): Outline {
  const [cx, cy] = [die.box.x + die.box.width / 2, die.box.y + die.box.height / 2];
  const [mx, my] = [slot.x + slot.width / 2, slot.y + slot.height / 2];
  const turn = ((slot.rotation * Math.PI) / 180) as number;
  const [cos, sin] = [Math.round(Math.cos(turn)), Math.round(Math.sin(turn))];
  return die.outline.map(([letter, numbers]) => {
    const turned: number[] = [];
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      const [x, y] = [(numbers[i] ?? 0) - cx, (numbers[i + 1] ?? 0) - cy];
      turned.push(mx + x * cos - y * sin, my + x * sin + y * cos);
    }
    return [letter, turned];
  });
}
