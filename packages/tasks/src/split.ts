import path from 'node:path';
import {
  bookmarkPages,
  openPdf,
  openRenderService,
  type PageFacts,
  type PdfFile,
  pixelsOf,
  type RenderService,
  verifyPages,
  writePages,
} from '@pdf2press/pdf';
import type { PdfInput, Task, TaskTools } from './task.ts';

type Pages = [first: number, last: number];

/** Where a file is divided. */
export type SplitWay =
  /** Into parts of so many pages; the last one may have fewer. */
  | { pagesPerPart: number }
  /** Into these parts; pages beyond the last one of the file are left out. */
  | { ranges: readonly Pages[] }
  /** At empty pages, which belong to no part. */
  | { at: 'emptyPages' }
  /** Before each page that a bookmark of the highest level leads to. */
  | { at: 'bookmarks' };

export type SplitParams = PdfInput & SplitWay;
export interface SplitResult {
  /** Files in the work directory, with the first and the last page of each, from 1. */
  parts: { path: string; pages: Pages }[];
}

/** Writes a PDF as several with some pages each, and compares every page with the one it was made from. */
export const run: Task<SplitParams, SplitResult> = async (params, tools) => {
  const file = openPdf(params);
  try {
    const ranges = await partsOf(file, params, tools);
    const parts = ranges.map((pages, at) => {
      const name = `${at + 1}.pdf`;
      const out = path.join(tools.workDir, name);
      writePages(file, pages, out);
      verifyPages(file, pages, out);
      if ((at + 1) % 100 === 0 || at + 1 === ranges.length)
        tools.progress({ phase: 'parts', done: at + 1, total: ranges.length });
      return { path: name, pages };
    });
    return { parts };
  } finally {
    file.close();
  }
};

async function partsOf(file: PdfFile, params: SplitParams, tools: TaskTools): Promise<Pages[]> {
  const { pageCount } = file;
  if ('pagesPerPart' in params) {
    const { pagesPerPart } = params;
    return Array.from({ length: Math.ceil(pageCount / pagesPerPart) }, (_, at) => [
      at * pagesPerPart + 1,
      Math.min((at + 1) * pagesPerPart, pageCount),
    ]);
  }
  if ('ranges' in params)
    return params.ranges.flatMap(([first, last]): Pages[] =>
      first > pageCount ? [] : [[first, Math.min(last, pageCount)]],
    );
  if (params.at === 'bookmarks') return between([1, ...bookmarkPages(file).filter((page) => page > 1)], pageCount);
  const empty = new Set(await emptyPages(file, params, tools));
  return runsOf(file.pages.map(({ number }) => number).filter((page) => !empty.has(page)));
}

/** Parts that begin at these pages. */
const between = (starts: readonly number[], pageCount: number): Pages[] =>
  starts.map((start, at) => [start, (starts[at + 1] ?? pageCount + 1) - 1]);

/** Numbers without gaps. */
function runsOf(pages: readonly number[]): Pages[] {
  const runs: Pages[] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else runs.push([page, page]);
  }
  return runs;
}

/** The resolution at which the preflight judges whether a page is empty. */
const emptyDpi = 72;

/** Pages without ink inside the trim: white objects, hidden layers and marks do not count. */
async function emptyPages(file: PdfFile, input: PdfInput, { workDir, progress }: TaskTools): Promise<number[]> {
  const service = openRenderService({ ...input, workDir });
  try {
    // A fast RGB picture excludes most pages; only white ones are separated.
    const white = file.pages.filter(({ number }, at) => {
      if (at % 100 === 0) progress({ phase: 'pages', done: at, total: file.pageCount });
      return service.preview(number, { dpi: emptyDpi / 2, box: 'trim' }).pixels.every((level) => level >= 250);
    });
    service.expectPlates(
      white.map(({ number }) => number),
      { dpi: emptyDpi, box: 'crop' },
    );
    const empty: number[] = [];
    for (const page of white) if (await hasNoInk(service, page)) empty.push(page.number);
    return empty;
  } finally {
    service.close();
  }
}

async function hasNoInk(service: RenderService, { number, effective }: PageFacts): Promise<boolean> {
  const plates = await service.plates(number, { dpi: emptyDpi, box: 'crop' });
  const total = plates.totalInk('all');
  const trim = pixelsOf(plates.frame, effective.trim);
  for (let y = trim.top; y < trim.top + trim.height; y += 1) {
    const row = y * plates.width;
    if (total.subarray(row + trim.left, row + trim.left + trim.width).some((level) => level > 0)) return false;
  }
  return true;
}
