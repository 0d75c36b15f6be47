import { FileFaultError } from '@pdf2press/contract';
import { isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from './values.ts';

/** A page found in the tree, with the attributes it inherits (ISO 32000-1, 7.7.3.4). */
export interface PageNode {
  /** Object number, 0 when the page is written directly into Kids. */
  readonly object: number;
  readonly dict: PdfDict;
  readonly inherited: ReadonlyMap<string, PdfValue>;
}

const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
/** Deeper trees than this are circles or attacks. */
const maxDepth = 100;
const noAttributes: ReadonlyMap<string, PdfValue> = new Map();

type Resolve = (value: PdfValue | undefined) => PdfValue;

/**
 * The pages in order, by walking Kids: /Count is not believed. A node met twice (circle, shared kid) counts once.
 * @throws FileFaultError PDF_LIMIT_PAGES
 */
export function walkPageTree(root: PdfValue | undefined, resolve: Resolve, maxPages: number): PageNode[] {
  const pages: PageNode[] = [];
  const seen = new Set<number>();
  const walk = (value: PdfValue | undefined, above: ReadonlyMap<string, PdfValue>, depth: number): void => {
    if (isRef(value)) {
      if (seen.has(value.num)) return;
      seen.add(value.num);
    }
    const node = resolve(value);
    if (!isDict(node) || depth > maxDepth) return;
    const kids = resolve(node.map.get('Kids'));
    if (isInner(node, kids, resolve)) {
      if (!isArray(kids)) return;
      const attributes = inherit(node, above);
      for (const kid of kids) walk(kid, attributes, depth + 1);
      return;
    }
    if (pages.length >= maxPages) throw new FileFaultError('PDF_LIMIT_PAGES', { limit: maxPages });
    pages.push({ object: isRef(value) ? value.num : 0, dict: node, inherited: above });
  };
  walk(root, noAttributes, 0);
  return pages;
}

/** /Type decides; where it is missing or wrong, Kids do. */
function isInner(node: PdfDict, kids: PdfValue, resolve: Resolve): boolean {
  const type = resolve(node.map.get('Type'));
  if (isName(type, 'Page')) return false;
  return isName(type, 'Pages') || isArray(kids);
}

function inherit(node: PdfDict, above: ReadonlyMap<string, PdfValue>): ReadonlyMap<string, PdfValue> {
  let attributes: Map<string, PdfValue> | null = null;
  for (const key of inheritable) {
    const value = node.map.get(key);
    if (value === undefined) continue;
    attributes ??= new Map(above);
    attributes.set(key, value);
  }
  return attributes ?? above;
}
