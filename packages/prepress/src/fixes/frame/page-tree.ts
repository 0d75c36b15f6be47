/** The tree that leads to the pages (ISO 32000-1, 7.7.3): whether it says what is true, and how to make it anew. */
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

/** A page as it is, or an empty one of the size of another. */
export type PageEntry = { number: number } | { blankLike: PageFacts };

/** Attributes that pages inherit; in a flat tree each carries its own. */
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;

/** One flat tree of these pages in this order. @returns the objects of the pages */
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

/** A page that was written into the tree itself, stands in it twice, or could not be read, as an object. */
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

/** Deeper trees than this are circles. */
const maxDepth = 100;

/** Whether every reader finds the same pages: each node is an object of its own, knows its parent and counts its pages rightly. */
export function isPageTreeSound(file: PdfFile): boolean {
  const seen = new Set<number>();
  /** Pages below a node; null where anything is wrong. */
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
