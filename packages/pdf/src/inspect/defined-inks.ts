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
 * Visits all Separation and DeviceN spaces that objects of the file define, used or not.
 * @param visit ends the search by `false`
 */
function eachInkSpace(file: PdfFile, visit: (array: PdfArray) => boolean): void {
  const search = (value: PdfValue, depth: number): boolean => {
    if (depth > 20) return true;
    if (isArray(value)) {
      const [first] = value;
      const isSpace = value.length >= 4 && (isName(first, 'Separation') || isName(first, 'DeviceN'));
      if (isSpace && !visit(value)) return false;
      return value.every((entry) => typeof entry !== 'object' || search(entry, depth + 1));
    }
    if (!isDict(value)) return true;
    return [...value.map.values()].every((entry) => typeof entry !== 'object' || search(entry, depth + 1));
  };
  for (let num = 1; num < Math.min(file.objectCount, maxSearched); num += 1) if (!search(file.get(num), 0)) return;
}

/**
 * Spot inks defined by any Separation or DeviceN space of the file, used or not, with the family of the alternate
 * space.
 */
export function definedSpots(file: PdfFile): Map<string, string | null> {
  const spots = new Map<string, string | null>();
  const spaces = createColorSpaces(file);
  eachInkSpace(file, (array) => {
    const space = spaces.read(array, null);
    if (space.family === 'Separation' || space.family === 'DeviceN')
      for (const name of space.names) if (isSpot(name) && !spots.has(name)) spots.set(name, space.alternate.family);
    return true;
  });
  return spots;
}

/** The first Separation space of an ink, by its name as written in the file; null when there is none. */
export function separationOf(file: PdfFile, name: string): PdfArray | null {
  let found: PdfArray | null = null;
  eachInkSpace(file, (array) => {
    if (isName(array[0] ?? null, 'Separation') && isName(file.resolve(array[1]), name)) found = array;
    return found === null;
  });
  return found;
}
