import { type BoxArray, boxNames, type EffectiveBoxes, effectiveBoxes, type RawBoxes, readBox } from './boxes.ts';
import { pageLabels } from './labels.ts';
import { type PageNode, walkPageTree } from './page-tree.ts';
import { asDict, emptyDict, isArray, isDict, isName, type PdfDict, type PdfValue } from './values.ts';

/** One page: its attributes as written and as they apply. */
export interface PageFacts {
  /** Page number from 1. */
  readonly number: number;
  /** Object number; 0 when the page is a direct object. */
  readonly object: number;
  readonly label: string;
  readonly dict: PdfDict;
  /** Boxes as written, including inherited ones; corners may be in any order. */
  readonly boxes: RawBoxes;
  readonly effective: EffectiveBoxes;
  readonly rotate: 0 | 90 | 180 | 270;
  /** /Rotate as written, 0 when absent. */
  readonly rotateAsWritten: number;
  /** Length of one user space unit in 1/72 inch. */
  readonly userUnit: number;
  readonly resources: PdfDict | null;
  readonly annotations: readonly PdfValue[];
  /** Attributes inherited from the nodes of the page tree. */
  readonly inherited: ReadonlyMap<string, PdfValue>;
}

type Get = (num: number) => PdfValue;
type Resolve = (value: PdfValue | undefined) => PdfValue;

/** What is needed to read pages. */
export interface PageSource {
  readonly catalog: () => PdfDict;
  readonly objectCount: () => number;
  readonly get: Get;
  readonly resolve: Resolve;
  readonly maxPages: number;
}

export interface PageList {
  /** The pages, read again as far as they have changed. */
  readonly current: () => readonly PageFacts[];
  /** Must be called after a change of an object, with its values before and after. */
  readonly objectChanged: (num: number, before: PdfValue, after: PdfValue) => void;
}

/**
 * Reads the pages of a file and keeps them until they change.
 * @throws FileFaultError PDF_LIMIT_PAGES
 */
export function createPageList(source: PageSource): PageList {
  const { get, resolve } = source;
  let pages: readonly PageFacts[] | null = readPages(source);
  let pageObjects = new Set(pages.map((page) => page.object));
  // Pages whose objects changed; each is read again when pages are next asked for.
  const changedPages = new Set<number>();
  return {
    current() {
      if (!pages) {
        pages = readPages(source);
        pageObjects = new Set(pages.map((page) => page.object));
      } else if (changedPages.size > 0) {
        pages = pages.map((page) => (changedPages.has(page.object) ? readAgain(page, get, resolve) : page));
      }
      changedPages.clear();
      return pages;
    },
    objectChanged(num, before, after) {
      if (pageObjects.has(num) && isDict(after)) changedPages.add(num);
      else if (leadsToPages(before) || leadsToPages(after)) pages = null;
    },
  };
}

function readPages(source: PageSource): PageFacts[] {
  const { resolve, maxPages } = source;
  const catalog = source.catalog();
  const inTree = walkPageTree(catalog.map.get('Pages'), resolve, maxPages);
  const nodes = inTree.length > 0 ? inTree : lostPages(catalog, source);
  const labels = pageLabels(catalog, nodes.length, resolve);
  return nodes.map((node, index) => pageFacts(node, index + 1, labels[index] ?? String(index + 1), resolve));
}

/**
 * Pages of a file whose page tree leads to none: all objects of /Type /Page in the order of their numbers; if there are
 * none, as many empty pages as /Count says, which is what other PDF readers show.
 */
function lostPages(catalog: PdfDict, { objectCount, get, resolve, maxPages }: PageSource): PageNode[] {
  const pages: PageNode[] = [];
  for (let num = 1; num < objectCount() && pages.length < maxPages; num += 1) {
    const value = get(num);
    if (isDict(value) && isName(value.map.get('Type'), 'Page'))
      pages.push({ object: num, dict: value, inherited: new Map() });
  }
  const root = resolve(catalog.map.get('Pages'));
  const count = isDict(root) && isArray(resolve(root.map.get('Kids'))) ? resolve(root.map.get('Count')) : 0;
  if (pages.length > 0 || typeof count !== 'number' || !(count >= 1 && count <= maxPages)) return pages;
  return Array.from({ length: Math.floor(count) }, () => ({ object: 0, dict: emptyDict, inherited: new Map() }));
}

const boxKeys = { media: 'MediaBox', crop: 'CropBox', bleed: 'BleedBox', trim: 'TrimBox', art: 'ArtBox' } as const;

function pageFacts(node: PageNode, number: number, label: string, resolve: Resolve): PageFacts {
  const attribute = (key: string): PdfValue => resolve(node.dict.map.get(key) ?? node.inherited.get(key));
  const raw: Partial<Record<keyof RawBoxes, BoxArray | null>> = {};
  for (const name of boxNames) raw[name] = readBox(attribute(boxKeys[name]), resolve);
  const boxes = raw as RawBoxes;
  const rotate = attribute('Rotate');
  const rotateAsWritten = typeof rotate === 'number' ? rotate : 0;
  const userUnit = resolve(node.dict.map.get('UserUnit'));
  const annotations = resolve(node.dict.map.get('Annots'));
  return {
    number,
    object: node.object,
    label,
    dict: node.dict,
    boxes,
    effective: effectiveBoxes(boxes),
    rotate: quarterTurns(rotateAsWritten),
    rotateAsWritten,
    userUnit: typeof userUnit === 'number' && userUnit > 0 ? userUnit : 1,
    resources: asDict(attribute('Resources')),
    annotations: isArray(annotations) ? annotations : [],
    inherited: node.inherited,
  };
}

/** Reads the facts of a page again after its object was changed. */
function readAgain(page: PageFacts, get: Get, resolve: Resolve): PageFacts {
  const dict = asDict(get(page.object)) ?? emptyDict;
  return pageFacts({ object: page.object, dict, inherited: page.inherited }, page.number, page.label, resolve);
}

/** True for catalogs and nodes of the page tree. */
const leadsToPages = (value: PdfValue): boolean =>
  isDict(value) && (value.map.has('Kids') || value.map.has('Pages') || value.map.has('PageLabels'));

/** Angles that are not a multiple of 90 count as 0. */
function quarterTurns(degrees: number): 0 | 90 | 180 | 270 {
  const turned = ((degrees % 360) + 360) % 360;
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0;
}
