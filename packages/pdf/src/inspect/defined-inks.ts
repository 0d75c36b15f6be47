import { createColorSpaces } from '../interpret/color-spaces.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, type PdfArray, type PdfValue } from '../open/values.ts';

/** Names that are no inks of their own. */
const notSpots = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'All', 'None', '']);
export const isSpot = (name: string): boolean => !notSpots.has(name);

/** More objects than this are not searched: what the pages use is found by reading them anyway. */
const maxSearched = 300_000;

/** Spots that any Separation or DeviceN space of the file defines, used or not, with the family they fall back on. */
export function definedSpots(file: PdfFile): Map<string, string | null> {
  const spots = new Map<string, string | null>();
  const spaces = createColorSpaces(file);
  const take = (array: PdfArray): void => {
    const space = spaces.read(array, null);
    if (space.family !== 'Separation' && space.family !== 'DeviceN') return;
    for (const name of space.names) if (isSpot(name) && !spots.has(name)) spots.set(name, space.alternate.family);
  };
  const search = (value: PdfValue, depth: number): void => {
    if (depth > 20) return;
    if (isArray(value)) {
      const [first] = value;
      if (value.length >= 4 && (isName(first, 'Separation') || isName(first, 'DeviceN'))) take(value);
      for (const entry of value) if (typeof entry === 'object') search(entry, depth + 1);
    } else if (isDict(value))
      for (const entry of value.map.values()) if (typeof entry === 'object') search(entry, depth + 1);
  };
  for (let num = 1; num < Math.min(file.objectCount, maxSearched); num += 1) search(file.get(num), 0);
  return spots;
}
