import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract/faults';
import { defaultCmykProfile } from '../colour/shipped-profiles.ts';
import type { Rect } from '../interpret/types.ts';
import type { BoxName } from '../open/boxes.ts';
import type { PageFacts } from '../open/page-facts.ts';
import { type OpenOptions, openPdf, type PdfFile } from '../open/pdf-file.ts';
import { writeViews } from '../write/write-views.ts';
import { alphaPictures, splitAlphaPictures } from './alpha-pictures.ts';
import { blendingStates } from './blending-cells.ts';
import { writeMendedCopy } from './engine-pages.ts';
import { type PageFrame, pageFrame } from './page-frame.ts';
import { hasOwnSpace, paintedObjects } from './painted-objects.ts';
import { drawPictures } from './picture-plates.ts';
import { makePagePlates, type PagePlates } from './plates.ts';
import { soundPressProfileOf } from './press-profile.ts';
import { type PreviewOptions, type Raster, renderPreview } from './preview.ts';
import { type SeparatedPage, type SeparationOptions, separatePages } from './separate.ts';

export interface PlateOptions extends SeparationOptions {
  dpi: number;
  /** Page box to separate. Default `media`, because checks also need bleed and marks. */
  box?: BoxName;
}

export interface RenderServiceOptions extends OpenOptions {
  /** A subdirectory for plates is created here; `close` removes it. */
  workDir: string;
  /** Options for calls that do not set them. */
  defaults?: SeparationOptions;
  /** Limit of plates kept on disk; the least recently used ones are removed first. Default 768 MiB. */
  keptPlateBytes?: number;
  /** Limit of previews kept in memory. Default 64 MiB. */
  keptPreviewBytes?: number;
  /** Number of Ghostscript processes at a time. Default: the number of processors, at most 4. */
  lanes?: number;
  signal?: AbortSignal;
}

/** Renders pages of one file and caches the results, so that several checks can ask for the same page. */
export interface RenderService {
  readonly file: PdfFile;
  /**
   * Announces which pages will be requested. They are then separated in groups and in parallel, starting with the first
   * call of `plates`. Without it, every page needs a Ghostscript run of its own.
   */
  expectPlates(pages: readonly number[], options: PlateOptions): void;
  /**
   * The plates of one page. They can be read until other pages have filled the cache, or until `close`.
   * @throws FileFaultError PDF_DAMAGED {page, stage: 'plates'}, PDF_TIMEOUT {seconds} of the processor, PDF_LIMIT_PIXELS,
   *   PDF_CRASH, PDF_MEMORY
   */
  plates(page: number, options: PlateOptions): Promise<PagePlates>;
  /**
   * The plates of parts of a page (default user space), each drawn alone: what they cost depends on their size, not on that
   * of the page. Nothing of them is kept: whoever asks releases them.
   * @throws FileFaultError as `plates`
   */
  closeUps(page: number, parts: readonly Rect[], options: Omit<PlateOptions, 'box'>): Promise<PagePlates[]>;
  /**
   * An RGB preview of a page.
   * @throws FileFaultError PDF_DAMAGED, PDF_LIMIT_PIXELS, PDF_MEMORY
   */
  preview(page: number, options: PreviewOptions): Raster;
  frame(page: number, options: { dpi: number; box?: BoxName }): PageFrame;
  close(): void;
}

const mebibyte = 2 ** 20;
/** Limit of bytes one run may write, since its plates are on disk at the same time. */
const runBytes = 256 * mebibyte;
/** Estimate: the process inks and one or two spot inks. */
const platesPerPage = 6;
/** Starting a run costs as much as one or two pages; longer runs only delay their first page. */
const pagesPerRun = 8;
/** Pages that have fewer pixels together are not worth a second run beside the first: its start costs as much as they do. */
const leastRunPixels = 1_500_000;

/** Pages requested with the same options. */
interface Series {
  options: PlateOptions;
  runs: PlateRun[];
}
interface PlateRun {
  frames: PageFrame[];
  result: Promise<Map<number, PagePlates>> | null;
}

