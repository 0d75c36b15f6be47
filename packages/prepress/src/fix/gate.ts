/**
 * The gate (fix specification I1–I8): looks at the file before and after an action and says whether anything changed that
 * the action has no business with. Facts are compared first; where content was touched, pictures too.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { FixGate, FixReason } from '@pdf2press/contract';
import {
  type ColourService,
  openPdf,
  openRenderService,
  type PageFacts,
  type PdfFile,
  type PixelRect,
  pixelsOf,
  type Raster,
  type Rect,
  type RenderService,
  rewritePdf,
  softProof,
} from '@pdf2press/pdf';
import type { FixContract, GuardedFact } from '../fixes/define-fix.ts';
import { comparePictures, type PictureDifference } from './compare-pictures.ts';
import { documentFacts, type Facts, pageFacts, pagePrints } from './facts.ts';

export interface GateOptions {
  before: { path: string; password?: string | undefined };
  after: { path: string };
  contract: Pick<FixContract, 'mayChange' | 'mayLookDifferent' | 'group' | 'isJudgedByPlates'>;
  /** Declared places, by page: default user space, points. */
  boxes: ReadonlyMap<number, readonly Rect[]>;
  method: 'Auto' | 'RGB' | 'Plates';
  /** Shapes are drawn by another routine: edges may differ by less than a pixel. */
  isEdgeTolerant: boolean;
  colour: () => Promise<ColourService>;
  workDir: string;
  signal: AbortSignal;
}

/** Limits of I3. */
export const meanLimit = 0.5;
export const p999Limit = 2;
const fullDpi = 150;
const leastDpi = 36;
/** Pixels looked at in one gate, over all its pages: some five seconds. */
const pixelBudget = 60_000_000;
/** More pages than these are sampled evenly. */
const maxPages = 24;
/** Plates cost a Ghostscript run each side; beyond this many pages pictures in RGB must do. */
const maxPlatePages = 4;
/** The same for pages whose edges are compared at twice the resolution. */
const maxFinePages = 4;
/** Anti-aliasing reaches this far beyond a declared box. */
const marginPixels = 2;

export async function checkGate(options: GateOptions): Promise<FixGate> {
  const before = openPdf({ path: options.before.path, password: options.before.password });
  try {
    const after = openPdf({ path: options.after.path });
    try {
      return await compareFiles(options, before, after);
    } finally {
      after.close();
    }
  } finally {
    before.close();
  }
}

async function compareFiles(options: GateOptions, before: PdfFile, after: PdfFile): Promise<FixGate> {
  const { contract } = options;
  const broken = compareFacts(documentFacts(before), documentFacts(after), contract.mayChange, null);
  if (before.pageCount !== after.pageCount || contract.mayChange.includes('pageCount')) {
    return { method: 'facts', isPassed: broken.length === 0, pages: [], broken };
  }
  const [printsBefore, printsAfter] = [pagePrints(before), pagePrints(after)];
  const changed = before.pages.filter((_, index) => printsBefore[index] !== printsAfter[index]);
  for (const page of spread(changed, maxPages)) {
    const now = after.pages[page.number - 1];
    if (now)
      broken.push(...compareFacts(pageFacts(before, page), pageFacts(after, now), contract.mayChange, page.number));
  }
  if (changed.length === 0 || contract.mayLookDifferent === 'everywhere' || broken.length > 0) {
    return { method: 'facts', isPassed: broken.length === 0, pages: [], broken };
  }
  const comparable = changed.filter((page) => !isAllDeclared(page, options));
  if (comparable.length === 0) return { method: 'facts', isPassed: true, pages: [], broken };
  const isPlates =
    options.method === 'Plates' ||
    (options.method === 'Auto' &&
      (contract.isJudgedByPlates || (contract.group === 'colour' && comparable.length <= maxPlatePages)));
  const looks = await compareLooks(
    options,
    spread(comparable, isPlates || options.isEdgeTolerant ? maxFinePages : maxPages),
    isPlates,
  );
  if (looks.isPassed || !isPlates || options.method === 'Plates') return { ...looks, broken };
  // Ghostscript draws some files (hidden layers, odd soft masks) otherwise once they are written anew: what the other
  // engine does not confirm is no change of ours. Inks and overprint were compared as facts.
  const second = await compareLooks(
    options,
    spread(comparable, options.isEdgeTolerant ? maxFinePages : maxPages),
    false,
  );
  return { ...(second.isPassed ? second : looks), broken };
}

/** One logged place covers the whole trim: there is nothing outside of it to compare. */
function isAllDeclared(page: PageFacts, { contract, boxes }: GateOptions): boolean {
  const { trim } = page.effective;
  return (
    contract.mayLookDifferent === 'whereLogged' &&
    (boxes.get(page.number) ?? []).some(
      (box) => box[0] <= trim[0] && box[1] <= trim[1] && box[2] >= trim[2] && box[3] >= trim[3],
    )
  );
}

function compareFacts(
  before: Facts,
  after: Facts,
  mayChange: readonly GuardedFact[],
  page: number | null,
): FixReason[] {
  return (Object.keys(before) as GuardedFact[])
    .filter((fact) => before[fact] !== after[fact] && !mayChange.includes(fact))
    .map((fact) => ({ code: `gate.${fact}`, params: { page } }));
}

