import { z } from 'zod';

/** A word as it is compared: its letters and digits, whatever their case and whatever stands between them. */
export const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * One of some words, however it is written: `WorkAndTurn`, `work-and-turn`, `Alternate 180`. `others` are further names
 * that job tickets know it by.
 */
export function word<const T extends string>(options: readonly [T, ...T[]], others: Readonly<Record<string, T>> = {}) {
  const known = new Map([...options.map((one) => [plain(one), one] as const), ...Object.entries(others)]);
  return z.preprocess(
    (value) => (typeof value === 'string' ? (known.get(plain(value)) ?? value) : value),
    z.enum(options),
  );
}
