/** Converts CalRGB and CalGray colours. */
import type { ColorSpace, PdfFile } from '@pdf2press/pdf';
import { clamp } from '../../editing/recolour/space-map.ts';

type Calibrated = Extract<ColorSpace, { family: 'CalRGB' | 'CalGray' }>;

/** CalRGB and CalGray colours as Lab, by their gamma and matrix (ISO 32000-1, 8.6.5.2 and 8.6.5.3). */
export function calibrated(file: PdfFile, space: Calibrated, values: readonly number[]): number[] {
  const list = (key: string, fallback: number[]): number[] => {
    const value = space.dict ? file.entry(space.dict, key) : null;
    return Array.isArray(value) && value.every((entry) => typeof entry === 'number') ? (value as number[]) : fallback;
  };
  const white = list('WhitePoint', [0.9505, 1, 1.089]);
  let xyz: number[];
  if (space.family === 'CalGray') {
    const gamma = space.dict ? file.entry(space.dict, 'Gamma') : null;
    const level = clamp(values[0] ?? 0) ** (typeof gamma === 'number' ? gamma : 1);
    xyz = white.map((part) => part * level);
  } else {
    const gamma = list('Gamma', [1, 1, 1]);
    const matrix = list('Matrix', [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const abc = [0, 1, 2].map((index) => clamp(values[index] ?? 0) ** (gamma[index] ?? 1));
    xyz = [0, 1, 2].map(
      (row) =>
        (abc[0] ?? 0) * (matrix[row] ?? 0) +
        (abc[1] ?? 0) * (matrix[row + 3] ?? 0) +
        (abc[2] ?? 0) * (matrix[row + 6] ?? 0),
    );
  }
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const [x = 0, y = 0, z = 0] = adapted(xyz, white).map((part, index) => f(part / (d50[index] ?? 1)));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** White point of the profile connection space. */
const d50 = [0.9642, 1, 0.8249] as const;
/** Bradford chromatic adaptation (ISO 15076-1, annex E). */
const toCones = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
] as const;
const fromCones = [
  [0.9869929, -0.1470543, 0.1599627],
  [0.4323053, 0.5183603, 0.0492912],
  [-0.0085287, 0.0400428, 0.9684867],
] as const;
const times = (matrix: readonly (readonly number[])[], vector: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, factor, index) => sum + factor * (vector[index] ?? 0), 0));

/** XYZ adapted to the white point of the profile connection space. */
function adapted(xyz: readonly number[], white: readonly number[]): number[] {
  const [from, to] = [times(toCones, white), times(toCones, d50)];
  const cones = times(toCones, xyz).map((cone, index) => (cone * (to[index] ?? 1)) / (from[index] || 1));
  return times(fromCones, cones);
}
