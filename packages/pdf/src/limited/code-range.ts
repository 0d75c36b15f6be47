import { readFileSync } from 'node:fs';

/** Sum of what a process may both write and execute, bytes; `maps` is its /proc/…/maps. */
export const writableCode = (maps: string): number =>
  [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm)].reduce(
    (sum, [, from = '', to = '']) => sum + Number.parseInt(to, 16) - Number.parseInt(from, 16),
    0,
  );

let known: number | undefined;

/**
 * Address space that V8 keeps for code from its start on, bytes. Since Node 24 it is half a gigabyte that counts as private
 * writable memory, although hardly any of it is used. Looked up in this process, since its children run the same Node; 0 where
 * there is no /proc.
 */
export function codeRange(): number {
  try {
    known ??= writableCode(readFileSync('/proc/self/maps', 'latin1'));
  } catch {
    known = 0;
  }
  return known;
}
