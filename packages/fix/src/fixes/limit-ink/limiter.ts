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
  /** The colour with cyan, magenta and yellow in the same proportions, and its black. */
  scale: (inks: Inks) => Inks;
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
const steps = 12;
const side = steps + 1;
const maxIterations = 14;
/** Squared colour difference that is good enough. */
const goodEnough = 0.04;
/** What a total of one full ink above the limit counts as a colour difference. */
const overWeight = 200;
/** Amounts of black that are tried. */
const blackSteps = 8;
/** Share of each other ink that more black takes the place of, as a first guess. */
const replaced = 0.7;
/** Bisections between two of them. */
const halvings = 4;

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
    const most = Math.min(c, m, y) < blackStart ? k : Math.max(k, maxBlack);
    const at = (black: number): Match & { black: number } => {
      // Black takes the place of nearly as much of each of the others.
      const start = [c, m, y].map((ink) => within(ink - replaced * (black - k))) as Triple;
      return { ...match({ labOf, target, room: maxInk - black }, start, black), black };
    };
    // From little black to much: the first that makes the colour is taken, for it keeps most of the other inks.
    let best = at(k);
    let below = k;
    for (let part = 1; part <= blackSteps && best.error > goodEnough; part += 1) {
      const found = at(k + ((most - k) * part) / blackSteps);
      if (found.error < best.error) [best, below] = [found, k + ((most - k) * (part - 1)) / blackSteps];
    }
    for (let time = 0; time < halvings && best.error <= goodEnough; time += 1) {
      const found = at((below + best.black) / 2);
      if (found.error <= goodEnough) best = found;
      else below = found.black;
    }
    const found = fitted(best.inks, best.black);
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

  const scale = (inks: Inks): Inks => {
    if (!isOver(inks)) return inks;
    const [c, m, y, k] = inks;
    const found = fitted([c, m, y], k);
    worst = Math.max(worst, Math.sqrt(distance(labOf(found), labOf(inks))));
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
    scale,
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

interface Match {
  inks: Triple;
  /** Squared colour difference, and what is above the limit. */
  error: number;
}
interface Goal {
  labOf: (inks: Inks) => Lab;
  target: Lab;
  /** Total of cyan, magenta and yellow within the limit. */
  room: number;
}
/** What is missing to the target in L, a and b, and what is too much of ink. */
type Rest = [number, number, number, number];

/**
 * Cyan, magenta and yellow that come nearest to a colour beside so much black, within the limit (Levenberg–Marquardt, each
 * ink from 0 to 1).
 */
function match({ labOf, target, room }: Goal, start: Triple, k: number): Match {
  const restOf = (inks: Triple): Rest => {
    const lab = labOf([...inks, k]);
    const over = Math.max(0, inks[0] + inks[1] + inks[2] - room);
    return [target[0] - lab[0], target[1] - lab[1], target[2] - lab[2], -overWeight * over];
  };
  let inks: Triple = [...start];
  let rest = restOf(inks);
  let error = dot(rest, rest);
  let damping = 1;
  for (let time = 0; time < maxIterations && error > goodEnough && damping < mostDamping; time += 1) {
    const slopes = inks.map((ink, at) => {
      const step = ink > 0.5 ? -nudge : nudge;
      const moved: Triple = [...inks];
      moved[at] = ink + step;
      const there = restOf(moved);
      return rest.map((value, axis) => (value - (there[axis] as number)) / step);
    }) as Slopes;
    holdAtEnds(slopes, inks, rest);
    // One set of slopes serves until a step succeeds.
    for (; damping < mostDamping; damping *= 4) {
      const move = stepOf(slopes, rest, damping);
      const tried = inks.map((ink, at) => within(ink + (move[at] as number))) as Triple;
      const there = restOf(tried);
      const now = dot(there, there);
      if (now >= error) continue;
      [inks, rest, error] = [tried, there, now];
      damping = Math.max(damping / 10, 1e-6);
      break;
    }
  }
  return { inks, error };
}

/** For each ink, how the colour and the total change with it. */
type Slopes = [Rest, Rest, Rest];
const mostDamping = 1e6;
const dot = (a: Rest, b: Rest): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];

/** An ink that is at an end of its range and would have to go on beyond it stays there. */
function holdAtEnds(slopes: Slopes, inks: Triple, rest: Rest): void {
  for (const at of [0, 1, 2] as const) {
    const wish = dot(slopes[at], rest);
    if ((inks[at] <= 0 && wish < 0) || (inks[at] >= 1 && wish > 0)) slopes[at] = [0, 0, 0, 0];
  }
}

/** Solves (J Jᵀ + damping) · move = J · rest by Cramer's rule; the rows of J are the slopes of the inks. */
function stepOf(slopes: Slopes, rest: Rest, damping: number): Triple {
  const wanted = slopes.map((row) => dot(row, rest));
  const entry = (row: number, column: number): number =>
    dot(slopes[row] as Rest, slopes[column] as Rest) + (row === column ? damping : 0);
  /** The matrix, with one of its columns replaced by what is wanted. */
  const square = (replaced: number | null): Square => {
    const line = (row: number) => triple((to) => (to === replaced ? (wanted[row] as number) : entry(row, to)));
    return [line(0), line(1), line(2)];
  };
  const full = determinant(square(null));
  return triple((column) => determinant(square(column)) / full);
}

const triple = (make: (at: number) => number): Triple => [make(0), make(1), make(2)];
type Square = readonly [Triple, Triple, Triple];
const determinant = ([[a, b, c], [d, e, f], [g, h, i]]: Square): number =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
