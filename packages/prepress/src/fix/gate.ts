/**
 * The gate (fix specification I1–I8): looks at the file before and after an action and says whether anything changed that
 * the action has no business with. Facts are compared first; where content was touched, pictures too.
 */
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FixGate, FixReason } from '@pdf2press/contract';
import {
  type ColourService,
  openPdf,
  openRenderService,
  type PageFacts,
  type PdfFile,
  rewritePdf,
  runPages,
  softProof,
} from '@pdf2press/pdf';
import type { FixContract } from '../fixes/define-fix.ts';
import type { DeclaredPlaces } from './change-log.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { PictureDifference } from './compare-pictures.ts';
import { documentFacts, pagePrints } from './facts.ts';
import { compareFacts, comparePage, type GatePageParams, type GatePageResult, gatePage } from './gate-page.ts';

export interface GateOptions {
  before: { path: string; password?: string | undefined };
  after: { path: string };
  contract: Pick<FixContract, 'mayChange' | 'mayLookDifferent' | 'group' | 'isJudgedByPlates'>;
  boxes: DeclaredPlaces;
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
/**
 * A thousandth of a page is two thousand pixels, room for a missing line or some letters: no place may differ by more than
 * this in the mean. Beside what is logged edges may fall otherwise by a little; where shapes are drawn another way, they do;
 * plates have hard ones.
 */
export const worstLimits = { nowhere: 0.25, whereLogged: 1, everywhere: 20 } as const;
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
/** A file from this size on, or of so many pages, is looked at in little memory: a second engine takes as much as the first. */
const sparingBytes = 200e6;
const sparingPages = 1000;
const isLarge = ({ bytes, pageCount }: PdfFile): boolean => bytes > sparingBytes || pageCount > sparingPages;

export async function checkGate(options: GateOptions): Promise<FixGate> {
  const before = openPdf(options.before);
  try {
    const after = openPdf(options.after);
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
  // Both files were read from end to end; pictures come on top of what is left of it.
  if (isLarge(before)) collectGarbage();
  const changed = before.pages.filter((_, index) => printsBefore[index] !== printsAfter[index]);
  const comparable =
    contract.mayLookDifferent === 'everywhere' ? [] : changed.filter((page) => !isAllDeclared(page, options));
  const isPlates =
    comparable.length > 0 &&
    (options.method === 'Plates' ||
      (options.method === 'Auto' &&
        (contract.isJudgedByPlates || (contract.group === 'colour' && comparable.length <= maxPlatePages))));
  const seen = spread(comparable, options.isEdgeTolerant ? maxFinePages : maxPages);
  const pages = await comparePages(options, before, { facts: spread(changed, maxPages), looks: isPlates ? [] : seen });
  broken.push(...pages.broken);
  if (comparable.length === 0 || broken.length > 0)
    return { method: 'facts', isPassed: broken.length === 0, pages: [], broken };
  if (!isPlates) return { ...(await confirmed(options, pages.looks, seen)), broken };
  const plates = await comparePlates(options, spread(comparable, maxPlatePages));
  if (plates.isPassed || options.method === 'Plates') return { ...plates, broken };
  // Ghostscript draws some files (hidden layers, odd soft masks) otherwise once they are written anew: what the other
  // engine does not confirm is no change of ours. Inks and overprint were compared as facts.
  const second = await comparePages(options, before, { facts: [], looks: seen });
  return { ...(second.looks.isPassed ? second.looks : plates), broken };
}

type Looks = Omit<FixGate, 'broken'>;

/**
 * A page with transparency is drawn in the space of the output intent, once there is one: its black is another in RGB then
 * and the same in print. Where pictures tell colours apart, plates have the last word on pages that differ.
 */
async function confirmed(options: GateOptions, looks: Looks, pages: readonly PageFacts[]): Promise<Looks> {
  if (looks.isPassed || options.method !== 'Auto' || options.contract.group !== 'colour') return looks;
  const apart = new Set(looks.pages.filter((look) => !judged('rgb', [look], options).isPassed).map(({ page }) => page));
  // All of them: a page that prints otherwise must not hide among those that only look so.
  const plates = await comparePlates(
    options,
    pages.filter(({ number }) => apart.has(number)),
  );
  return plates.isPassed ? plates : looks;
}

function judged(method: FixGate['method'], pages: FixGate['pages'], { contract, isEdgeTolerant }: GateOptions): Looks {
  const hasSoftEdges = method === 'rgb' && !isEdgeTolerant;
  const worstLimit = worstLimits[hasSoftEdges ? contract.mayLookDifferent : 'everywhere'];
  return {
    method,
    isPassed: pages.every(({ mean, p999, worst = 0 }) => mean <= meanLimit && p999 <= p999Limit && worst <= worstLimit),
    pages,
  };
}

/** The page that failed the gate: one over a limit of whole pages, else the one with the worst place. */
export const pageAtFault = ({ pages }: FixGate): number | null =>
  (
    pages.find(({ mean, p999 }) => mean > meanLimit || p999 > p999Limit) ??
    pages.toSorted((a, b) => (b.worst ?? 0) - (a.worst ?? 0))[0]
  )?.page ?? null;

const rounded = ({ mean, p999, worst }: PictureDifference) => ({
  mean: Math.round(mean * 1000) / 1000,
  p999,
  worst: Math.round(worst * 100) / 100,
});

/** Facts and pictures of pages, on as many threads as it pays. */
async function comparePages(
  options: GateOptions,
  before: PdfFile,
  { facts, looks }: { facts: readonly PageFacts[]; looks: readonly PageFacts[] },
): Promise<{ broken: FixReason[]; looks: Looks }> {
  const dpi = affordableDpi(looks);
  const run = runPages<GatePageParams, GatePageResult>({
    file: before,
    password: options.before.password,
    pages: [...new Set([...looks, ...facts].map((page) => page.number))],
    pagesAtOnce: 1,
    // Two pictures of a page take longer than a thread to start.
    isSlow: looks.length > 1,
    ...(isLarge(before) && { threads: 1 }),
    job: {
      start: gatePage,
      module: createRequire(import.meta.url).resolve('@pdf2press/prepress/gate-page'),
      name: 'gatePage',
    },
    params: {
      after: options.after,
      mayChange: options.contract.mayChange,
      mayLookDifferent: options.contract.mayLookDifferent,
      boxes: new Map(looks.map(({ number }) => [number, options.boxes.get(number) ?? []])),
      isEdgeTolerant: options.isEdgeTolerant,
      facts: new Set(facts.map((page) => page.number)),
      looks: new Set(looks.map((page) => page.number)),
      dpi,
    },
    signal: options.signal,
  });
  const [broken, seen]: [FixReason[], FixGate['pages']] = [[], []];
  for await (const { page, result } of run) {
    broken.push(...result.broken);
    if (result.look) seen.push({ page, dpi: Math.round(result.look.dpi), ...rounded(result.look) });
    // Pictures of a page lie outside the heap: the runtime sees no hurry to give them back.
    globalThis.gc?.({ type: 'minor', execution: 'sync' });
  }
  return {
    broken,
    looks: judged(
      'rgb',
      seen.sort((a, b) => a.page - b.page),
      options,
    ),
  };
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

/** `count` of a list, evenly, first and last among them. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from({ length: count }, (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))] as T);
}

/** Pages as the press prints them. */
async function comparePlates(options: GateOptions, pages: readonly PageFacts[]): Promise<Looks> {
  const colour = await options.colour();
  // Ghostscript shows some layers that are off in a file as it came and hides them once it is written anew: both sides are.
  const copy = anewIfLayered(options);
  const common = { workDir: options.workDir, signal: options.signal };
  const services = [
    openRenderService({ ...(copy ? { path: copy } : options.before), ...common }),
    openRenderService({ ...options.after, ...common }),
  ] as const;
  const looks: FixGate['pages'] = [];
  try {
    const dpi = affordableDpi(pages);
    const asked = { dpi, box: 'trim' } as const;
    const numbers = pages.map((page) => page.number);
    for (const service of services) service.expectPlates(numbers, asked);
    for (const page of pages) {
      options.signal.throwIfAborted();
      const [one, two] = await Promise.all(services.map((service) => service.plates(page.number, asked)));
      if (!one || !two) continue;
      const difference = comparePage(softProof(one, colour), softProof(two, colour), page, {
        ...options,
        mayLookDifferent: options.contract.mayLookDifferent,
      });
      looks.push({ page: page.number, dpi, ...rounded(difference) });
    }
  } finally {
    for (const service of services) service.close();
    if (copy) rmSync(copy, { force: true });
  }
  return judged('plates', looks, options);
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
