/**
 * Converts pixels of three components with a three-dimensional lookup table and tetrahedral interpolation in integers.
 */
import { type ConvertDeepPixels, type ConvertPixels, clamp, type SeparatePixels } from './space-map.ts';

/** Levels between two points of the table: 51 × 5 = 255, so that every weight is a whole number of fifths. */
const step = 5;
const edge = 255 / step + 1;
/** Scales weight (in fifths) × table value to an 8-bit level with 8 fractional bits, so that two fit into 32 bits. */
const scale = 256 / step;
const half = 0x0080_0080;
const restBits = 8;

/** Table offsets and weights by the position of a pixel within its cell (0–5 on each axis). */
interface Rules {
  /** Offsets to the second and third corner of the tetrahedron. */
  readonly second: Int32Array;
  readonly third: Int32Array;
  /** Four weights of four bits each, that of the lowest corner in the lowest bits. */
  readonly weights: Int32Array;
}

/** The tetrahedron follows from the order of the three remainders: the axis of the largest comes first. */
function makeRules([red, green, blue]: readonly [number, number, number]): Rules {
  const size = step + 1;
  const rules = { second: new Int32Array(256), third: new Int32Array(256), weights: new Int32Array(256) };
  for (let rule = 0; rule < size ** 3; rule += 1) {
    const ways = [
      [Math.floor(rule / size ** 2), red],
      [Math.floor(rule / size) % size, green],
      [rule % size, blue],
    ] as [number, number][];
    const [x, y, z] = ways.sort((one, two) => two[0] - one[0]) as [
      [number, number],
      [number, number],
      [number, number],
    ];
    rules.second[rule] = x[1];
    rules.third[rule] = x[1] + y[1];
    rules.weights[rule] = (step - x[0]) | ((x[0] - y[0]) << 4) | ((y[0] - z[0]) << 8) | (z[0] << 12);
  }
  return rules;
}

/** All points of a table, components 0–1. */
export function gridPoints(): Float32Array {
  const grid = new Float32Array(edge ** 3 * 3);
  for (let r = 0, at = 0; r < edge; r += 1) {
    for (let g = 0; g < edge; g += 1) {
      for (let b = 0; b < edge; b += 1) {
        grid[at++] = r / (edge - 1);
        grid[at++] = g / (edge - 1);
        grid[at++] = b / (edge - 1);
      }
    }
  }
  return grid;
}

/** Integer interpolation differs from exact interpolation by at most one rounding step. */
export interface PixelTable {
  readonly convert: ConvertPixels;
  /** For four components; null for fewer. */
  readonly separate: SeparatePixels | null;
}

/**
 * Builds the table. One function, because its parts share the table and the strides.
 * @param exact what the points of the table (`gridPoints`) become, components 0–1
 * @param components of the result: 1, 3 or 4
 */
