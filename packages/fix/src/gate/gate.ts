/**
 * The gate compares the file before and after an action and fails when anything changed that the action's contract does
 * not allow. Facts are compared first, then pictures of the pages whose content changed.
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
  type PagePlates,
  type PdfFile,
  type PixelRect,
  type ProfileRef,
  type Raster,
  type RenderService,
  rewritePdf,
  runPages,
  softProof,
  softProofsApart,
} from '@pdf2press/pdf';
import { loadMupdf } from '@pdf2press/pdf/mupdf';
import type { FixContract } from '../kind/define-fix.ts';
import type { DeclaredPlaces } from '../log/change-log.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { PictureDifference } from './compare-pictures.ts';
import { documentFacts, type Facts, pagePrints } from './facts.ts';
import {
  averaged,
  compareFacts,
  comparePage,
  declaredPixels,
  type GatePageParams,
  type GatePageResult,
  gatePage,
} from './gate-page.ts';
import { agree, type Views, viewsOf } from './two-renderers.ts';

export interface GateOptions {
  before: { path: string; password?: string | undefined };
  /** The same file as it was opened ahead; the gate closes it. */
  opened?: GateBefore | undefined;
  after: { path: string };
  contract: Pick<FixContract, 'mayChange' | 'mayAdd' | 'mayLookDifferent' | 'group' | 'isJudgedByPlates'>;
  boxes: DeclaredPlaces;
  method: 'Auto' | 'RGB' | 'Plates';
  /** Shapes may be drawn by another routine, so that edges differ by less than a pixel. */
  isEdgeTolerant: boolean;
  colour: () => Promise<ColourService>;
  workDir: string;
  signal: AbortSignal;
}

/** Limits in CIEDE2000 for the mean and the 99.9th percentile of a page. */
export const meanLimit = 0.5;
export const p999Limit = 2;
/**
 * Limits in CIEDE2000 for the mean of the worst tile. A thousandth of a page is about two thousand pixels, enough for a
 * missing line or some letters, so each place has its own limit. It is higher beside logged places and where shapes are
 * redrawn, because edges may move; plates have hard edges.
 */
export const worstLimits = { nowhere: 0.25, whereLogged: 1, everywhere: 20 } as const;
const fullDpi = 150;
const leastDpi = 36;
/** Pixels compared in one gate over all pages; takes about five seconds. */
const pixelBudget = 60_000_000;
/** If more pages changed, this many are compared, evenly spread. */
const maxPages = 24;
/** Plates need a Ghostscript run for each file; with more changed pages RGB pictures are compared. */
const maxPlatePages = 4;
/** The same limit for pages whose edges are compared at higher resolution. */
const maxFinePages = 4;
/**
 * Files from this size or page count on are compared on one thread, because each further engine needs as much memory as
 * the first.
 */
const sparingBytes = 200e6;
const sparingPages = 1000;
const isLarge = ({ bytes, pageCount }: PdfFile): boolean => bytes > sparingBytes || pageCount > sparingPages;

/** A file before an action, with what of it is compared. */
export interface GateBefore {
  readonly file: PdfFile;
  readonly facts: Facts;
  /** One for each page; null where pages are not compared. */
  readonly prints: readonly string[] | null;
}

/**
 * Opens a file before an action, while there is time for it. Whoever calls closes it, or hands it to the gate.
 * @throws FileFaultError with the codes of `openPdf`
 */
