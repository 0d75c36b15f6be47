/** What becomes of a colour space: where its colours go, and how. */
import type { ColorSpace, PdfValue } from '@pdf2press/pdf';

export interface SpaceMap {
  /** The new space as an entry of resources, images and shadings. */
  value: PdfValue;
  /** Operators of a device space; null for one that needs `cs`. */
  device: { fill: 'g' | 'rg' | 'k'; stroke: 'G' | 'RG' | 'K' } | null;
  components: number;
  /** Component ranges as Decode; 0 1 each for all but Lab. */
  convert: (values: readonly number[]) => number[];
  /** The components stay what they are: only the space behind them changes. */
  isSameValues: boolean;
  /**
   * Many colours at once, 8 bits a component, spread over the source's natural ranges (0–255 = 0–1; Lab: its Range).
   * Absent: `convert` does.
   */
  convertPixels?: (pixels: Uint8Array) => Uint8Array;
}

/** Null leaves a space as it is. `isInMask`: luminosity of a soft mask is at stake, not ink. */
export type MapSpace = (space: ColorSpace, isInMask: boolean) => SpaceMap | null;

export const clamp = (value: number): number => (value < 0 ? 0 : Math.min(value, 1));

/** The natural range of each component, low and high by turns. */
export function rangesOf(space: ColorSpace): number[] {
  if (space.family === 'Lab') return [0, 100, ...space.range];
  if (space.family === 'Indexed') return [0, space.hival];
  return Array.from({ length: space.components * 2 }, (_, index) => index % 2);
}

const tableEdge = 33;

/** A lookup table over three components with tetrahedral interpolation: some thirty million pixels a second. */
export function table3(
  convert: (grid: Float32Array) => Float32Array,
  components: number,
): (pixels: Uint8Array) => Uint8Array {
  const grid = new Float32Array(tableEdge ** 3 * 3);
  for (let r = 0, at = 0; r < tableEdge; r += 1) {
    for (let g = 0; g < tableEdge; g += 1) {
      for (let b = 0; b < tableEdge; b += 1) {
        grid[at++] = r / (tableEdge - 1);
        grid[at++] = g / (tableEdge - 1);
        grid[at++] = b / (tableEdge - 1);
      }
    }
  }
  // Sixteenths of a level: rounding of the table does not add to that of the result.
  const table = Int32Array.from(convert(grid), (value) => Math.round(clamp(value) * 255 * 16));
  const steps = new Int32Array(256);
  const rests = new Int32Array(256);
  for (let level = 0; level < 256; level += 1) {
    const place = (level * (tableEdge - 1)) / 255;
    steps[level] = Math.min(Math.floor(place), tableEdge - 2);
    rests[level] = Math.round((place - (steps[level] as number)) * 256);
  }
  const [strideR, strideG, strideB] = [tableEdge * tableEdge * components, tableEdge * components, components];
  return (pixels) => {
    const count = Math.floor(pixels.length / 3);
    const out = new Uint8Array(count * components);
    let last = -1;
    for (let i = 0, from = 0, to = 0; i < count; i += 1, from += 3, to += components) {
      const [red, green, blue] = [pixels[from] as number, pixels[from + 1] as number, pixels[from + 2] as number];
      const colour = (red << 16) | (green << 8) | blue;
      if (colour === last) {
        for (let c = 0; c < components; c += 1) out[to + c] = out[to - components + c] as number;
        continue;
      }
      last = colour;
      const base =
        (steps[red] as number) * strideR + (steps[green] as number) * strideG + (steps[blue] as number) * strideB;
      const [x, y, z] = [rests[red] as number, rests[green] as number, rests[blue] as number];
      // The six tetrahedra of a cell: the way from corner to corner follows the largest rest first.
      let [first, second, w1, w2, w3] = [0, 0, 0, 0, 0];
      if (x >= y) {
        if (y >= z) [first, second, w1, w2, w3] = [strideR, strideR + strideG, x, y, z];
        else if (x >= z) [first, second, w1, w2, w3] = [strideR, strideR + strideB, x, z, y];
        else [first, second, w1, w2, w3] = [strideB, strideR + strideB, z, x, y];
      } else if (z >= y) [first, second, w1, w2, w3] = [strideB, strideG + strideB, z, y, x];
      else if (z >= x) [first, second, w1, w2, w3] = [strideG, strideG + strideB, y, z, x];
      else [first, second, w1, w2, w3] = [strideG, strideR + strideG, y, x, z];
      const [k0, k1, k2] = [256 - w1, w1 - w2, w2 - w3];
      const third = strideR + strideG + strideB;
      for (let c = 0; c < components; c += 1) {
        const at = base + c;
        const sum =
          (table[at] as number) * k0 +
          (table[at + first] as number) * k1 +
          (table[at + second] as number) * k2 +
          (table[at + third] as number) * w3;
        out[to + c] = (sum + 2048) >> 12;
      }
    }
    return out;
  };
}
