/** Finds inks of the same colour with less of them, by the profile of the press. */
import type { ColourService, ProfileRef } from '@pdf2press/pdf';

export type Inks = readonly [c: number, m: number, y: number, k: number];
type Lab = readonly [number, number, number];
type Triple = [number, number, number];

export interface InkLimits {
  /** Shares of 1, the total of up to 4. */
  maxInk: number;
  maxBlack: number;
  blackStart: number;
}

export interface InkLimiter {
  isOver: (inks: Inks) => boolean;
  /** The colour with a total within the limit; itself where it is. */
  limit: (inks: Inks) => Inks;
  /** Pixels of 8 bits, interleaved, changed in place. Returns how many were over the limit. */
  limitPixels: (pixels: Uint8Array) => number;
  /** The largest colour difference (CIE 1976) so far. */
  worst: () => number;
}

/** Totals that are above the limit by rounding only are within it. */
const rounding = 0.0005;
/** Four inks of 8 bits are rounded by half a level each. */
const pixelRounding = 2;
/** Steps of each ink between the nodes of the table for pixels. */
const steps = 16;
const side = steps + 1;
const maxIterations = 14;
/** Squared colour difference that is good enough. */
const goodEnough = 0.01;
/** Share of each other ink that more black takes the place of, as a first guess. */
const replaced = 0.7;
/** Bisections of the range of black. */
const halvings = 7;

export function createLimiter(colour: ColourService, profile: ProfileRef, limits: InkLimits): InkLimiter {
  const { maxInk, maxBlack, blackStart } = limits;
  const known = new Map<string, Inks>();
  const nodes = new Map<number, Inks>();
  let worst = 0;
  const labOf = (inks: Inks): Lab =>
    colour.convert(inks, { from: profile, to: 'Lab', intent: 'relative', blackPointCompensation: false }) as never;
  const isOver = ([c, m, y, k]: Inks): boolean => c + m + y + k > maxInk + rounding;

  /** Less cyan, magenta and yellow in the same proportions, where they are still too much. */
  const fitted = ([c, m, y]: Triple, k: number): Inks => {
    const chromatic = c + m + y;
    const share = chromatic > maxInk - k && chromatic > 0 ? Math.max(0, maxInk - k) / chromatic : 1;
    return [c * share, m * share, y * share, k];
  };

  const solve = (inks: Inks): Inks => {
    const [c, m, y, k] = inks;
    const target = labOf(inks);
    const start: Triple = [c, m, y];
    const most = Math.min(c, m, y) < blackStart ? k : Math.max(k, maxBlack);
    const total = ([a, b, d]: Triple, black: number): number => a + b + d + black;
    /** Black takes the place of nearly as much of each of the others. */
    const near = (at: number): Triple => start.map((ink) => within(ink - replaced * (at - k))) as Triple;
    let best = match(labOf, target, near(most), most);
    let black = most;
    if (total(best, most) <= maxInk) {
      // The least black with which the total is within the limit keeps most of the picture's structure.
      let [low, high] = [k, most];
      for (let time = 0; time < halvings; time += 1) {
        const middle = (low + high) / 2;
        const found = match(labOf, target, near(middle), middle);
        if (total(found, middle) <= maxInk) [best, black, high] = [found, middle, middle];
        else low = middle;
      }
    }
    const found = fitted(best, black);
    worst = Math.max(worst, Math.sqrt(distance(labOf(found), target)));
    return found;
  };

  const limit = (inks: Inks): Inks => {
    if (!isOver(inks)) return inks;
    const key = inks.join(' ');
    const found = known.get(key) ?? solve(inks);
    known.set(key, found);
    return found;
  };

  const node = (index: number): Inks => {
    const found = nodes.get(index);
    if (found) return found;
    const at = (place: number): number => (Math.floor(index / side ** place) % side) / steps;
    const made = limit([at(3), at(2), at(1), at(0)]);
    nodes.set(index, made);
    return made;
  };

  /** A pixel between the nodes of its cell. Totals of nodes are within the limit, so the total between them is. */
  const between = (pixels: Uint8Array, at: number): void => {
    const cell: number[] = [];
    const part: number[] = [];
    for (let ink = 0; ink < 4; ink += 1) {
      const place = ((pixels[at + ink] as number) / 255) * steps;
      const low = Math.min(Math.floor(place), steps - 1);
      cell.push(low);
      part.push(place - low);
    }
    const sum = [0, 0, 0, 0];
    for (let corner = 0; corner < 16; corner += 1) {
      let [weight, index] = [1, 0];
      for (let ink = 0; ink < 4; ink += 1) {
        const isHigh = (corner >> ink) & 1;
        weight *= isHigh ? (part[ink] as number) : 1 - (part[ink] as number);
        index = index * side + (cell[ink] as number) + isHigh;
      }
      if (weight === 0) continue;
      const inks = node(index);
      for (let ink = 0; ink < 4; ink += 1) sum[ink] = (sum[ink] as number) + weight * (inks[ink] as number);
    }
    for (let ink = 0; ink < 4; ink += 1) pixels[at + ink] = Math.round((sum[ink] as number) * 255);
  };

  return {
    isOver,
    limit,
    limitPixels(pixels) {
      const most = maxInk * 255 + pixelRounding;
      let count = 0;
      for (let at = 0; at + 3 < pixels.length; at += 4) {
        const total =
          (pixels[at] as number) + (pixels[at + 1] as number) + (pixels[at + 2] as number) + (pixels[at + 3] as number);
        if (total <= most) continue;
        count += 1;
        between(pixels, at);
      }
      return count;
    },
    worst: () => worst,
  };
}

