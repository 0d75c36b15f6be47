/** Colour that describes itself by white point, gammas and matrix. */
import type { ColorSpace, PdfFile } from '@pdf2press/pdf';
import { clamp } from '../frame/recolour/space-map.ts';

type Calibrated = Extract<ColorSpace, { family: 'CalRGB' | 'CalGray' }>;

/** CalRGB and CalGray as Lab, as their matrices and gammas say (ISO 32000-1, 8.6.5.2 and 3). */
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
  // Relative to its own white: media-relative, as the connection space is.
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const [x = 0, y = 0, z = 0] = xyz.map((part, index) => f(part / (white[index] || 1)));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
