/** Named destinations and bookmarks (ISO 32000-1, 12.3.2 and 12.3.3). */
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, isRef, isString, latin1, type PdfDict, type PdfValue } from '../open/values.ts';

/** Limits against circular and hostile trees; what was found before is used. */
const maxDepth = 30;
const maxEntries = 100_000;

/** Destinations by their names as bytes, one character each: of the name tree, and of the older dictionary of names. */
export interface NamedDestinations {
  strings: Map<string, PdfValue>;
  names: Map<string, PdfValue>;
}

export function namedDestinations(file: PdfFile): NamedDestinations {
  const strings = new Map<string, PdfValue>();
  const seen = new Set<number>();
  const walk = (value: PdfValue | undefined, depth: number): void => {
    if (isRef(value)) {
      if (seen.has(value.num)) return;
      seen.add(value.num);
    }
    const node = file.resolve(value);
    if (!isDict(node) || depth > maxDepth) return;
    const pairs = file.entry(node, 'Names');
    for (let at = 0; isArray(pairs) && at + 1 < pairs.length && strings.size < maxEntries; at += 2) {
      const name = file.resolve(pairs[at]);
      if (isString(name)) strings.set(latin1(name.bytes), pairs[at + 1] ?? null);
    }
    const kids = file.entry(node, 'Kids');
    if (isArray(kids)) for (const kid of kids) walk(kid, depth + 1);
  };
  const trees = file.entry(file.catalog, 'Names');
  if (isDict(trees)) walk(trees.map.get('Dests'), 0);
  const old = file.entry(file.catalog, 'Dests');
  return { strings, names: new Map(isDict(old) ? old.map : []) };
}

/** The bookmarks of the highest level, in order. */
export function topBookmarks(file: PdfFile): { num: number; item: PdfDict }[] {
  const outlines = file.entry(file.catalog, 'Outlines');
  const found: { num: number; item: PdfDict }[] = [];
  const seen = new Set<number>();
  let next = isDict(outlines) ? outlines.map.get('First') : undefined;
  while (isRef(next) && !seen.has(next.num) && found.length < maxEntries) {
    seen.add(next.num);
    const item = file.get(next.num);
    if (!isDict(item)) break;
    found.push({ num: next.num, item });
    next = item.map.get('Next');
  }
  return found;
}

/** The pages (from 1, ascending) that bookmarks of the highest level lead to. */
export function bookmarkPages(file: PdfFile): number[] {
  const named = namedDestinations(file);
  const numbers = new Map(file.pages.map(({ object, number }) => [object, number]));
  const pageOf = (value: PdfValue | undefined, depth: number): number | undefined => {
    const target = file.resolve(value);
    if (depth > maxDepth) return undefined;
    if (isString(target)) return pageOf(named.strings.get(latin1(target.bytes)), depth + 1);
    if (isName(target)) return pageOf(named.names.get(target.name), depth + 1);
    if (isDict(target)) return pageOf(target.map.get('D'), depth + 1);
    const page = isArray(target) ? target[0] : undefined;
    return isRef(page) ? numbers.get(page.num) : undefined;
  };
  const pages = topBookmarks(file).flatMap(({ item }) => pageOf(item.map.get('Dest') ?? item.map.get('A'), 0) ?? []);
  return [...new Set(pages)].sort((a, b) => a - b);
}
