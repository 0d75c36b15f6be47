import { FileFaultError } from '@pdf2press/contract/faults';
import { isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from './values.ts';

/** A page found in the page tree, with the attributes it inherits (ISO 32000-1, 7.7.3.4). */
export interface PageNode {
  /** Object number; 0 when the page is a direct object in Kids. */
  readonly object: number;
  readonly dict: PdfDict;
  readonly inherited: ReadonlyMap<string, PdfValue>;
}

const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
/** A deeper tree is circular or an attack. */
const maxDepth = 100;
const noAttributes: ReadonlyMap<string, PdfValue> = new Map();

type Resolve = (value: PdfValue | undefined) => PdfValue;

/** Limit of visited nodes: a tree that reuses its branches can have few objects and an exponential number of pages. */
const maxVisits = 100_000;
const lostPage: PdfDict = { kind: 'dict', map: new Map(), stream: 0 };

/**
 * The pages in order, found by walking Kids. /Count is used in one case only: entries of Kids that cannot be read are
 * counted as empty pages if the total then equals /Count.
 * @throws FileFaultError PDF_LIMIT_PAGES
 */
export function walkPageTree(root: PdfValue | undefined, resolve: Resolve, maxPages: number): PageNode[] {
  const pages: PageNode[] = [];
  let lost = 0;
  let visits = 0;
  const add = (page: PageNode): void => {
    if (pages.length >= maxPages) throw new FileFaultError('PDF_LIMIT_PAGES', { limit: maxPages });
    pages.push(page);
  };
  const walk = (value: PdfValue | undefined, above: ReadonlyMap<string, PdfValue>, path: readonly number[]): void => {
    visits += 1;
    if (visits > maxVisits || path.length > maxDepth || (isRef(value) && path.includes(value.num))) return;
    const node = resolve(value);
    if (!isDict(node)) {
      lost += 1;
      add({ object: 0, dict: lostPage, inherited: above });
      return;
    }
    const kids = resolve(node.map.get('Kids'));
    if (isInner(node, kids, resolve)) {
      if (!isArray(kids)) return;
      const attributes = inherit(node, above);
      const below = [...path, isRef(value) ? value.num : 0];
      for (const kid of kids) walk(kid, attributes, below);
    } else add({ object: isRef(value) ? value.num : 0, dict: node, inherited: above });
  };
  if (isDict(resolve(root))) walk(root, noAttributes, []);
  const top = resolve(root);
  const declared = isDict(top) ? resolve(top.map.get('Count')) : null;
  return lost === 0 || declared === pages.length ? pages : pages.filter((page) => page.dict !== lostPage);
}

/** True for an inner node of the tree. /Type decides; if it is missing or wrong, the presence of Kids does. */
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
