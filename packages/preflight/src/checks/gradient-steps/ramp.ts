/** How long a gradient is on the page, and how much its colour changes over that length. */
import {
  arrayOf,
  baseSpace,
  compileFunction,
  type Matrix,
  type PdfFile,
  type Shading,
  transformPoint,
} from '@pdf2press/pdf';

export interface Ramp {
  /** Points of default user space from the first colour to the last. */
  length: number;
  /** Sum of the changes of the component that changes most, 1 = from nothing to full. */
  change: number;
}

/** The function of a gradient is looked at in so many parts: colours may go to and fro. */
const parts = 64;

/** Range of the components of Lab; all others go from 0 to 1. */
const labRange = [100, 255, 255];

/** Axial and radial gradients (ISO 32000-1, 8.7.4.5.3 and .4); null for meshes, which have their colours at points. */
export function rampOf(file: PdfFile, { type, dict, space }: Shading, matrix: Matrix): Ramp | null {
  const coordinates = numbersOf(file, arrayOf(file, dict, 'Coords'));
  const length = type === 2 ? axis(coordinates, matrix) : type === 3 ? radius(coordinates, matrix) : null;
  const colourAt = length === null ? null : compileFunction(file, dict.map.get('Function'));
  if (length === null || !colourAt) return null;
  const [first = 0, last = 1] = numbersOf(file, arrayOf(file, dict, 'Domain'));
  const ranges = baseSpace(space).family === 'Lab' ? labRange : [];
  const changes: number[] = [];
  let before = colourAt([first]);
  for (let part = 1; part <= parts; part += 1) {
    const now = colourAt([first + ((last - first) * part) / parts]);
    for (const [at, value] of now.entries())
      changes[at] = (changes[at] ?? 0) + Math.abs(value - (before[at] ?? value)) / (ranges[at] ?? 1);
    before = now;
  }
  return { length, change: Math.max(0, ...changes) };
}

const numbersOf = (file: PdfFile, values: readonly unknown[]): number[] =>
  values.map((value) => Number(file.resolve(value as never)));

function axis([x0, y0, x1, y1]: readonly number[], matrix: Matrix): number | null {
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return null;
  const [from, to] = [transformPoint(matrix, x0, y0), transformPoint(matrix, x1, y1)];
  return Math.hypot(to[0] - from[0], to[1] - from[1]);
}

/** The longest way from the first circle to the second one. */
function radius([x0, y0, r0, x1, y1, r1]: readonly number[], matrix: Matrix): number | null {
  if (x0 === undefined || y0 === undefined || r0 === undefined) return null;
  if (x1 === undefined || y1 === undefined || r1 === undefined) return null;
  const scale = Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]));
  return (Math.abs(r1 - r0) + Math.hypot(x1 - x0, y1 - y0)) * scale;
}
