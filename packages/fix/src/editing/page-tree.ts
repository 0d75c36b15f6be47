/** Checks and rebuilds the page tree (ISO 32000-1, 7.7.3). */
import {
  isArray,
  isDict,
  isName,
  isRef,
  type PageFacts,
  type PdfDict,
  type PdfEditor,
  type PdfFile,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
} from '@pdf2press/pdf';
import { boxKeys } from './boxes.ts';

/** An existing page by number, or an empty page of the size of another. */
export type PageEntry = { number: number } | { blankLike: PageFacts };

/** Attributes that pages inherit; in a flat tree every page has its own. */
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;

/**
 * Replaces the page tree by one node with the given pages in the given order.
 * @returns object numbers of the pages
 */
export function rebuildPageTree(edit: PdfEditor, entries: readonly PageEntry[]): number[] {
  const { file } = edit;
  const root = edit.add(null);
  const placed = new Set<number>();
  const kids = entries.map((entry) => {
    if ('blankLike' in entry) return edit.add(blankPage(entry.blankLike, root));
    const page = file.pages[entry.number - 1] as PageFacts;
    const inherited = inheritable.flatMap((key): [string, PdfValue][] => {
      const value = page.inherited.get(key);
      return value !== undefined && !page.dict.map.has(key) ? [[key, value]] : [];
    });
    const own = { ...Object.fromEntries(inherited), Type: pdfName('Page'), Parent: pdfRef(root) };
    if (page.object === 0 || placed.has(page.object)) return edit.add(pageOfItsOwn(page, own));
    placed.add(page.object);
    for (const [key, value] of Object.entries(own)) edit.putPage(page, key, value);
    return page.object;
  });
  edit.set(root, pdfDict({ Type: pdfName('Pages'), Count: kids.length, Kids: kids.map(pdfRef) }));
  edit.putCatalog('Pages', pdfRef(root));
  return kids;
}

/** A new page object for a page that is a direct object, is used twice, or could not be read. */
function pageOfItsOwn(page: PageFacts, own: Record<string, PdfValue>): PdfDict {
  const hasMedia = page.boxes.media !== null;
  return pdfDict({ ...own, ...(!hasMedia && { MediaBox: [...page.effective.media] }) }, page.dict);
}

function blankPage(like: PageFacts, root: number): PdfDict {
  const boxes = Object.fromEntries(
    (['media', 'crop', 'bleed', 'trim'] as const).flatMap((name) => {
      const box = like.boxes[name];
      return box ? [[boxKeys[name], [...box]]] : [];
    }),
  );
  return pdfDict({
    Type: pdfName('Page'),
    Parent: pdfRef(root),
    MediaBox: [...like.effective.media],
    ...boxes,
    Resources: pdfDict({}),
    ...(like.rotate !== 0 && { Rotate: like.rotate }),
    ...(like.userUnit !== 1 && { UserUnit: like.userUnit }),
  });
}

/** A deeper tree is taken for a circular one. */
const maxDepth = 100;

/** Whether the page tree is valid: each node is an indirect object with the right Parent and Count. */
export function isPageTreeSound(file: PdfFile): boolean {
  const seen = new Set<number>();
  /** Number of pages below a node; null when anything is wrong. */
  const pagesBelow = (value: PdfValue | undefined, parent: number, depth: number): number | null => {
    if (!isRef(value) || seen.has(value.num) || depth > maxDepth) return null;
    seen.add(value.num);
    const node = file.get(value.num);
    if (!isDict(node)) return null;
    const above = node.map.get('Parent');
    if (depth > 0 && !(isRef(above) && above.num === parent)) return null;
    const type = file.entry(node, 'Type');
    if (isName(type, 'Page')) return depth > 0 ? 1 : null;
    const kids = file.entry(node, 'Kids');
    if (!isName(type, 'Pages') || !isArray(kids)) return null;
    let count = 0;
    for (const kid of kids) {
      const below = pagesBelow(kid, value.num, depth + 1);
      if (below === null) return null;
      count += below;
    }
    return file.entry(node, 'Count') === count ? count : null;
  };
  return pagesBelow(file.catalog.map.get('Pages'), 0, 0) === file.pageCount;
}
