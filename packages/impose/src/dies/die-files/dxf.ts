import { arc, line, type Stroke } from './drawing.ts';

type Entity = { type: string; layer: string; codes: [code: number, value: string][] };

const millimetre = 72 / 25.4;
/** Points per unit by the value of `$INSUNITS`. Files without a unit are taken as millimetres, like cutters do. */
const units: Readonly<Record<string, number>> = {
  0: millimetre,
  1: 72,
  2: 864,
  4: millimetre,
  5: 10 * millimetre,
  6: 1000 * millimetre,
};

/**
 * The lines of an ASCII DXF drawing in points: LINE, LWPOLYLINE and POLYLINE (with bulges), ARC, CIRCLE, ELLIPSE and
 * SPLINE, on layers whose names match one of `layerNames` (`*` matches any characters); without such layers, on all
 * layers except creases.
 *
 * Not a library: dxf-parser 1.1.2 fails on polylines without a vertex count, loses points at vertex ids (group 91) and
 * allocates as many vertices as a file states, so that a small file exhausts the memory; dxf 5.3.1 turns arcs into lines.
 */
export function readDxf(text: string, layerNames: readonly string[]): Stroke[] {
  const pairs = pairsOf(text);
  const unit = unitOf(pairs);
  const entities = entitiesOf(pairs);
  const patterns = layerNames.map(
    (name) => new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')}$`, 'i'),
  );
  const named = entities.filter(({ layer }) => patterns.some((pattern) => pattern.test(layer)));
  const shown = named.length > 0 ? named : entities.filter(({ layer }) => !/crease|fold|rill|perf/i.test(layer));
  return shown.flatMap((entity) => (readers[entity.type]?.(entity, unit) ?? []) as Stroke[]);
}

/** Pairs of group code and value, which are two consecutive lines. */
function pairsOf(text: string): [number, string][] {
  const lines = text.split(/\r?\n/);
  const pairs: [number, string][] = [];
  for (let i = 0; i + 1 < lines.length; i += 2) pairs.push([Number(lines[i]), (lines[i + 1] ?? '').trim()]);
  return pairs;
}

function unitOf(pairs: readonly [number, string][]): number {
  const at = pairs.findIndex(([code, value]) => code === 9 && value === '$INSUNITS');
  return units[pairs[at + 1]?.[1] ?? '0'] ?? millimetre;
}

/** The entities of the section ENTITIES; VERTEX entities are added to their POLYLINE. */
function entitiesOf(pairs: readonly [number, string][]): Entity[] {
  const start = pairs.findIndex(
    ([code, value], i) => code === 2 && value === 'ENTITIES' && pairs[i - 1]?.[1] === 'SECTION',
  );
  const entities: Entity[] = [];
  if (start < 0) return entities;
  let inner = false;
  for (const [code, value] of pairs.slice(start + 1)) {
    const last = entities.at(-1);
    if (code !== 0) {
      if (code === 8 && last && !inner) last.layer = value;
      else if (!inner || code === 10 || code === 20 || code === 42) last?.codes.push([code, value]);
      continue;
    }
    if (value === 'ENDSEC') break;
    // A POLYLINE is followed by its points as separate VERTEX entities.
    inner = last?.type === 'POLYLINE' && value === 'VERTEX';
    if (inner) last?.codes.push([0, 'VERTEX']);
    else if (value !== 'SEQEND') entities.push({ type: value, layer: '', codes: [] });
  }
  return entities;
}

