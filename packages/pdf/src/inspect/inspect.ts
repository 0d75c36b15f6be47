import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import type { Inspection } from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract/faults';
import { runPages } from '../interpret/run-pages.ts';
import { loadingMupdfOnDemand } from '../open/mupdf.ts';
import { type OpenOptions, openPdf, type PdfFile } from '../open/pdf-file.ts';
import { definedSpots, isSpot } from './defined-inks.ts';
import { bindingOf, documentFacts } from './document-facts.ts';
import { inspectJob, type PageContribution } from './inspect-job.ts';
import type { FontUse } from './scan-fonts.ts';

/** Input of `inspectPdf`: `threads` limits the number of threads, `onPage` is called after each page. */
export interface InspectOptions extends OpenOptions {
  threads?: number;
  signal?: AbortSignal;
  onPage?: (done: number, total: number) => void;
}

/**
 * Inspects a PDF on disk: document facts, pages, fonts, images and inks. Boxes are in points, resolutions in pixels per
 * inch.
 * @throws FileFaultError as `openPdf`, and PDF_LIMIT_FONTS, PDF_LIMIT_IMAGES
 */
export async function inspectPdf(options: InspectOptions): Promise<Inspection> {
  let hash: Promise<string> | undefined;
  const sha256Of = (path: string): Promise<string> => (hash ??= hashFile(path));
  return loadingMupdfOnDemand(() => inspectFile(options, sha256Of));
}

async function inspectFile(options: InspectOptions, sha256Of: (path: string) => Promise<string>): Promise<Inspection> {
  const file = openPdf(options);
  try {
    const [sha256, pages] = await Promise.all([sha256Of(options.path), inspectPages(file, options)]);
    const spots = definedSpots(file);
    return {
      file: { bytes: file.bytes, sha256 },
      pdf: documentFacts(file),
      pageCount: file.pageCount,
      binding: bindingOf(file),
      pages: pages.map((part) => part.page),
      fonts: mergeFonts(file, pages),
      images: pages.flatMap((part) => part.images),
      inks: mergeInks(spots, pages),
    };
  } finally {
    file.close();
  }
}

async function inspectPages(file: PdfFile, options: InspectOptions): Promise<PageContribution[]> {
  const contributions: PageContribution[] = [];
  let images = 0;
  const work = runPages<undefined, PageContribution>({
    file,
    password: options.password,
    job: {
      start: inspectJob,
      module: createRequire(import.meta.url).resolve('@pdf2press/pdf/inspect-job'),
      name: 'inspectJob',
    },
    params: undefined,
    ...(options.threads !== undefined && { threads: options.threads }),
    signal: options.signal,
  });
  for await (const { result } of work) {
    contributions.push(result);
    images += result.images.length;
    if (images > file.budgets.images) throw new FileFaultError('PDF_LIMIT_IMAGES', { limit: file.budgets.images });
    options.onPage?.(contributions.length, file.pageCount);
  }
  return contributions;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

/** One entry per font object; fonts that are direct objects are merged when their facts are equal. */
function mergeFonts(file: PdfFile, pages: readonly PageContribution[]): Inspection['fonts'] {
  const fonts = new Map<string, Inspection['fonts'][number]>();
  const shown = new Set(pages.flatMap((part) => part.shownFonts));
  const keyOf = (use: FontUse): string => (use.object === 0 ? JSON.stringify(use) : String(use.object));
  for (const { page, fonts: uses } of pages) {
    for (const use of uses) {
      const key = keyOf(use);
      const known = fonts.get(key);
      if (!known) {
        if (fonts.size >= file.budgets.fonts)
          throw new FileFaultError('PDF_LIMIT_FONTS', { limit: file.budgets.fonts });
        fonts.set(key, { ...use, pages: [page.number], used: shown.has(use.object) });
      } else if (known.pages.at(-1) !== page.number) known.pages.push(page.number);
    }
  }
  return [...fonts.values()];
}

function mergeInks(spots: ReadonlyMap<string, string | null>, pages: readonly PageContribution[]): Inspection['inks'] {
  const used = new Map<string, number[]>();
  for (const { page } of pages) {
    for (const ink of page.inks) if (isSpot(ink)) used.set(ink, [...(used.get(ink) ?? []), page.number]);
  }
  const names = [...new Set([...spots.keys(), ...used.keys()])].sort();
  return names.map((name) => ({
    name,
    alternate: spots.get(name) ?? null,
    used: used.has(name),
    pages: used.get(name) ?? [],
  }));
}
