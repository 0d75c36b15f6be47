/** Counts letters in lines of text in a picture, whatever their colour and that of the ground. */
import type { Samples } from '@pdf2press/pdf';

/** Tones of a picture, 0 to 255; which end is dark does not matter. */
interface Tones {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Box of connected pixels, and how many there are. */
interface Shape {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  count: number;
}

/** Letters are looked for at about this resolution: type of 6 pt has capitals of nine pixels. */
export const lookedAtPpi = 150;

/** Height of letters in pixels: capitals of 4 to 40 pt. */
const heights = { min: 5, max: 58 };
/** Half the side of the area around a pixel that its tone is compared with: as large as the letters of headings. */
const reach = 20;
/** Difference to the ground, of 255, from which a pixel belongs to a letter. */
const stands = 36;
/** Fewer letters in a line are found in anything. */
const leastInLine = 6;

/** Letters in lines in a picture that is shown at this resolution. */
export function lettersIn(samples: Samples, ppi: number): number {
  const tones = tonesOf(samples, Math.max(1, Math.round(ppi / lookedAtPpi)));
  const ground = meansOf(tones);
  const count = (sign: 1 | -1) => lettersInLines(shapesOf(tones, ground, sign));
  return Math.max(count(1), count(-1));
}

/** The mean of squares of so many pixels, of all components. */
function tonesOf({ width, height, components, bits, data }: Samples, by: number): Tones {
  const [columns, rows] = [Math.floor(width / by), Math.floor(height / by)];
  const top = (2 ** bits - 1) * components * by * by;
  const pixels = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      let sum = 0;
      for (let y = row * by; y < (row + 1) * by; y += 1) {
        const from = (y * width + column * by) * components;
        for (let at = from; at < from + by * components; at += 1) sum += data[at] as number;
      }
      pixels[row * columns + column] = (sum * 255) / top;
    }
  return { width: columns, height: rows, pixels };
}

/** The mean around every pixel. */
function meansOf({ width, height, pixels }: Tones): Uint8Array {
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += pixels[y * width + x] as number;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] as number) + row;
    }
  }
  const means = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)];
    const upper = sums.subarray(top * stride, (top + 1) * stride);
    const lower = sums.subarray(bottom * stride, (bottom + 1) * stride);
    for (let x = 0; x < width; x += 1) {
      const left = Math.max(0, x - reach);
      const right = Math.min(width, x + reach + 1);
      const sum =
        (lower[right] as number) - (upper[right] as number) - (lower[left] as number) + (upper[left] as number);
      means[y * width + x] = sum / ((bottom - top) * (right - left));
    }
  }
  return means;
}

/** Connected pixels that are brighter (1) or darker (-1) than what is around them, where they are as large as letters. */
function shapesOf({ width, height, pixels }: Tones, ground: Uint8Array, sign: 1 | -1): Shape[] {
  // `Uint8Array.from` would make a list of all pixels first.
  const left = new Uint8Array(pixels.length);
  for (let at = 0; at < left.length; at += 1)
    if (sign * ((pixels[at] as number) - (ground[at] as number)) > stands) left[at] = 1;
  const shapes: Shape[] = [];
  const waiting: number[] = [];
  for (let start = 0; start < left.length; start += 1) {
    if (!left[start]) continue;
    const shape: Shape = { x0: width, y0: height, x1: 0, y1: 0, count: 0 };
    left[start] = 0;
    waiting.push(start);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const y = Math.floor(at / width);
      const x = at - y * width;
      shape.x0 = Math.min(shape.x0, x);
      shape.x1 = Math.max(shape.x1, x + 1);
      shape.y0 = Math.min(shape.y0, y);
      shape.y1 = Math.max(shape.y1, y + 1);
      shape.count += 1;
      for (let dy = y > 0 ? -1 : 0; dy <= (y + 1 < height ? 1 : 0); dy += 1)
        for (let dx = x > 0 ? -1 : 0; dx <= (x + 1 < width ? 1 : 0); dx += 1) {
          const next = at + dy * width + dx;
          if (!left[next]) continue;
          left[next] = 0;
          waiting.push(next);
        }
    }
    if (isLetter(shape)) shapes.push(shape);
  }
  return shapes;
}

/** By its size and by how much of its box it fills: strokes with space between them. */
function isLetter({ x0, y0, x1, y1, count }: Shape): boolean {
  const [width, height] = [x1 - x0, y1 - y0];
  const filled = count / (width * height);
  return height >= heights.min && height <= heights.max && width <= 2 * height && filled >= 0.15 && filled <= 0.95;
}

/** Letters that stand beside each other on one line, at least six in a row. */
function lettersInLines(shapes: readonly Shape[]): number {
  const open: Shape[][] = [];
  const lines: Shape[][] = [];
  for (const shape of shapes.toSorted((a, b) => a.x0 - b.x0)) {
    // Lines that end far left of here are ended.
    for (let at = open.length - 1; at >= 0; at -= 1)
      if (shape.x0 - ((open[at] as Shape[]).at(-1)?.x1 ?? 0) > 2 * heights.max) lines.push(...open.splice(at, 1));
    const line = open.find((known) => follows(known.at(-1) as Shape, shape));
    if (line) line.push(shape);
    else open.push([shape]);
  }
  return [...lines, ...open].reduce((sum, line) => sum + (isLine(line) ? line.length : 0), 0);
}

/** Whether a letter is the next one on a line: on the same base, of a similar height, not further than a space. */
function follows(last: Shape, next: Shape): boolean {
  const [a, b] = [last.y1 - last.y0, next.y1 - next.y0];
  const tall = Math.max(a, b);
  const gap = next.x0 - last.x1;
  return (
    gap >= -0.2 * tall &&
    gap <= 1.2 * tall &&
    Math.min(a, b) >= 0.5 * tall &&
    Math.abs(last.y1 - next.y1) <= 0.35 * tall
  );
}

/** Of the letters of a line, two in three stand on its base to a pixel; most differ in width from each other. */
function isLine(line: readonly Shape[]): boolean {
  if (line.length < leastInLine) return false;
  const bases = line.map(({ y1 }) => y1).toSorted((a, b) => a - b);
  const base = bases[Math.floor(bases.length / 2)] as number;
  const standing = bases.filter((each) => Math.abs(each - base) <= 1).length;
  const widths = new Set(line.map(({ x0, x1 }) => x1 - x0));
  return standing >= (line.length * 2) / 3 && widths.size >= 3;
}