export function createPixelTable(exact: Float32Array, components: number): PixelTable {
  // Two components share 32 bits, the first in the upper half; a point has room for four.
  const table = new Int32Array(edge ** 3 * 2);
  const level = (point: number, component: number): number =>
    component < components ? Math.round(clamp(exact[point * components + component] ?? 0) * 255 * scale) : 0;
  for (let point = 0; point < edge ** 3; point += 1) {
    table[point * 2] = (level(point, 0) << 16) | level(point, 1);
    table[point * 2 + 1] = (level(point, 2) << 16) | level(point, 3);
  }
  const strides = [edge * edge * 2, edge * 2, 2] as const;
  const { second, third, weights } = makeRules(strides);
  // Cell offset and remainder of a level are packed into one number each; the sum over three axes gives both.
  const [reds, greens, blues] = strides.map((stride, axis) =>
    Int32Array.from({ length: 256 }, (_, value) => {
      const cell = Math.min(Math.floor(value / step), edge - 2);
      return ((cell * stride) << restBits) | ((value - cell * step) * (step + 1) ** (2 - axis));
    }),
  ) as [Int32Array, Int32Array, Int32Array];
  const opposite = strides[0] + strides[1] + strides[2];

  /** The four components as bytes of a number, the first in the lowest byte. */
  const look = (place: number): number => {
    const at = place >> restBits;
    const rule = place & ((1 << restBits) - 1);
    const b = at + (second[rule] as number);
    const c = at + (third[rule] as number);
    const d = at + opposite;
    const packed = weights[rule] as number;
    const [w0, w1, w2, w3] = [packed & 15, (packed >> 4) & 15, (packed >> 8) & 15, packed >> 12];
    const upper =
      ((Math.imul(table[at] as number, w0) + Math.imul(table[b] as number, w1)) | 0) +
      ((Math.imul(table[c] as number, w2) + Math.imul(table[d] as number, w3)) | 0) +
      half;
    const lower =
      ((Math.imul(table[at + 1] as number, w0) + Math.imul(table[b + 1] as number, w1)) | 0) +
      ((Math.imul(table[c + 1] as number, w2) + Math.imul(table[d + 1] as number, w3)) | 0) +
      half;
    return (upper >>> 24) | (upper & 0xff00) | ((lower >>> 8) & 0xff_0000) | ((lower << 16) & 0xff00_0000);
  };

  const lookAt = (red: number, green: number, blue: number): number =>
    look(((reds[red] as number) + (greens[green] as number) + (blues[blue] as number)) | 0);

  const placeOf = (pixels: Uint8Array, from: number): number =>
    ((reds[pixels[from] as number] as number) +
      (greens[pixels[from + 1] as number] as number) +
      (blues[pixels[from + 2] as number] as number)) |
    0;

  const convertPixels: ConvertPixels = (pixels, out = new Uint8Array(Math.floor(pixels.length / 3) * components)) => {
    const count = Math.floor(pixels.length / 3);
    let [last, word] = [-1, 0];
    if (components === 4 && out.byteOffset % 4 === 0) {
      // Writes four components as one 32-bit word, in little-endian byte order.
      const words = new Uint32Array(out.buffer, out.byteOffset, count);
      for (let i = 0; i < count; i += 1) {
        const place = placeOf(pixels, i * 3);
        if (place !== last) word = look(place);
        last = place;
        words[i] = word;
      }
      return out;
    }
    for (let i = 0, to = 0; i < count; i += 1) {
      const place = placeOf(pixels, i * 3);
      if (place !== last) word = look(place);
      last = place;
      for (let shift = 0; shift < components * 8; shift += 8, to += 1) out[to] = (word >>> shift) & 255;
    }
    return out;
  };

  const separate: SeparatePixels = (pixels) => {
    const count = Math.floor(pixels.length / 3);
    const black = new Uint8Array(count);
    let pixel = 0;
    if (pixels.byteOffset % 4 === 0) {
      // Four pixels at a time: three words in, three out.
      const words = new Uint32Array(pixels.buffer, pixels.byteOffset, (count >> 2) * 3);
      const blacks = new Uint32Array(black.buffer, 0, count >> 2);
      for (let four = 0, at = 0; four < blacks.length; four += 1, at += 3) {
        const x = words[at] as number;
        const y = words[at + 1] as number;
        const z = words[at + 2] as number;
        const one = ~lookAt(x & 255, (x >>> 8) & 255, (x >>> 16) & 255);
        const two = ~lookAt(x >>> 24, y & 255, (y >>> 8) & 255);
        const three = ~lookAt((y >>> 16) & 255, y >>> 24, z & 255);
        const last = ~lookAt((z >>> 8) & 255, (z >>> 16) & 255, z >>> 24);
        words[at] = (one & 0xff_ffff) | (two << 24);
        words[at + 1] = ((two >>> 8) & 0xffff) | (three << 16);
        words[at + 2] = ((three >>> 16) & 0xff) | (last << 8);
        blacks[four] = ~((one >>> 24) | ((two >>> 24) << 8) | ((three >>> 24) << 16) | ((last >>> 24) << 24));
      }
      pixel = blacks.length * 4;
    }
    for (; pixel < count; pixel += 1) {
      const word = look(placeOf(pixels, pixel * 3));
      for (let ink = 0; ink < 3; ink += 1) pixels[pixel * 3 + ink] = ~(word >>> (ink * 8));
      black[pixel] = word >>> 24;
    }
    return { chromatic: pixels, black };
  };
  return { convert: convertPixels, separate: components === 4 ? separate : null };
}

const cellOf = (at: number): number => Math.min(Math.floor(at), edge - 2);

/**
 * A table for 16 bits per component. Such images are rare, so it preserves all levels rather than being fast.
 * @param exact as for `createPixelTable`
 */
export function createDeepPixelTable(exact: Float32Array, components: number): ConvertDeepPixels {
  const table = exact.map((value) => clamp(value) * 65_535);
  const [reds, greens, blues] = [edge * edge * components, edge * components, components];
  const perCell = 65_535 / (edge - 1);

  return (pixels) => {
    const count = Math.floor(pixels.length / 3);
    const out = new Uint16Array(count * components);
    for (let i = 0; i < count; i += 1) {
      const r = (pixels[i * 3] as number) / perCell;
      const g = (pixels[i * 3 + 1] as number) / perCell;
      const b = (pixels[i * 3 + 2] as number) / perCell;
      const [r0, g0, b0] = [cellOf(r), cellOf(g), cellOf(b)];
      const [x, y, z] = [r - r0, g - g0, b - b0];
      const lowest = r0 * reds + g0 * greens + b0 * blues;
      // The axis of the largest remainder comes first, as in `makeRules`.
      const redFirst = x >= y;
      const [one, more] = redFirst ? [reds, x] : [greens, y];
      const least = Math.min(x, y);
      const second = z > more ? blues : one;
      const third = z > more ? blues + one : z > least ? one + blues : reds + greens;
      const [w1, w2, w3] = z > more ? [z, more, least] : z > least ? [more, z, least] : [more, least, z];
      for (let c = 0; c < components; c += 1) {
        out[i * components + c] =
          (table[lowest + c] as number) * (1 - w1) +
          (table[lowest + second + c] as number) * (w1 - w2) +
          (table[lowest + third + c] as number) * (w2 - w3) +
          (table[lowest + reds + greens + blues + c] as number) * w3 +
          0.5;
      }
    }
    return out;
  };
}
