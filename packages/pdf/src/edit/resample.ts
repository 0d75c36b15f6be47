/** Reduces the number of pixels of a picture, each component separately. */

/** `Average`: mean of the covered area. `Bicubic`: Catmull-Rom. */
export type ResampleMethod = 'Bicubic' | 'Average';

interface Taps {
  start: number;
  weights: Float32Array;
}

/** The Catmull-Rom kernel, the usual bicubic. */
function cubic(x: number): number {
  const t = Math.abs(x);
  if (t < 1) return 1.5 * t ** 3 - 2.5 * t ** 2 + 1;
  return t < 2 ? -0.5 * t ** 3 + 2.5 * t ** 2 - 4 * t + 2 : 0;
}

/** For each new pixel the old pixels it consists of, with weights. The kernel is widened by the reduction factor. */
function tapsOf(from: number, to: number, method: ResampleMethod): Taps[] {
  const scale = from / to;
  return Array.from({ length: to }, (_, index) => {
    const centre = (index + 0.5) * scale;
    const reach = method === 'Average' ? scale / 2 : 2 * scale;
    const start = Math.max(0, Math.floor(centre - reach));
    const end = Math.min(from, Math.ceil(centre + reach));
    const weights = Float32Array.from({ length: end - start }, (_, tap) => {
      const x = start + tap;
      // The overlap of old and new pixel, or the kernel at the centre of the old pixel.
      if (method === 'Average') return Math.max(0, Math.min(x + 1, centre + reach) - Math.max(x, centre - reach));
      return cubic((x + 0.5 - centre) / scale);
    });
    const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
    return { start, weights: weights.map((weight) => weight / sum) };
  });
}

/** A picture that is read row by row, so that it never has to be unpacked as a whole. */
export interface RowSource {
  width: number;
  height: number;
  components: number;
  /** Interleaved samples of a row, from the top. */
  row: (y: number) => ArrayLike<number>;
}

/**
 * Scales a picture to a smaller size, each sample rounded and clipped to 0 and `most`.
 * @param most largest sample: 255, or 65,535 for 16 bits, which gives the result its array type
 */
export function resample(from: RowSource, to: { width: number; height: number }, method: ResampleMethod): Uint8Array;
export function resample(
  from: RowSource,
  to: { width: number; height: number },
  method: ResampleMethod,
  most: 255 | 65_535,
): Uint8Array | Uint16Array;
export function resample(
  from: RowSource,
  to: { width: number; height: number },
  method: ResampleMethod,
  most: 255 | 65_535 = 255,
): Uint8Array | Uint16Array {
  const { components } = from;
  const columns = tapsOf(from.width, to.width, method);
  const rows = tapsOf(from.height, to.height, method);
  const samples = to.width * to.height * components;
  const out = most > 255 ? new Uint16Array(samples) : new Uint8Array(samples);
  // Rows already reduced in width, by row number; deleted when no further new row needs them.
  const narrowed = new Map<number, Float32Array>();
  const narrow = (y: number): Float32Array => {
    const known = narrowed.get(y);
    if (known) return known;
    const row = new Float32Array(to.width * components);
    const data = from.row(y);
    for (let x = 0; x < to.width; x += 1) {
      const { start, weights } = columns[x] as Taps;
      for (let c = 0; c < components; c += 1) {
        let sum = 0;
        for (let tap = 0, at = start * components + c; tap < weights.length; tap += 1, at += components)
          sum += (data[at] as number) * (weights[tap] as number);
        row[x * components + c] = sum;
      }
    }
    narrowed.set(y, row);
    return row;
  };
  const sum = new Float32Array(to.width * components);
  for (let y = 0; y < to.height; y += 1) {
    const { start, weights } = rows[y] as Taps;
    sum.fill(0);
    for (let tap = 0; tap < weights.length; tap += 1) {
      const row = narrow(start + tap);
      const weight = weights[tap] as number;
      for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] as number) + (row[at] as number) * weight;
    }
    const base = y * sum.length;
    for (let at = 0; at < sum.length; at += 1)
      out[base + at] = Math.min(most, Math.max(0, Math.round(sum[at] as number)));
    for (const row of narrowed.keys()) if (row < start) narrowed.delete(row);
  }
  return out;
}
