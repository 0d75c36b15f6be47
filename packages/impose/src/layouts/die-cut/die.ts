import type { LayoutPage, Rect, Rotation } from '@pdf2press/contract';
import type { Outline } from '../../marks/mark.ts';
import type { DieShape } from '../layout.ts';

/** A rectangular die. */
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

/** Points along an outline, 16 per curve: accurate enough for tolerances of tenths of a millimetre. */
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

/** Hausdorff distance in points between two outlines whose boxes are centred on each other. */
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

/** A die rotated counter-clockwise about the centre of its box. */
export function turnedDie(die: DieShape, rotation: Rotation): DieShape {
  const { box } = die;
  const isUpright = rotation % 180 === 0;
  const [width, height] = isUpright ? [box.width, box.height] : [box.height, box.width];
  const place = { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
  return { box: place, outline: dieOnSheet(die, { ...place, rotation }) };
}

/** Splits an outline into separate dies, each with the creases and holes inside it: the stations of a die sheet. */
export function separateDies(outline: Outline): DieShape[] {
  const paths: [Outline[number][], Rect][] = [];
  for (const segment of outline) {
    if (segment[0] === 'M' || paths.length === 0) paths.push([[], emptyBox]);
    paths.at(-1)?.[0].push(segment);
  }
  let dies = paths
    .filter(([path]) => path.length > 1)
    .map(([path]): DieShape => ({ outline: path, box: boxOf(path) }))
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  const joined: DieShape[] = [];
  // Creases and holes are smaller than the cut around them, so the largest paths are taken first.
  while (dies.length > 0) {
    const [first, ...rest] = dies as [DieShape, ...DieShape[]];
    const around = pointsOf(first.outline);
    const inside = rest.filter(
      (die) => isTouching(first.box, die.box) && isInside(meanOf(pointsOf(die.outline)), around),
    );
    joined.push({ box: first.box, outline: [first, ...inside].flatMap((die) => die.outline) });
    dies = rest.filter((die) => !inside.includes(die));
  }
  return joined;
}

const emptyBox: Rect = { x: 0, y: 0, width: 0, height: 0 };

function boxOf(outline: Outline): Rect {
  const points = pointsOf(outline);
  const [x0, y0] = [Math.min(...points.map((p) => p.x)), Math.min(...points.map((p) => p.y))];
  const [x1, y1] = [Math.max(...points.map((p) => p.x)), Math.max(...points.map((p) => p.y))];
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}

interface Point {
  x: number;
  y: number;
}

const meanOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** Point in polygon: a ray from an inner point crosses an odd number of edges. */
const isInside = ({ x, y }: Point, polygon: readonly Point[]): boolean =>
  polygon.filter((a, index) => {
    const b = polygon[(index + 1) % polygon.length] ?? a;
    return a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x);
  }).length %
    2 ===
  1;

const isTouching = (a: Rect, b: Rect): boolean =>
  b.x < a.x + a.width && b.x + b.width > a.x && b.y < a.y + a.height && b.y + b.height > a.y;

/** Whether a die is a rectangle, for which clipping to the outline equals clipping to the cell. */
export function isRectangle({ box, outline }: DieShape): boolean {
  const near = (value: number, ...wanted: number[]) => wanted.some((one) => Math.abs(value - one) < 0.05);
  return pointsOf(outline).every(({ x, y }) => near(x, box.x, box.x + box.width) || near(y, box.y, box.y + box.height));
}

/** The die outline in sheet coordinates: centred on a slot and rotated with it. */
export function dieOnSheet(die: DieShape, slot: Rect & { rotation: Rotation }): Outline {
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
