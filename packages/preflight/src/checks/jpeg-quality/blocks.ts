/** Edges of JPEG blocks in the pixels of a picture, whatever it is compressed with now. */
import type { Samples } from '@pdf2press/pdf';

/** Side of a block of JPEG in pixels (ITU-T T.81). */
const side = 8;

/** Of so many lines one is looked at: neighbours say the same. */
const lineStep = 3;

/** A step between two pixels, of 255, that may be the edge of a block: less is noise, more is drawn. */
const steps = { min: 6, max: 32 };

/**
 * How many times more often a small step between flat neighbours lies at the edges of blocks than anywhere else; 1 for a
 * picture that was never a JPEG. The mean of both directions; the grid may begin anywhere, for the picture may be cropped.
 */
export function blockiness({ width, height, components, bits, data }: Samples): number {
  const top = (1 << Math.min(bits, 16)) - 1;
  const mean = (x: number, y: number): number => {
    let sum = 0;
    for (let at = (y * width + x) * components, end = at + components; at < end; at += 1) sum += data[at] ?? 0;
    return (sum * 255) / (components * top);
  };
  const across = excess(width, height, mean);
  const down = excess(height, width, (y, x) => mean(x, y));
  return Math.sqrt(across * down);
}

/** Steps are this rare in drawings and flat areas; there chance decides. */
const rareShare = 0.02;

function excess(length: number, lines: number, at: (place: number, line: number) => number): number {
  const places = new Float64Array(side);
  const edges = new Float64Array(side);
  for (let line = 0; line < lines; line += lineStep) {
    let [before, one, two] = [at(0, line), at(1, line), at(2, line)];
    for (let place = 1; place + 2 < length; place += 1) {
      const after = at(place + 2, line);
      const step = Math.abs(one - two);
      const phase = place % side;
      places[phase] = (places[phase] as number) + 1;
      const isEdge =
        step >= steps.min && step <= steps.max && Math.max(Math.abs(before - one), Math.abs(two - after)) < step / 2;
      if (isEdge) edges[phase] = (edges[phase] as number) + 1;
      [before, one, two] = [one, two, after];
    }
  }
  const shares = Array.from(edges, (count, phase) => count / Math.max(1, places[phase] as number));
  const most = Math.max(...shares);
  if (most < rareShare) return 1;
  const others = (shares.reduce((sum, share) => sum + share, 0) - most) / (side - 1);
  return most / Math.max(others, rareShare / side);
}
