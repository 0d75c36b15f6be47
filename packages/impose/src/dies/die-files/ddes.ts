import { arc, line, pathsOf, type Stroke } from './drawing.ts';

const inch = 72;
const millimetre = 72 / 25.4;
/** Steel rule is 1 to 6 points thick: 0.014 to 0.084 in, or 0.35 to 2.1 mm. A larger number is in millimetres. */
const thickestInInches = 0.2;
const record = /^\s*(LINE|ARC)((?:\s+[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)+)\s*$/i;

/** Whether a text contains DDES2 records in its first 2000 lines. */
export const isDdes = (text: string): boolean => text.split(/\r?\n/, 2000).some((row) => record.test(row));

/**
 * The cut lines of a DDES2 die (ANSI IT8.6-1991) in points: one record per line, fields separated by blanks.
 * `LINE x0 y0 x1 y1 rule width …`, `ARC x0 y0 x1 y1 cx cy radius rule width …`, clockwise for a negative radius; other
 * records are ignored. The meaning of rule numbers is agreed between companies: `names` may contain the numbers of the
 * cutting rules; otherwise the rule that encloses the largest area is used. The unit follows from the rule thickness.
 */
export function readDdes(text: string, names: readonly string[]): Stroke[] {
  const records = text.split(/\r?\n/).flatMap((row) => {
    const [, kind = '', fields = ''] = record.exec(row) ?? [];
    return kind === '' ? [] : [{ isArc: kind.toUpperCase() === 'ARC', n: fields.trim().split(/\s+/).map(Number) }];
  });
  const widths = records
    .map(({ isArc, n }) => n[isArc ? 8 : 5] ?? 0)
    .filter((width) => width > 0)
    .sort((a, b) => a - b);
  const unit = (widths[Math.floor(widths.length / 2)] ?? 0) > thickestInInches ? millimetre : inch;
  const rules = new Map<string, Stroke[]>();
  for (const { isArc, n } of records) {
    const rule = String(n[isArc ? 7 : 4] ?? 0);
    const strokes = rules.get(rule) ?? [];
    strokes.push(isArc ? arcOf(n, unit) : line(...scaled(n, unit)));
    rules.set(rule, strokes);
  }
  const named = names.flatMap((name) => rules.get(name) ?? []);
  return named.length > 0 ? named : outermost([...rules.values()]);
}

const scaled = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[], unit: number) =>
  [x0 * unit, y0 * unit, x1 * unit, y1 * unit] as const;

function arcOf([x0 = 0, y0 = 0, x1 = 0, y1 = 0, cx = 0, cy = 0, radius = 0]: readonly number[], unit: number): Stroke {
  const [start, end] = [Math.atan2(y0 - cy, x0 - cx), Math.atan2(y1 - cy, x1 - cx)];
  const turn = 2 * Math.PI;
  // Equal start and end points mean a full circle.
  const forward = (((end - start) % turn) + turn) % turn || turn;
  const sweep = radius >= 0 ? forward : forward - turn || -turn;
  return arc(cx * unit, cy * unit, Math.abs(radius) * unit, start, sweep);
}

/** The rule with the largest extent among those that close a path, since creases lie inside; all rules if none does. */
function outermost(rules: readonly Stroke[][]): Stroke[] {
  const closing = rules.filter((strokes) => pathsOf(strokes).some(([letter]) => letter === 'Z'));
  const [first, ...others] = closing;
  if (!first) return rules.flat();
  return others.reduce((best, strokes) => (extentOf(strokes) > extentOf(best) ? strokes : best), first);
}

function extentOf(strokes: readonly Stroke[]): number {
  const [xs, ys] = [
    strokes.flatMap(({ from, to }) => [from[0], to[0]]),
    strokes.flatMap(({ from, to }) => [from[1], to[1]]),
  ];
  const span = (values: readonly number[]) =>
    values.reduce((high, value) => Math.max(high, value), -Infinity) -
    values.reduce((low, value) => Math.min(low, value), Infinity);
  return span(xs) * span(ys);
}