export function openBefore(where: GateOptions['before'], { mayChange }: Pick<FixContract, 'mayChange'>): GateBefore {
  const file = openPdf({ path: where.path, password: where.password });
  try {
    return { file, facts: documentFacts(file), prints: mayChange.includes('pageCount') ? null : pagePrints(file) };
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Compares a file before and after an action.
 * @throws FileFaultError with the codes of `openPdf`
 * @throws the signal's reason when it aborts
 */
export async function checkGate(options: GateOptions): Promise<FixGate> {
  const before = options.opened ?? openBefore(options.before, options.contract);
  try {
    const after = openPdf(options.after);
    try {
      return await compareFiles(options, before, after);
    } finally {
      after.close();
    }
  } finally {
    before.file.close();
  }
}

async function compareFiles(
  options: GateOptions,
  { file: before, facts, prints }: GateBefore,
  after: PdfFile,
): Promise<FixGate> {
  const { contract } = options;
  const broken = compareFacts(facts, documentFacts(after), contract, null);
  if (before.pageCount !== after.pageCount || prints === null) {
    return { method: 'facts', isPassed: broken.length === 0, pages: [], broken };
  }
  const printsAfter = pagePrints(after);
  // Both files have been read completely; the pictures need memory of their own.
  if (isLarge(before)) collectGarbage();
  const changed = before.pages.filter((_, index) => prints[index] !== printsAfter[index]);
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
  const { doubtful, ...plates } = await comparePlates(options, spread(comparable, maxPlatePages));
  const unsure = { isPassed: false, broken: doubtful.map((page) => ({ code: 'gate.renderers', params: { page } })) };
  if (plates.isPassed || options.method === 'Plates')
    return { ...plates, broken, ...(plates.isPassed && doubtful.length > 0 && unsure) };
  // Ghostscript renders some files (hidden layers, unusual soft masks) differently once they are rewritten. A
  // difference that MuPDF does not show is not a change by the action. Inks and overprint were compared as facts.
  const second = await comparePages(options, before, { facts: [], looks: seen });
  if (!second.looks.isPassed) return { ...plates, broken };
  return { ...second.looks, broken, ...(doubtful.length > 0 && unsure) };
}

type Looks = Omit<FixGate, 'broken'>;

/** `doubtful`: pages on which one renderer shows what the other does not confirm. */
type PlateLooks = Looks & { doubtful: number[] };

/**
 * With an output intent, a page with transparency is rendered in its space: black looks different in RGB but prints the
 * same. For colour actions, plates therefore decide on pages whose pictures differ.
 */
async function confirmed(options: GateOptions, looks: Looks, pages: readonly PageFacts[]): Promise<Looks> {
  if (looks.isPassed || options.method !== 'Auto' || options.contract.group !== 'colour') return looks;
  const apart = new Set(looks.pages.filter((look) => !judged('rgb', [look], options).isPassed).map(({ page }) => page));
  // All such pages are compared, because one that prints differently could be among them.
  const { doubtful: _, ...plates } = await comparePlates(
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

/** The page that failed the gate: the first over a limit for whole pages, else the one with the worst tile. */
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

/** Compares facts and RGB pictures of pages on several threads. */
async function comparePages(
  options: GateOptions,
  before: PdfFile,
  { facts, looks }: { facts: readonly PageFacts[]; looks: readonly PageFacts[] },
): Promise<{ broken: FixReason[]; looks: Looks }> {
  if (facts.length + looks.length === 0) return { broken: [], looks: judged('rgb', [], options) };
  await loadMupdf();
  const dpi = affordableDpi(looks);
  const run = runPages<GatePageParams, GatePageResult>({
    file: before,
    password: options.before.password,
    pages: [...new Set([...looks, ...facts].map((page) => page.number))],
    pagesAtOnce: 1,
    // Rendering two pictures takes longer than starting a thread.
    isSlow: looks.length > 1,
    ...(isLarge(before) && { threads: 1 }),
    job: {
      start: gatePage,
      module: createRequire(import.meta.url).resolve('@pdf2press/fix/gate-page'),
      name: 'gatePage',
    },
    params: {
      after: options.after,
      mayChange: options.contract.mayChange,
      mayAdd: options.contract.mayAdd,
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
    // Rasters are outside the JavaScript heap, so the collector does not run because of them.
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

/** Whether one logged box covers the whole trim, so that nothing is left to compare. */
function isAllDeclared(page: PageFacts, { contract, boxes }: GateOptions): boolean {
  const { trim } = page.effective;
  return (
    contract.mayLookDifferent === 'whereLogged' &&
    (boxes.get(page.number) ?? []).some(
      (box) => box[0] <= trim[0] && box[1] <= trim[1] && box[2] >= trim[2] && box[3] >= trim[3],
    )
  );
}

/** `count` entries evenly spread over the list, including the first and the last. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from({ length: count }, (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))] as T);
}

/**
 * Compares soft proofs of the separated plates. Where the action itself draws pictures of pages, a wrong one would be
 * compared with itself; therefore MuPDF must confirm them (`isProved`).
 */
async function comparePlates(options: GateOptions, pages: readonly PageFacts[]): Promise<PlateLooks> {
  const colour = await options.colour();
  // Ghostscript may show hidden layers in the original and hide them in the rewritten file; both sides are compared as
  // rewritten.
  const copy = anewIfLayered(options);
  const common = { workDir: options.workDir, signal: options.signal };
  const services = [
    openRenderService({ ...(copy ? { path: copy } : options.before), ...common }),
    openRenderService({ ...options.after, ...common }),
  ] as const;
  const looks: FixGate['pages'] = [];
  const doubtful: number[] = [];
  try {
    const dpi = affordableDpi(pages);
    // Redrawn edges are compared finer, as with RGB pictures; plates have hard edges, which need it more.
    const halvings = options.isEdgeTolerant ? affordableHalvings(pages, dpi) : 0;
    const asked = { dpi: dpi * 2 ** halvings, box: 'trim' } as const;
    // Where edges may move, the colours beside a difference count too; what plates judge is also compared with MuPDF's pictures.
    const isApartEnough = !options.isEdgeTolerant && !options.contract.isJudgedByPlates;
    const look = (plates: PagePlates): Raster => averaged(softProof(plates, colour), halvings);
    const numbers = pages.map((page) => page.number);
    for (const service of services) service.expectPlates(numbers, asked);
    for (const page of pages) {
      options.signal.throwIfAborted();
      const [one, two] = await Promise.all(services.map((service) => service.plates(page.number, asked)));
      if (!one || !two) continue;
      const limits = { ...options, mayLookDifferent: options.contract.mayLookDifferent };
      // Otherwise pixels of equal inks need no colour.
      const apart = isApartEnough ? softProofsApart([one, two], colour) : null;
      const [was, is] = apart ?? [look(one), look(two)];
      const compared = { page: page.number, dpi, ...rounded(comparePage(was, is, page, limits)) };
      looks.push(compared);
      if (!options.contract.isJudgedByPlates) continue;
      const sides = [
        sideOf(services[0], page, { dpi, press: one.profile, colour, proof: was }),
        sideOf(services[1], page, { dpi, press: two.profile, colour, proof: is }),
      ] as const;
      const plain = async ({ service }: GateSide): Promise<Raster> =>
        look(await service.plates(page.number, { ...asked, overprint: false }));
      const isSame = judged('plates', [compared], options).isPassed;
      if (!(await isProved(sides, { isSame, ignore: declaredPixels(was, page, limits), plain })))
        doubtful.push(page.number);
    }
  } finally {
    for (const service of services) service.close();
    if (copy) rmSync(copy, { force: true });
  }
  return { ...judged('plates', looks, options), doubtful };
}

/** The original or the result of an action, with its page as both renderers show it. */
interface GateSide {
  service: RenderService;
  /** By Ghostscript. */
  proof: Raster;
  /** By MuPDF, drawn when it is asked for. */
  seen: Views;
}

const sideOf = (
  service: RenderService,
  { number }: PageFacts,
  { dpi, press, colour, proof }: { dpi: number; press: ProfileRef; colour: ColourService; proof: Raster },
): GateSide => ({
  service,
  proof,
  seen: viewsOf((view) => service.preview(number, { dpi, box: 'trim', ...view }), press, colour),
});

/**
 * Whether what one renderer shows of the original and the result of an action is confirmed by the other.
 * @param isSame whether Ghostscript shows no change; else MuPDF is to decide
 * @param ignore pixels where the action has declared changes
 * @param plain the page by Ghostscript without overprint, which MuPDF does not show
 */
async function isProved(
  [was, is]: readonly [GateSide, GateSide],
  {
    isSame,
    ignore,
    plain,
  }: { isSame: boolean; ignore: readonly PixelRect[]; plain: (side: GateSide) => Promise<Raster> },
): Promise<boolean> {
  const isAgreed = async (side: GateSide): Promise<boolean> => {
    if (agree([() => side.proof], side.seen)) return true;
    const knockedOut = await plain(side);
    return agree([() => knockedOut], side.seen);
  };
  if (!isSame) return agree([() => is.proof], was.seen, ignore) || isAgreed(was);
  return agree(was.seen, is.seen, ignore) || ((await isAgreed(was)) && (await isAgreed(is)));
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

/** How often the resolution can be doubled, at most twice. */
function affordableHalvings(pages: readonly PageFacts[], dpi: number): number {
  const pixels = inchesOf(pages) * dpi ** 2;
  return [2, 1].find((halvings) => pixels * 4 ** halvings <= pixelBudget) ?? 0;
}

/** Area of the trims in square inches. */
const inchesOf = (pages: readonly PageFacts[]): number =>
  pages.reduce(
    (sum, { effective: { trim }, userUnit }) =>
      sum + ((trim[2] - trim[0]) * (trim[3] - trim[1]) * userUnit ** 2) / 72 ** 2,
    0,
  );

function affordableDpi(pages: readonly PageFacts[]): number {
  const inches = inchesOf(pages);
  const dpi = Math.floor(Math.sqrt(pixelBudget / Math.max(inches, 1e-6)));
  return Math.max(
    Math.min(dpi, fullDpi),
    Math.min(leastDpi, Math.floor(Math.sqrt((pixelBudget * pages.length) / Math.max(inches, 1e-6)))),
    1,
  );
}
