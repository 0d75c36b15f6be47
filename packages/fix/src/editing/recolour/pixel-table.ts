/**
 * Converts pixels of three components with a three-dimensional lookup table and tetrahedral interpolation in integers.
 */
import { createPixelProgram, pixelsPerCall, pointBytes, ruleBits, ruleBytes } from './pixel-program.ts';
import { type ConvertDeepPixels, type ConvertPixels, clamp, type SeparatePixels } from './space-map.ts';

/** Levels between two points of the table: 51 × 5 = 255, so that every weight is a whole number of fifths. */
const step = 5;
const edge = 255 / step + 1;
/** Scales weight (in fifths) × table value to an 8-bit level with 8 fractional bits, so that values fit into 16 bits. */
const scale = 256 / step;

/**
 * Distances in the table and weights by the position of a pixel within its cell (0–5 on each axis). The tetrahedron follows
 * from the order of the three remainders: the axis of the largest comes first.
 */
function fillRules(rules: Int32Array, [red, green, blue]: readonly [number, number, number]): void {
  const size = step + 1;
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
    const weights = [step - x[0], x[0] - y[0], y[0] - z[0], z[0]] as const;
    rules.set(
      [x[1], x[1] + y[1], weights[0] | (weights[1] << 16), weights[2] | (weights[3] << 16)],
      rule * (ruleBytes / 4),
    );
  }
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
 * Builds the table.
 * @param exact what the points of the table (`gridPoints`) become, components 0–1
 * @param components of the result: 1, 3 or 4
 */
export function createPixelTable(exact: Float32Array, components: number): PixelTable {
  const strides = [edge * edge * pointBytes, edge * pointBytes, pointBytes] as const;
  const program = createPixelProgram(edge ** 3, strides[0] + strides[1] + strides[2]);
  // A point has room for four components.
  for (let point = 0, from = 0; point < edge ** 3; point += 1) {
    for (let component = 0; component < components; component += 1, from += 1)
      program.points[point * 4 + component] = Math.round(clamp(exact[from] ?? 0) * 255 * scale);
  }
  fillRules(program.rules, strides);
  strides.forEach((stride, axis) => {
    for (let level = 0; level < 256; level += 1) {
      const cell = Math.min(Math.floor(level / step), edge - 2);
      // The sum over three axes gives the distance of the cell and the rule.
      program.axes[axis * 256 + level] =
        ((cell * stride) << ruleBits) | ((level - cell * step) * (step + 1) ** (2 - axis));
    }
  });

  const convert: ConvertPixels = (pixels, out = new Uint8Array(Math.floor(pixels.length / 3) * components)) => {
    for (const { from, to } of callsFor(pixels)) {
      const four = program.words(pixels.subarray(from * 3, to * 3));
      if (components === 4) out.set(four, from * 4);
      else takeFirst(components, four, out.subarray(from * components, to * components));
    }
    return out;
  };

  const separate: SeparatePixels = (pixels) => {
    const black = new Uint8Array(Math.floor(pixels.length / 3));
    for (const { from, to } of callsFor(pixels))
      program.apart(pixels.subarray(from * 3, to * 3), black.subarray(from, to));
    return { chromatic: pixels, black };
  };
  return { convert, separate: components === 4 ? separate : null };
}

/** Numbers of the pixels that the calls of a program convert. */
function* callsFor(pixels: Uint8Array): Generator<{ from: number; to: number }> {
  const count = Math.floor(pixels.length / 3);
  for (let from = 0; from < count; from += pixelsPerCall) yield { from, to: Math.min(count, from + pixelsPerCall) };
}

/** The first components of each pixel of four. */
function takeFirst(components: number, four: Uint8Array, out: Uint8Array): void {
  for (let from = 0, to = 0; to < out.length; from += 4) {
    for (let component = 0; component < components; component += 1, to += 1) out[to] = four[from + component] as number;
  }
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
      // The axis of the largest remainder comes first, as in `fillRules`.
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
