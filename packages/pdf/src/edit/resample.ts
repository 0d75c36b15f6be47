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

/**
 * Scales interleaved samples to a smaller size. The result has the same array type; values are clipped to its range.
 */
export function resample<T extends Uint8Array | Uint16Array>(
  data: T,
  from: { width: number; height: number; components: number },
  to: { width: number; height: number },
  method: ResampleMethod,
): T {
  const { components } = from;
  const most = data instanceof Uint16Array ? 65_535 : 255;
  const columns = tapsOf(from.width, to.width, method);
  const rows = tapsOf(from.height, to.height, method);
  const make = (length: number): T =>
    (data instanceof Uint16Array ? new Uint16Array(length) : new Uint8Array(length)) as T;
  const out = make(to.width * to.height * components);
  // Rows already reduced in width, by row number; deleted when no further new row needs them.
  const narrowed = new Map<number, Float32Array>();
  const narrow = (y: number): Float32Array => {
    const known = narrowed.get(y);
    if (known) return known;
    const row = new Float32Array(to.width * components);
    const base = y * from.width * components;
    for (let x = 0; x < to.width; x += 1) {
      const { start, weights } = columns[x] as Taps;
      for (let c = 0; c < components; c += 1) {
        let sum = 0;
        for (let tap = 0, at = base + start * components + c; tap < weights.length; tap += 1, at += components)
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
