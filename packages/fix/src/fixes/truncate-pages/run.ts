import { FileFaultError, isAtPosition, resolvePageRange } from '@pdf2press/contract';
import {
  encodeJpeg,
  isArray,
  isDict,
  isRef,
  isString,
  type PageFacts,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
  pdfTextString,
  pixelsOf,
} from '@pdf2press/pdf';
import { boxText } from '../../editing/boxes.ts';
import { type PageEntry, rebuildPageTree } from '../../editing/page-tree.ts';
import { type FixContext, type FixRunner, failed } from '../../kind/runner.ts';
import type { truncatePages } from './contract.ts';

type Context = FixContext<typeof truncatePages>;

/** Dots per inch for deciding whether a page is empty; the preflight check for empty pages uses the same. */
const emptyDpi = 72;

export const run: FixRunner<typeof truncatePages> = async (context) => {
  const { file, settings } = context;
  if (file.pages.some((page) => page.object === 0)) throw failed('pagesUnusable');
  if (settings.keep === 'PadToMultipleOf') return pad(context);
  const kept = await pagesToKeep(context);
  if (kept.length === file.pageCount) return;
  if (kept.length === 0) throw failed('nothingLeft');
  const staying = new Set(kept);
  const gone = file.pages.filter((page) => !staying.has(page.number));
  for (const [index, page] of gone.entries()) {
    const thumbnail = index < mostThumbnails ? await thumbnailOf(context, page) : undefined;
    context.log({
      what: 'removed',
      page: page.number,
      before: page.label,
      after: null,
      parameter: 'keep',
      ...(thumbnail !== undefined && { thumbnail }),
    });
  }
  rebuildTree(
    context,
    kept.map((number) => ({ number })),
  );
};

/** Pixels along the longer side of a thumbnail. */
const thumbnailPixels = 96;
/** With more removed pages, only their labels are reported. */
const mostThumbnails = 24;

/** Thumbnail of a removed page; undefined if it cannot be rendered. */
async function thumbnailOf({ render }: Context, page: PageFacts): Promise<string | undefined> {
  const [x0, y0, x1, y1] = page.effective.crop;
  const dpi = (thumbnailPixels * 72) / (Math.max(x1 - x0, y1 - y0) * page.userUnit);
  try {
    const { pixels, width, height } = render().preview(page.number, { dpi, box: 'crop' });
    const bytes = await encodeJpeg(pixels, { width, height, components: 3 }, { quality: 60, isSubsampled: true });
    return `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`;
  } catch (error) {
    if (error instanceof FileFaultError) return undefined;
    throw error;
  }
}

async function pagesToKeep(context: Context): Promise<number[]> {
  const { settings, file } = context;
  const all = file.pages.map((page) => page.number);
  const range = new Set(resolvePageRange(settings.range, file.pageCount));
  const inScope = new Set(context.pages);
  switch (settings.keep) {
    case 'FirstN':
      return all.slice(0, settings.count);
    case 'LastN':
      return all.slice(-settings.count);
    case 'Range':
      return all.filter((page) => range.has(page));
    case 'RemoveRange':
      return all.filter((page) => !range.has(page));
    default: {
      const empty = await emptyPages(
        context,
        all.filter((page) => inScope.has(page) && isAtPosition(page, file.pageCount, settings.emptyPosition)),
      );
      return all.filter((page) => !empty.has(page));
    }
  }
}

/** Pages without printing content: white objects, hidden layers and marks outside the trim do not count. */
async function emptyPages({ render, settings, file }: Context, candidates: readonly number[]): Promise<Set<number>> {
  const service = render();
  // A fast RGB picture excludes most pages; only white ones are separated.
  const white = candidates.filter(
    (page) =>
      settings.emptyThreshold > 0 ||
      service.preview(page, { dpi: emptyDpi / 2, box: 'trim' }).pixels.every((level) => level >= 250),
  );
  service.expectPlates(white, { dpi: emptyDpi, box: 'crop' });
  const empty = new Set<number>();
  for (const page of white) {
    const plates = await service.plates(page, { dpi: emptyDpi, box: 'crop' });
    const total = plates.totalInk('all');
    const trim = pixelsOf(plates.frame, (file.pages[page - 1] as PageFacts).effective.trim);
    let inked = 0;
    for (let y = trim.top; y < trim.top + trim.height; y += 1) {
      for (let x = trim.left; x < trim.left + trim.width; x += 1)
        if ((total[y * plates.width + x] as number) > 0) inked += 1;
    }
    if ((inked / (trim.width * trim.height)) * 100 <= settings.emptyThreshold) empty.add(page);
  }
  return empty;
}

