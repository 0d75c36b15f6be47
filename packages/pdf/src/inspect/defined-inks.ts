import { createColorSpaces } from '../interpret/color-spaces.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, type PdfArray, type PdfValue } from '../open/values.ts';

/** Names that do not denote spot inks. */
const notSpots = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'All', 'None', '']);
/** True for the name of a spot ink: not a process ink, not All or None (ISO 32000-1, 8.6.6.4). */
export const isSpot = (name: string): boolean => !notSpots.has(name);

/** Limit of objects that are searched. */
const maxSearched = 300_000;

/**
 * Spot inks defined by any Separation or DeviceN space of the file, used or not, with the family of the alternate
 * space.
 */
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
