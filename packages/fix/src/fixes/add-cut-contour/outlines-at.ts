/** Closed lines at a distance from what is printed, found on the raster: where shapes would meet, their lines are one. */

/** A raster of printed pixels, which are 1. */
export interface Mask {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pixels from the upper left corner of the raster; printed is on the left of the line as it is seen. */
export type Ring = readonly (readonly [x: number, y: number])[];

/** In a column without a pixel to measure from. */
const far = 0xffff;

/**
 * The lines around what is printed and in its holes. Gaps that are narrower than a pixel are closed.
 * @param distance in pixels from the edges of printed pixels, outwards; below 0 inwards
 */
export function outlinesAt(mask: Mask, distance: number): Ring[] {
  const isInward = distance < 0;
  const margin = Math.ceil(Math.max(0, distance)) + 2;
  const width = mask.width + 2 * margin;
  const height = mask.height + 2 * margin;
  const columns = columnDistances(mask, margin, isInward ? 0 : 1);
  const sign = isInward ? -1 : 1;
  const level = sign * (Math.abs(distance) + 0.5);
  const rowOf = rowDistances(width);
  const lines = lineCollector(width, margin);
  let above = new Float32Array(width);
  let here = new Float32Array(width);
  for (let row = 0; row < height; row += 1) {
    if (!rowOf(columns.subarray(row * width, (row + 1) * width), here)) return [];
    for (let column = 0; column < width; column += 1) here[column] = sign * (here[column] as number) - level;
    if (row > 0) lines.between(above, here, row - 1);
    [above, here] = [here, above];
  }
  return lines.rings();
}

/** How many pixels away the nearest pixel of a value is in its column; beyond the raster nothing is printed. */
function columnDistances({ pixels, width, height }: Mask, margin: number, value: 0 | 1): Uint16Array {
  const across = width + 2 * margin;
  const down = height + 2 * margin;
  const away = new Uint16Array(across * down).fill(value === 0 ? 0 : far);
  for (let row = 0; row < height; row += 1)
    for (let column = 0, to = (row + margin) * across + margin; column < width; column += 1, to += 1)
      away[to] = pixels[row * width + column] === value ? 0 : far;
  for (let at = across; at < away.length; at += 1) {
    const next = (away[at - across] as number) + 1;
    if (next < (away[at] as number)) away[at] = next;
  }
  for (let at = away.length - across - 1; at >= 0; at -= 1) {
    const next = (away[at + across] as number) + 1;
    if (next < (away[at] as number)) away[at] = next;
  }
  return away;
}

/**
 * Distances of the pixels of a row from the nearest pixel in any direction, from those in their columns: the lower envelope
 * of parabolas (Felzenszwalb and Huttenlocher, Distance Transforms of Sampled Functions, 2012). False where there is none.
 */
function rowDistances(width: number): (columns: Uint16Array, into: Float32Array) => boolean {
  const centres = new Int32Array(width);
  const squares = new Float64Array(width);
  const starts = new Float64Array(width + 1);
  return (columns, into) => {
    let last = -1;
    for (let at = 0; at < width; at += 1) {
      const away = columns[at] as number;
      if (away === far) continue;
      let start = Number.NEGATIVE_INFINITY;
      for (; last >= 0; last -= 1) {
        const centre = centres[last] as number;
        start = (away * away + at * at - (squares[last] as number) - centre * centre) / (2 * (at - centre));
        if (start > (starts[last] as number)) break;
      }
      if (last < 0) start = Number.NEGATIVE_INFINITY;
      last += 1;
      centres[last] = at;
      squares[last] = away * away;
      starts[last] = start;
    }
    if (last < 0) return false;
    starts[last + 1] = Number.POSITIVE_INFINITY;
    for (let at = 0, nearest = 0; at < width; at += 1) {
      while ((starts[nearest + 1] as number) < at) nearest += 1;
      into[at] = Math.sqrt((at - (centres[nearest] as number)) ** 2 + (squares[nearest] as number));
    }
    return true;
  };
}

type Side = 'top' | 'right' | 'bottom' | 'left';

/**
 * Marching squares: by which of four pixels are inside (upper left 1, upper right 2, lower right 4, lower left 8), from which
 * side of the square between their centres to which a line leads. Pixels that touch at a corner only are apart.
 */
const crossings: readonly (readonly (readonly [from: Side, to: Side])[])[] = [
  [],
  [['left', 'top']],
  [['top', 'right']],
  [['left', 'right']],
  [['right', 'bottom']],
  [
    ['left', 'top'],
    ['right', 'bottom'],
  ],
  [['top', 'bottom']],
  [['left', 'bottom']],
  [['bottom', 'left']],
  [['bottom', 'top']],
  [
    ['top', 'right'],
    ['bottom', 'left'],
  ],
  [['bottom', 'right']],
  [['right', 'left']],
  [['right', 'top']],
  [['top', 'left']],
  [],
];

/** Collects the lines between rows of values, of which those below 0 are inside, and joins them to rings. */
function lineCollector(width: number, margin: number) {
  /** By the side of a square: the side to which the line leads from it, and where the line crosses it. */
  const next = new Map<number, number>();
  const places = new Map<number, readonly [number, number]>();
  const numberOf = (side: Side, column: number, row: number): number => {
    if (side === 'top') return 2 * (row * width + column);
    if (side === 'bottom') return 2 * ((row + 1) * width + column);
    return 2 * (row * width + column + (side === 'right' ? 1 : 0)) + 1;
  };
  return {
    between(above: Float32Array, below: Float32Array, row: number): void {
      const share = (from: number, to: number): number => from / (from - to);
      const placeOf = (side: Side, column: number): readonly [number, number] => {
        const [a, b] = [above[column] as number, above[column + 1] as number];
        const [c, d] = [below[column] as number, below[column + 1] as number];
        const [x, y] = [column + 0.5 - margin, row + 0.5 - margin];
        if (side === 'top') return [x + share(a, b), y];
        if (side === 'bottom') return [x + share(c, d), y + 1];
        return side === 'left' ? [x, y + share(a, c)] : [x + 1, y + share(b, d)];
      };
      let left = ((above[0] as number) < 0 ? 1 : 0) | ((below[0] as number) < 0 ? 8 : 0);
      for (let column = 0; column + 1 < width; column += 1) {
        const right = ((above[column + 1] as number) < 0 ? 2 : 0) | ((below[column + 1] as number) < 0 ? 4 : 0);
        const inside = left | right;
        left = ((right >> 1) & 1) | ((right & 4) << 1);
        if (inside === 0 || inside === 15) continue;
        for (const [from, to] of crossings[inside] ?? []) {
          const number = numberOf(from, column, row);
          next.set(number, numberOf(to, column, row));
          places.set(number, placeOf(from, column));
        }
      }
    },
    rings(): Ring[] {
      const rings: Ring[] = [];
      for (const [first] of next) {
        const ring: (readonly [number, number])[] = [];
        for (let at: number | undefined = first; at !== undefined && next.has(at); ) {
          const place = places.get(at);
          if (place) addPoint(ring, place);
          const to: number | undefined = next.get(at);
          next.delete(at);
          at = to;
        }
        rings.push(ring);
      }
      return rings;
    },
  };
}

/** Adds a point to a line; what lies straight between its neighbours is left out. */
function addPoint(ring: (readonly [number, number])[], [x, y]: readonly [number, number]): void {
  const [a, b] = [ring.at(-2), ring.at(-1)];
  if (a && b && (b[0] - a[0]) * (y - b[1]) === (b[1] - a[1]) * (x - b[0])) ring.pop();
  ring.push([x, y]);
}