/**
 * Opens a file for rendering. Pages are numbered from 1.
 * One function, because all parts share the caches and the queue.
 * @throws FileFaultError as `openPdf`
 */
export function openRenderService(options: RenderServiceOptions): RenderService {
  const file = openPdf(options);
  mkdirSync(options.workDir, { recursive: true });
  const directory = mkdtempSync(path.join(options.workDir, 'render-'));
  let ownProfile: Promise<Uint8Array | null> | null = null;
  const lanes = options.lanes ?? Math.min(4, os.availableParallelism());
  const series = new Map<string, Series>();
  const kept = new Map<string, PagePlates>();
  const late = new Map<string, FileFaultError>();
  const previews = new Map<string, Raster>();
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  let running = 0;
  let runCount = 0;
  const waiting: (() => void)[] = [];

  async function inLane<T>(work: () => Promise<T>): Promise<T> {
    if (running >= lanes) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }

  /** The profile of the file's output intent, read once and only when the options name no profile. */
  function press(asked: PlateOptions): Promise<Uint8Array | null> | null {
    if (asked.profile) return null;
    ownProfile ??= soundPressProfileOf(file);
    return ownProfile;
  }

  /** Whether something of a page asks for special care, found once for each page. */
  function onPages(has: (file: PdfFile, pages: readonly PageFacts[]) => boolean): (page: number) => boolean {
    const known = new Map<number, boolean>();
    return (page) => {
      const answer = known.get(page) ?? has(file, file.pages.slice(page - 1, page));
      known.set(page, answer);
      return answer;
    };
  }
  const hasAlphaPictures = onPages((...of) => alphaPictures(...of).length > 0);
  const hasColouredGroups = onPages((...of) => paintedObjects(...of).some((dict) => hasOwnSpace(file, dict)));

  const hasBlendingCells = onPages((...of) => blendingStates(...of).length > 0);

  /** The repaired copy for a box; it serves all pages and resolutions. */
  function copyOf({ box = 'media', layers, hiddenLayers = [] }: PlateOptions, isPlain = false): string {
    const showsAllLayers = layers === 'all';
    const name = [box, ...(showsAllLayers ? ['layers'] : []), ...(isPlain ? ['plain'] : []), ...hiddenLayers].join('-');
    const copy = path.join(directory, `${name}.pdf`);
    if (!existsSync(copy)) writeMendedCopy(options, { box, showsAllLayers, hiddenLayers, isPlain, to: copy });
    return copy;
  }

  const complete = (asked: PlateOptions): PlateOptions => ({ box: 'media', ...options.defaults, ...asked });
  const frameOf = (page: number, at: { dpi: number; box?: BoxName }): PageFrame => {
    const facts = file.pages[page - 1];
    if (!facts) throw new RangeError(`page ${page}`);
    return pageFrame(facts, at);
  };

  /** The pages of a run that need no Ghostscript. */
  async function drawPicturePages(
    frames: readonly PageFrame[],
    asked: PlateOptions,
    own: Uint8Array | null,
    outDir: string,
  ): Promise<SeparatedPage[]> {
    const drawn: SeparatedPage[] = [];
    for (const frame of frames) {
      signal.throwIfAborted();
      if (asked.beyondCrop === false && isCut(file, frame)) continue;
      const psdPath = path.join(outDir, `pictures-${frame.page}.plates`);
      const psd = await drawPictures(file, frame, psdPath);
      if (psd) drawn.push({ ...wholePage, frame, psd, psdPath, profile: asked.profile ?? own ?? defaultCmykProfile });
    }
    return drawn;
  }

  function start(run: PlateRun, asked: PlateOptions, key: string): Promise<Map<number, PagePlates>> {
    run.result ??= inLane(async () => {
      signal.throwIfAborted();
      runCount += 1;
      const outDir = path.join(directory, `run-${runCount}`);
      mkdirSync(outDir);
      const own = await press(asked);
      const drawn = await drawPicturePages(run.frames, asked, own, outDir);
      const frames = run.frames.filter(({ page }) => !drawn.some(({ frame }) => frame.page === page));
      const separated = await separatePages({
        path: options.path,
        password: options.password,
        frames,
        copiedPages: new Set(
          frames
            .filter((frame) => (asked.beyondCrop !== false && isCut(file, frame)) || hasAlphaPictures(frame.page))
            .map((frame) => frame.page),
        ),
        hasColouredGroups,
        copy: () => copyOf(asked),
        plain: { has: hasBlendingCells, copy: () => copyOf(asked, true) },
        box: asked.box ?? 'media',
        options: asked,
        ownProfile: own,
        outDir,
        signal,
      });
      const plates = new Map([...drawn, ...separated.pages].map((page) => [page.frame.page, makePagePlates(page)]));
      for (const [page, error] of separated.late) late.set(`${key} ${page}`, error);
      for (const page of plates.values()) keep(`${key} ${page.page}`, page);
      return plates;
    });
    // The caller that awaits the result gets the error. Without this line, a run that was started in advance would end
    // the process.
    run.result.catch(() => undefined);
    return run.result;
  }

  function keep(key: string, page: PagePlates): void {
    kept.set(key, page);
    let bytes = 0;
    for (const other of kept.values()) bytes += other.bytes;
    for (const [oldest, other] of kept) {
      if (bytes <= (options.keptPlateBytes ?? 768 * mebibyte) || other === page) break;
      other.release();
      kept.delete(oldest);
      bytes -= other.bytes;
    }
  }

  function runOf(pages: Series, page: number): { run: PlateRun; index: number } {
    const index = pages.runs.findIndex((run) => run.frames.some((frame) => frame.page === page));
    const run = pages.runs[index];
    if (run) return { run, index };
    const single: PlateRun = { frames: [frameOf(page, pages.options)], result: null };
    pages.runs.push(single);
    return { run: single, index: pages.runs.length - 1 };
  }

  function seriesOf(asked: PlateOptions): { key: string; pages: Series } {
    const key = keyOf(asked);
    const pages = series.get(key) ?? { options: asked, runs: [] };
    series.set(key, pages);
    return { key, pages };
  }

  let viewed: PdfFile | null = null;
  /** The file that parts of pages are taken from; its pictures with opacity of their own are made what Ghostscript draws. */
  function fileOfViews(page: number): PdfFile {
    viewed ??= openPdf(options);
    if (hasAlphaPictures(page)) splitAlphaPictures(viewed);
    return viewed;
  }

  async function closeUps(
    number: number,
    parts: readonly Rect[],
    given: Omit<PlateOptions, 'box'>,
  ): Promise<PagePlates[]> {
    if (parts.length === 0) return [];
    const asked = complete({ ...given, box: 'media' });
    const source = fileOfViews(number);
    const facts = source.pageNow(number);
    runCount += 1;
    const outDir = path.join(directory, `run-${runCount}`);
    mkdirSync(outDir);
    const copy = path.join(outDir, 'views.pdf');
    writeViews(source, facts, parts, { path: copy, showsAllLayers: asked.layers === 'all' });
    const frames = parts.map((box, at) => pageFrame({ ...facts, number: at + 1 }, { dpi: asked.dpi, box }));
    const { pages, late } = await inLane(async () =>
      separatePages({
        path: copy,
        frames,
        copiedPages: new Set(),
        hasColouredGroups: () => hasColouredGroups(number),
        copy: () => copy,
        box: 'media',
        options: asked,
        ownProfile: await press(asked),
        outDir,
        signal,
      }),
    );
    rmSync(copy, { force: true });
    return frames.map((frame) => {
      const separated = pages.find((page) => page.frame.page === frame.page);
      if (!separated)
        throw late.get(frame.page) ?? new FileFaultError('PDF_DAMAGED', { page: number, stage: 'plates' });
      return makePagePlates({ ...separated, frame: { ...separated.frame, page: number } });
    });
  }

  return {
    file,
    closeUps,
    frame: frameOf,
    expectPlates(pageNumbers, asked) {
      const { pages } = seriesOf(complete(asked));
      const known = new Set(pages.runs.flatMap((run) => run.frames.map((frame) => frame.page)));
      const frames: PageFrame[] = [];
      for (const page of pageNumbers) {
        if (known.has(page)) continue;
        try {
          frames.push(frameOf(page, pages.options));
        } catch (error) {
          // A page that is too large is reported when it is requested.
          if (!(error instanceof FileFaultError)) throw error;
        }
      }
      pages.runs.push(...runsOf(frames, lanes));
    },
    async plates(page, asked) {
      const { key, pages } = seriesOf(complete(asked));
      const pageKey = `${key} ${page}`;
      const known = kept.get(pageKey);
      if (known) {
        kept.delete(pageKey);
        kept.set(pageKey, known);
        return known;
      }
      const { run, index } = runOf(pages, page);
      const result = start(run, pages.options, key);
      // Start the following runs while this one is used.
      for (const next of pages.runs.slice(index + 1, index + lanes)) start(next, pages.options, key);
      const plates = (await result).get(page);
      if (!plates) throw late.get(pageKey) ?? new FileFaultError('PDF_DAMAGED', { page, stage: 'plates' });
      if (kept.get(pageKey) === plates) return plates;
      // The page was already removed from the cache for other pages: separate it again, alone.
      pages.runs = pages.runs.map((other) =>
        other === run ? { frames: run.frames.filter((f) => f.page === page), result: null } : other,
      );
      return this.plates(page, asked);
    },
    preview(page, asked) {
      const key = JSON.stringify([page, asked]);
      const known = previews.get(key);
      if (known) return known;
      const raster = renderPreview(file, page, asked);
      previews.set(key, raster);
      let bytes = 0;
      for (const other of previews.values()) bytes += other.pixels.length;
      for (const [oldest, other] of previews) {
        if (bytes <= (options.keptPreviewBytes ?? 64 * mebibyte)) break;
        previews.delete(oldest);
        bytes -= other.pixels.length;
      }
      return raster;
    },
    close() {
      stop.abort();
      for (const page of kept.values()) page.release();
      kept.clear();
      previews.clear();
      viewed?.close();
      file.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** What is true of a page that consists of pictures. */
const wholePage = { engine: 'pictures', isFromCopy: false, hasErrors: false, hasTooManySpots: false } as const;

/** Ghostscript draws only inside the CropBox, whatever box is requested. */
function isCut(file: PdfFile, frame: PageFrame): boolean {
  const facts = file.pages[frame.page - 1];
  if (!facts) return false;
  const [x0, y0, x1, y1] = facts.effective.crop;
  return frame.box[0] < x0 || frame.box[1] < y0 || frame.box[2] > x1 || frame.box[3] > y1;
}

/**
 * Profiles given as bytes are distinguished by their header, which includes a checksum at offset 84 (ICC.1, 7.2.18),
 * and their length.
 */
function keyOf({ profile, ...asked }: PlateOptions): string {
  const press = typeof profile === 'object' ? Buffer.from(profile).toString('hex', 0, 128) + profile.length : profile;
  return JSON.stringify([Object.entries(asked).sort(), press]);
}

/** Divides the pages evenly among the processes, in runs of limited length so that the first page comes soon. */
function runsOf(frames: readonly PageFrame[], lanes: number): PlateRun[] {
  const share = Math.min(pagesPerRun, Math.max(1, Math.ceil(frames.length / lanes)));
  const runs: PlateRun[] = [];
  let bytes = 0;
  for (const frame of frames) {
    const last = runs.at(-1);
    const size = frame.width * frame.height * platesPerPage;
    const most = bytes < leastRunPixels * platesPerPage ? pagesPerRun : share;
    if (last && last.frames.length < most && bytes + size <= runBytes) {
      last.frames.push(frame);
      bytes += size;
    } else {
      runs.push({ frames: [frame], result: null });
      bytes = size;
    }
  }
  return runs;
}