const one = ({ codes }: Entity, code: number, fallback = 0): number => {
  const found = codes.find(([known]) => known === code);
  return found ? Number(found[1]) : fallback;
};
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const positive = (angle: number): number => ((angle % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI) || 2 * Math.PI;

interface Vertex {
  x: number;
  y: number;
  bulge: number;
}

function verticesOf({ type, codes }: Entity, unit: number): Vertex[] {
  // A POLYLINE has a dummy point before its vertices.
  const own = type === 'POLYLINE' ? codes.slice(codes.findIndex(([code]) => code === 0)) : codes;
  const vertices: Vertex[] = [];
  for (const [code, value] of own) {
    if (code === 10) vertices.push({ x: Number(value) * unit, y: 0, bulge: 0 });
    const last = vertices.at(-1);
    if (last && code === 20) last.y = Number(value) * unit;
    if (last && code === 42) last.bulge = Number(value);
  }
  return vertices;
}

function polyline(entity: Entity, unit: number): Stroke[] {
  const vertices = verticesOf(entity, unit);
  const isClosed = (one(entity, 70) & 1) === 1;
  return vertices.flatMap((from, index): Stroke[] => {
    const to = vertices[index + 1] ?? (isClosed ? vertices[0] : undefined);
    return to && to !== from ? [bulged(from, to)] : [];
  });
}

/** An arc given by its bulge: the tangent of a quarter of its angle. */
function bulged(from: Vertex, to: Vertex): Stroke {
  if (from.bulge === 0) return line(from.x, from.y, to.x, to.y);
  const sweep = 4 * Math.atan(from.bulge);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const up = 1 / Math.tan(sweep / 2) / 2;
  const [cx, cy] = [from.x + dx / 2 - dy * up, from.y + dy / 2 + dx * up];
  return arc(cx, cy, Math.hypot(from.x - cx, from.y - cy), Math.atan2(from.y - cy, from.x - cx), sweep);
}

function ellipse(entity: Entity, unit: number): Stroke[] {
  const [cx, cy, mx, my] = [10, 20, 11, 21].map((code) => one(entity, code) * unit) as [number, number, number, number];
  const [ratio, start, end] = [one(entity, 40, 1), one(entity, 41), one(entity, 42, 2 * Math.PI)];
  const { from, steps, to } = arc(0, 0, 1, start, positive(end - start));
  const at = (x: number, y: number): [number, number] => [cx + x * mx - y * my * ratio, cy + x * my + y * mx * ratio];
  return [
    {
      from: at(...from),
      steps: steps.map(([letter, n]) => [letter, [0, 2, 4].flatMap((i) => at(n[i] ?? 0, n[i + 1] ?? 0))]),
      to: at(...to),
    },
  ];
}

/** A spline as lines, 16 per control point segment (de Boor's algorithm). */
function spline(entity: Entity, unit: number): Stroke[] {
  const all = (code: number) => entity.codes.flatMap(([known, value]) => (known === code ? [Number(value)] : []));
  const [degree, knots, xs, ys] = [one(entity, 71, 3), all(40), all(10), all(20)];
  const points = xs.map((x, i): [number, number] => [x * unit, (ys[i] ?? 0) * unit]);
  if (points.length <= degree || knots.length < points.length + degree + 1) return [];
  const [low, high] = [knots[degree] ?? 0, knots[points.length] ?? 0];
  const count = Math.min(2000, 16 * (points.length - degree));
  const path = Array.from({ length: count + 1 }, (_, i) =>
    deBoor(low + ((high - low) * i) / count, degree, knots, points),
  );
  return path.slice(1).map((to, i) => line(...(path[i] ?? to), ...to));
}

function deBoor(
  t: number,
  degree: number,
  knots: readonly number[],
  points: readonly [number, number][],
): [number, number] {
  let span = degree;
  while (span < points.length - 1 && t >= (knots[span + 1] ?? Infinity)) span += 1;
  const d = Array.from(
    { length: degree + 1 },
    (_, j): readonly [number, number] => points[j + span - degree] ?? [0, 0],
  );
  for (let r = 1; r <= degree; r += 1) {
    for (let j = degree; j >= r; j -= 1) {
      const [a, b] = [knots[j + span - degree] ?? 0, knots[j + 1 + span - r] ?? 0];
      const w = b === a ? 0 : (t - a) / (b - a);
      const [hx, hy] = d[j] ?? [0, 0];
      const [bx, by] = d[j - 1] ?? [0, 0];
      d[j] = [bx * (1 - w) + hx * w, by * (1 - w) + hy * w];
    }
  }
  const [x, y] = d[degree] ?? [0, 0];
  return [x, y];
}

const readers: Readonly<Record<string, (entity: Entity, unit: number) => Stroke[]>> = {
  LINE: (entity, unit) => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [10, 20, 11, 21].map((code) => one(entity, code) * unit);
    return [line(x0, y0, x1, y1)];
  },
  LWPOLYLINE: polyline,
  POLYLINE: polyline,
  ARC: (entity, unit) => {
    const [start, end] = [radians(one(entity, 50)), radians(one(entity, 51))];
    const [cx = 0, cy = 0, radius = 0] = [10, 20, 40].map((code) => one(entity, code) * unit);
    return [arc(cx, cy, radius, start, positive(end - start))];
  },
  CIRCLE: (entity, unit) => {
    const [cx = 0, cy = 0, radius = 0] = [10, 20, 40].map((code) => one(entity, code) * unit);
    return [arc(cx, cy, radius, 0, 2 * Math.PI)];
  },
  ELLIPSE: ellipse,
  SPLINE: spline,
};