/** `count` of a list, evenly, first and last among them. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from({ length: count }, (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))] as T);
}

async function compareLooks(
  options: GateOptions,
  pages: readonly PageFacts[],
  usesPlates: boolean,
): Promise<Omit<FixGate, 'broken'>> {
  // Ghostscript shows some layers that are off in a file as it came and hides them once it is written anew: both sides are.
  const copy = usesPlates ? anewIfLayered(options) : null;
  const services = [
    openRenderService({
      ...(copy ? { path: copy } : options.before),
      workDir: options.workDir,
      signal: options.signal,
    }),
    openRenderService({ ...options.after, workDir: options.workDir, signal: options.signal }),
  ] as const;
  const looks: FixGate['pages'] = [];
  try {
    const dpi = affordableDpi(pages);
    if (usesPlates) {
      for (const service of services) {
        service.expectPlates(
          pages.map((page) => page.number),
          { dpi, box: 'trim' },
        );
      }
    }
    for (const page of pages) {
      options.signal.throwIfAborted();
      // Edges drawn another way are compared finer first and then averaged: quarters of pixels are no difference.
      const fine = options.isEdgeTolerant && !usesPlates;
      const raw = usesPlates
        ? await plateLooks(services, page, dpi, options)
        : rgbLooks(services, page, fine ? dpi * 2 : dpi);
      const [one, two] = fine ? [halved(raw[0]), halved(raw[1])] : raw;
      const { mean, p999 } = comparePage(one, two, page, options);
      looks.push({ page: page.number, dpi, mean: Math.round(mean * 1000) / 1000, p999 });
    }
  } finally {
    for (const service of services) service.close();
    if (copy) rmSync(copy, { force: true });
  }
  const isPassed = looks.every(({ mean, p999 }) => mean <= meanLimit && p999 <= p999Limit);
  return { method: usesPlates ? 'plates' : 'rgb', isPassed, pages: looks };
}

function anewIfLayered({ before, workDir }: GateOptions): string | null {
  const file = openPdf(before);
  try {
    if (!file.catalog.map.has('OCProperties')) return null;
    const copy = path.join(workDir, 'gate-before.pdf');
    rewritePdf(file, copy);
    return copy;
  } finally {
    file.close();
  }
}

function affordableDpi(pages: readonly PageFacts[]): number {
  const inches = pages.reduce(
    (sum, { effective: { trim }, userUnit }) =>
      sum + ((trim[2] - trim[0]) * (trim[3] - trim[1]) * userUnit ** 2) / 72 ** 2,
    0,
  );
  const dpi = Math.floor(Math.sqrt(pixelBudget / Math.max(inches, 1e-6)));
  return Math.max(
    Math.min(dpi, fullDpi),
    Math.min(leastDpi, Math.floor(Math.sqrt((pixelBudget * pages.length) / Math.max(inches, 1e-6)))),
    1,
  );
}

const rgbLooks = (
  [one, two]: readonly [RenderService, RenderService],
  page: PageFacts,
  dpi: number,
): [Raster, Raster] => [one.preview(page.number, { dpi, box: 'trim' }), two.preview(page.number, { dpi, box: 'trim' })];

async function plateLooks(
  services: readonly [RenderService, RenderService],
  page: PageFacts,
  dpi: number,
  options: GateOptions,
): Promise<[Raster, Raster]> {
  const colour = await options.colour();
  const [one, two] = [
    await services[0].plates(page.number, { dpi, box: 'trim' }),
    await services[1].plates(page.number, { dpi, box: 'trim' }),
  ];
  return [softProof(one, colour), softProof(two, colour)];
}

/** Both pictures show the trim, which no action moves without saying so. */
function comparePage(before: Raster, after: Raster, page: PageFacts, options: GateOptions): PictureDifference {
  if (before.width !== after.width || before.height !== after.height) return { mean: 100, p999: 100, count: 0 };
  const ignore = (options.contract.mayLookDifferent === 'whereLogged' ? (options.boxes.get(page.number) ?? []) : [])
    .filter((box) => box[0] <= box[2] && box[1] <= box[3])
    .map((box) => grown(pixelsOf(before.frame, box)));
  const { width, height } = before;
  // Pixels at the rim are half outside, and show what was made there.
  const isSmall = width <= 2 || height <= 2;
  const area = isSmall ? undefined : { left: 1, top: 1, width: width - 2, height: height - 2 };
  return comparePictures(before, after, { ignore, isEdgeTolerant: options.isEdgeTolerant, ...(area && { area }) });
}

/** Half as wide and high: each pixel the mean of four. */
function halved(raster: Raster): Raster {
  const [width, height] = [Math.floor(raster.width / 2), Math.floor(raster.height / 2)];
  const row = raster.width * 3;
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0; x < width * 3; x += 1, to += 1) {
      const at = 2 * y * row + Math.floor(x / 3) * 6 + (x % 3);
      pixels[to] =
        ((raster.pixels[at] as number) +
          (raster.pixels[at + 3] as number) +
          (raster.pixels[at + row] as number) +
          (raster.pixels[at + row + 3] as number) +
          2) >>
        2;
    }
  }
  const [a, b, c, d, e, f] = raster.frame.toPixel;
  return {
    ...raster,
    width,
    height,
    pixels,
    frame: { ...raster.frame, width, height, toPixel: [a / 2, b / 2, c / 2, d / 2, e / 2, f / 2] },
  };
}

const grown = ({ left, top, width, height }: PixelRect): PixelRect => ({
  left: left - marginPixels,
  top: top - marginPixels,
  width: width + 2 * marginPixels,
  height: height + 2 * marginPixels,
});