const distance = (a: Lab, b: Lab): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
const within = (value: number): number => Math.min(1, Math.max(0, value));
/** Difference of an ink by which the slope of the colour is measured. */
const nudge = 0.01;

/** Cyan, magenta and yellow that come nearest to a colour beside so much black (Levenberg–Marquardt within 0 to 1). */
function match(labOf: (inks: Inks) => Lab, target: Lab, start: Triple, k: number): Triple {
  let inks: Triple = [...start];
  let lab = labOf([...inks, k]);
  let error = distance(lab, target);
  let damping = 1;
  for (let time = 0; time < maxIterations && error > goodEnough && damping < 1e6; time += 1) {
    const slopes = inks.map((ink, at) => {
      const step = ink > 0.5 ? -nudge : nudge;
      const moved: Triple = [...inks];
      moved[at] = ink + step;
      const there = labOf([...moved, k]);
      return [0, 1, 2].map((axis) => ((there[axis] as number) - (lab[axis] as number)) / step);
    }) as [Triple, Triple, Triple];
    const missing: Triple = [target[0] - lab[0], target[1] - lab[1], target[2] - lab[2]];
    holdAtEnds(slopes, inks, missing);
    // One set of slopes serves until a step succeeds.
    for (; damping < 1e6; damping *= 4) {
      const move = stepOf(slopes, missing, damping);
      const tried = inks.map((ink, at) => within(ink + (move[at] as number))) as Triple;
      const there = labOf([...tried, k]);
      const now = distance(there, target);
      if (now >= error) continue;
      [inks, lab, error] = [tried, there, now];
      damping = Math.max(damping / 10, 1e-6);
      break;
    }
  }
  return inks;
}

/** An ink that is at an end of its range and would have to go on beyond it stays there. */
function holdAtEnds(slopes: [Triple, Triple, Triple], inks: Triple, missing: Triple): void {
  for (const at of [0, 1, 2] as const) {
    const wish = slopes[at][0] * missing[0] + slopes[at][1] * missing[1] + slopes[at][2] * missing[2];
    if ((inks[at] <= 0 && wish < 0) || (inks[at] >= 1 && wish > 0)) slopes[at] = [0, 0, 0];
  }
}

/** Solves (J Jᵀ + damping) · move = J · missing by Cramer's rule; the rows of J are the slopes of the inks. */
function stepOf(slopes: readonly [Triple, Triple, Triple], missing: Triple, damping: number): Triple {
  const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const matrix = slopes.map((row, at) => slopes.map((other, to) => dot(row, other) + (at === to ? damping : 0))) as [
    Triple,
    Triple,
    Triple,
  ];
  const wanted = slopes.map((row) => dot(row, missing)) as Triple;
  const full = determinant(matrix);
  return [0, 1, 2].map(
    (column) =>
      determinant(
        matrix.map((row, at) => row.map((value, to) => (to === column ? wanted[at] : value))) as [
          Triple,
          Triple,
          Triple,
        ],
      ) / full,
  ) as Triple;
}

const determinant = ([[a, b, c], [d, e, f], [g, h, i]]: readonly [Triple, Triple, Triple]): number =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
