import { arc, line, type Stroke } from './drawing.ts';

/** Points per unit: inches by default, millimetres after the record `UM`. */
const inch = 72;
const millimetre = 72 / 25.4;
/** Line types that cut: cut (1) and partial cuts such as perforations. Creases (2) and drawn lines are left out. */
const cutting = new Set([1, 3, 4, 5, 6]);
/** Limit of nested subroutine calls, against files that call themselves. */
const maxDepth = 20;

interface Placement {
  x: number;
  y: number;
  angle: number;
  scaleX: number;
  scaleY: number;
}

/**
 * The cut lines of a CFF2 die (Common File Format 2) in points: one record per line, fields separated by commas. `MAIN`
 * and `SUB` contain lines `L`, arcs `A` and calls `C` of subroutines with offset, angle and scale.
 */
export function readCff2(text: string): Stroke[] {
  const parts = new Map<string, string[][]>();
  let unit = inch;
  let part: string[][] | null = null;
  let main = '';
  for (const record of text.split(/\r?\n/)) {
    const fields = record.split(',').map((field) => field.trim());
    const key = (fields[0] ?? '').toUpperCase();
    if (key === 'UM') unit = millimetre;
    else if (key === 'MAIN' || key === 'SUB') {
      part = [];
      const name = fields[1] ?? '';
      parts.set(name, part);
      if (key === 'MAIN') main = name;
    } else if (key === 'END' && part !== null) part = null;
    else part?.push(fields);
  }
  return strokesOf(parts.get(main) ?? [], parts, [], unit, 0);
}

function strokesOf(
  records: readonly string[][],
  parts: ReadonlyMap<string, string[][]>,
  placements: readonly Placement[],
  unit: number,
  depth: number,
): Stroke[] {
  if (depth > maxDepth) return [];
  const at = (x: number, y: number): [number, number] => {
    const [px, py] = placements.reduceRight(place, [x, y] as [number, number]);
    return [px * unit, py * unit];
  };
  return records.flatMap(([key = '', ...fields]): Stroke[] => {
    const n = fields.map(Number);
    switch (key.toUpperCase()) {
      case 'L': {
        const [, type = 0, , x0 = 0, y0 = 0, x1 = 0, y1 = 0] = n;
        return cutting.has(type) ? [line(...at(x0, y0), ...at(x1, y1))] : [];
      }
      case 'A': {
        const [, type = 0, , x0 = 0, y0 = 0, x1 = 0, y1 = 0, cx = 0, cy = 0, direction = 1] = n;
        return cutting.has(type)
          ? [arcBetween(at(x0, y0), at(x1, y1), at(cx, cy), direction * handOf(placements))]
          : [];
      }
      case 'C': {
        const [x = 0, y = 0, angle = 0, scaleX = 1, scaleY = 1] = n.slice(1);
        const inner = { x, y, angle: (angle * Math.PI) / 180, scaleX, scaleY };
        return strokesOf(parts.get(fields[0] ?? '') ?? [], parts, [...placements, inner], unit, depth + 1);
      }
      default:
        return [];
    }
  });
}

/** -1 when the placements mirror, which reverses the direction of arcs. */
const handOf = (placements: readonly Placement[]): number =>
  placements.reduce((hand, { scaleX, scaleY }) => (scaleX * scaleY < 0 ? -hand : hand), 1);

function place([x, y]: [number, number], { x: dx, y: dy, angle, scaleX, scaleY }: Placement): [number, number] {
  const [sx, sy] = [x * scaleX, y * scaleY];
  return [dx + sx * Math.cos(angle) - sy * Math.sin(angle), dy + sx * Math.sin(angle) + sy * Math.cos(angle)];
}

function arcBetween(
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  [cx, cy]: readonly [number, number],
  direction: number,
): Stroke {
  const [start, end] = [Math.atan2(y0 - cy, x0 - cx), Math.atan2(y1 - cy, x1 - cx)];
  const turn = 2 * Math.PI;
  const forward = (((end - start) % turn) + turn) % turn || turn;
  return arc(cx, cy, Math.hypot(x0 - cx, y0 - cy), start, direction >= 0 ? forward : forward - turn || -turn);
}
