/** Draws from a seeded source of numbers from 0 to below 1. */
export type Random = () => number;

export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);
export const isDrawn = (random: Random, share: number): boolean => random() < share;
export function pick<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[Math.floor(random() * choices.length)];
  if (chosen === undefined) throw new RangeError('nothing to pick from');
  return chosen;
}

/** A number as PDF source, never in exponents. */
export const num = (value: number): string => String(Number(value.toFixed(9)));
