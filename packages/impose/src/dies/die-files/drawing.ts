import type { Outline } from '../../marks/mark.ts';

type Segment = Outline[number];

/** A line or a curve of a drawing; coordinates in points. */
export interface Stroke {
  from: readonly [number, number];
  steps: Segment[];
  to: readonly [number, number];
}

export interface DieDrawing {
  outline: Segment[];
  width: number;
  height: number;
}

export const line = (x0: number, y0: number, x1: number, y1: number): Stroke => ({
  from: [x0, y0],
  steps: [['L', [x1, y1]]],
  to: [x1, y1],
});

/** An arc about (cx, cy) from angle `start`, counter-clockwise for a positive `sweep`; radians. */
export function arc(cx: number, cy: number, radius: number, start: number, sweep: number): Stroke {
  const pieces = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
  const step = sweep / pieces;
  // One Bézier curve per quarter circle: the error is below 0.03 % of the radius.
  const k = (4 / 3) * Math.tan(step / 4) * radius;
  const at = (angle: number): [number, number] => [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
  const steps = Array.from({ length: pieces }, (_, piece): Segment => {
    const [a, b] = [start + piece * step, start + (piece + 1) * step];
    const [[x0, y0], [x1, y1]] = [at(a), at(b)];
    return ['C', [x0 - k * Math.sin(a), y0 + k * Math.cos(a), x1 + k * Math.sin(b), y1 - k * Math.cos(b), x1, y1]];
  });
  return { from: at(start), steps, to: at(start + sweep) };
}

/** End points within 0.05 mm coincide. */
const meeting = (72 / 25.4) * 0.05;
const meets = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  Math.hypot(a[0] - b[0], a[1] - b[1]) <= meeting;

/**
 * The paths of a drawing, moved so that the lower left corner of their common box is the origin; null without strokes.
 */
export function drawingOf(strokes: readonly Stroke[]): DieDrawing | null {
  const outline = pathsOf(strokes);
  return outline.length === 0 ? null : atOrigin(outline);
}

/** Joins strokes, which design programs write in any order and direction, to paths where their ends meet. */
export function pathsOf(strokes: readonly Stroke[]): Segment[] {
  const outline: Segment[] = [];
  const left = [...strokes];
  for (let first = left.shift(); first !== undefined; first = left.shift()) {
    let { to } = first;
    outline.push(['M', [...first.from]], ...first.steps);
    for (;;) {
      const index = meets(to, first.from) ? -1 : left.findIndex((one) => meets(one.from, to) || meets(one.to, to));
      const [found] = index < 0 ? [] : left.splice(index, 1);
      if (!found) break;
      const next = meets(found.from, to) ? found : reversed(found);
      outline.push(...next.steps);
      to = next.to;
    }
    if (meets(to, first.from)) outline.push(['Z', []]);
  }
  return outline;
}

/** Each path of an outline as one stroke. */
export function strokesOf(outline: Outline): Stroke[] {
  const strokes: { from: [number, number]; steps: Segment[]; to: [number, number] }[] = [];
  for (const [letter, numbers] of outline) {
    const last = strokes.at(-1);
    const end: [number, number] = [numbers.at(-2) ?? 0, numbers.at(-1) ?? 0];
    if (letter === 'M') strokes.push({ from: end, steps: [], to: end });
    else if (!last) continue;
    else if (letter === 'Z') {
      if (!meets(last.to, last.from)) last.steps.push(['L', [...last.from]]);
      last.to = last.from;
    } else {
      last.steps.push([letter, [...numbers]]);
      last.to = end;
    }
  }
  return strokes.filter(({ steps }) => steps.length > 0);
}

function reversed({ from, steps, to }: Stroke): Stroke {
  const ends = [from, ...steps.map(([, numbers]): [number, number] => [numbers.at(-2) ?? 0, numbers.at(-1) ?? 0])];
  const back = steps.map(([letter, numbers], index): Segment => {
    const [x, y] = ends[index] ?? from;
    return letter === 'C'
      ? ['C', [numbers[2] ?? 0, numbers[3] ?? 0, numbers[0] ?? 0, numbers[1] ?? 0, x, y]]
      : ['L', [x, y]];
  });
  return { from: to, steps: back.reverse(), to: from };
}

function atOrigin(outline: readonly Segment[]): DieDrawing {
  const values = outline.map(([, numbers]) => numbers);
  const axis = (odd: number) => values.flatMap((numbers) => numbers.filter((_, index) => index % 2 === odd));
  const ends = (list: readonly number[]) =>
    list.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)] as const, [
      Infinity,
      -Infinity,
    ] as readonly [number, number]);
  const [[x0, x1], [y0, y1]] = [ends(axis(0)), ends(axis(1))];
  return {
    outline: outline.map(([letter, numbers]) => [
      letter,
      numbers.map((value, index) => value - (index % 2 === 0 ? x0 : y0)),
    ]),
    width: x1 - x0,
    height: y1 - y0,
  };
}