function pad(context: Context): void {
  const { file, settings } = context;
  const missing = (settings.multiple - (file.pageCount % settings.multiple)) % settings.multiple;
  if (missing === 0) return;
  const at = {
    End: file.pageCount,
    BeforeLast: file.pageCount - 1,
    Custom: Math.min(settings.customPosition - 1, file.pageCount),
  }[settings.blanksAt];
  const neighbour = file.pages[Math.min(Math.max(at - 1, 0), file.pageCount - 1)] as PageFacts;
  const pages: PageEntry[] = file.pages.map(({ number }) => ({ number }));
  pages.splice(at, 0, ...Array.from({ length: missing }, () => ({ blankLike: neighbour })));
  context.log({
    what: 'blanksAdded',
    page: neighbour.number,
    before: String(file.pageCount),
    after: String(file.pageCount + missing),
    count: missing,
    parameter: 'multiple',
    params: { position: at + 1, box: boxText(neighbour.effective.media) },
  });
  rebuildTree(context, pages);
}

/** Rebuilds the page tree and removes references to removed pages. */
function rebuildTree(context: Context, entries: readonly PageEntry[]): void {
  const kids = rebuildPageTree(context.edit, entries);
  relabel(context, entries);
  dropReferences(context, new Set(kids));
}

/** Pages keep their page labels, if the file has any. */
function relabel({ edit, file }: Context, entries: readonly PageEntry[]): void {
  if (!file.catalog.map.has('PageLabels')) return;
  const nums = entries.flatMap((entry, index): PdfValue[] => {
    const label = 'number' in entry ? (file.pages[entry.number - 1]?.label ?? '') : '';
    return [index, pdfDict({ P: pdfTextString(label) })];
  });
  edit.putCatalog('PageLabels', pdfDict({ Nums: nums }));
}

/** Bookmarks and links to a removed page lead to the next remaining one; other references are removed. */
function dropReferences({ edit, file }: Context, kept: ReadonlySet<number>): void {
  const gone = new Set(file.pages.map((page) => page.object).filter((object) => !kept.has(object)));
  if (gone.size === 0) return;
  const nearest = (object: number): number => {
    const at = file.pages.findIndex((page) => page.object === object);
    const after = file.pages.slice(at).find((page) => kept.has(page.object));
    return (after ?? file.pages.findLast((page) => kept.has(page.object)))?.object ?? 0;
  };
  const mended = (value: PdfValue, depth: number): PdfValue | undefined => {
    if (isRef(value)) return gone.has(value.num) ? undefined : value;
    if (depth > 8) return value;
    if (isArray(value)) {
      const [first, ...rest] = value;
      if (isRef(first) && gone.has(first.num) && rest.length > 0) return [pdfRef(nearest(first.num)), pdfName('Fit')];
      return value.flatMap((entry) => mended(entry, depth + 1) ?? []);
    }
    if (!isDict(value)) return value;
    const map = new Map<string, PdfValue>();
    for (const [key, entry] of value.map) {
      const next = mended(entry, depth + 1);
      if (next !== undefined) map.set(key, next);
    }
    return { kind: 'dict', map, stream: value.stream };
  };
  for (let num = 1; num < file.objectCount; num += 1) {
    if (gone.has(num)) continue;
    const value = file.get(num);
    if (!mentions(value, gone, 0)) continue;
    const next = mended(value, 0);
    if (isDict(value) && isDict(next)) {
      for (const key of value.map.keys()) edit.put(num, key, next.map.get(key));
    } else if (next !== undefined) edit.set(num, next);
  }
}

function mentions(value: PdfValue, objects: ReadonlySet<number>, depth: number): boolean {
  if (isRef(value)) return objects.has(value.num);
  if (depth > 8 || isString(value)) return false;
  if (isArray(value)) return value.some((entry) => mentions(entry, objects, depth + 1));
  return isDict(value) && [...value.map.values()].some((entry) => mentions(entry, objects, depth + 1));
}
