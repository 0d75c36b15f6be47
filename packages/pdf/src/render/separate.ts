/**
 * Separates pages into plates with Ghostscript. The device `psdcmyk` produces the same planes as `tiffsep` (byte for
 * byte on our test files), but writes one uncompressed file per page that also contains the names and colours of the
 * inks.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract/faults';
import {
  defaultCmykProfile,
  defaultRgbProfile,
  type ProfileRef,
  shippedProfilePath,
} from '../colour/shipped-profiles.ts';
import type { BoxName } from '../open/boxes.ts';
import {
  type GhostscriptChoice,
  type GhostscriptKind,
  ghostscriptKind,
  isNativeOlder,
  runGhostscript,
} from './ghostscript.ts';
import { type PageFrame, resizedFrame } from './page-frame.ts';
import { openPsd, type PsdFile } from './psd.ts';

/** `print`: layers as printed; `view`: the default configuration; `all`: every layer on. */
export type PlateLayers = 'print' | 'view' | 'all';

export interface SeparationOptions {
  /** Default `print`. */
  layers?: PlateLayers;
  /** Object numbers of layers that are left out; not with the layers `all`. Default: none. */
  hiddenLayers?: readonly number[];
  /** Whether to include annotations. Default true. */
  annotations?: boolean;
  /**
   * Whether to include content outside the CropBox but inside the requested box, such as bleed and marks. Default true.
   */
  beyondCrop?: boolean;
  /** False to let every object knock out what is below it, which shows the effect of overprint. Default true. */
  overprint?: boolean;
  /**
   * Profile of the press. RGB, Lab and other ICC colours are converted to it; DeviceCMYK is not converted. Default: the
   * CMYK profile of the file's output intent, else FOGRA39.
   */
  profile?: ProfileRef;
  ghostscript?: GhostscriptChoice;
  /**
   * Processor seconds that a page may take when it is separated alone. Together with others it has a quarter of them; what
   * needs more is tried again alone. Default 120.
   */
  cpuSeconds?: number;
}

export interface SeparationRun {
  path: string;
  password?: string | undefined;
  /** Frames of one resolution and one box. */
  frames: readonly PageFrame[];
  /**
   * Pages that Ghostscript shows correctly only in the copy: they extend beyond their CropBox, or have images with
   * opacity in their own data.
   */
  copiedPages: ReadonlySet<number>;
  /**
   * Whether a page has groups with a colour space of their own, of which older native programs lose colours. Asked only
   * where the native program is one of those.
   */
  hasColouredGroups: (page: number) => boolean;
  /** Returns the path of a repaired copy in which `box` is the only box of every page; made on first use. */
  copy: () => string;
  /**
   * The same without the blend modes that the embedded Ghostscript crashes of, and whether a page has some. Default: no such
   * copy is made.
   */
  plain?: { has: (page: number) => boolean; copy: () => string };
  box: BoxName;
  options: SeparationOptions;
  /** Profile of the file's output intent. */
  ownProfile?: Uint8Array | null;
  /** An empty directory for this run. */
  outDir: string;
  signal?: AbortSignal | undefined;
}

export interface SeparatedPage {
  frame: PageFrame;
  psd: PsdFile;
  psdPath: string;
  /** What drew the page: a Ghostscript, or nothing but its own pictures. */
  engine: GhostscriptKind | 'pictures';
  /** Profile of the press the plates were made for. */
  profile: ProfileRef;
  /** True when a copy of the file was separated, because the file is damaged or because of its boxes or layers. */
  isFromCopy: boolean;
  /** True when something on these pages could not be drawn. */
  hasErrors: boolean;
  hasTooManySpots: boolean;
}

/** What became of the pages of a run. A page in neither could not be separated, because the file is damaged. */
export interface Separation {
  pages: SeparatedPage[];
  /** Pages that needed more processor time than they may, with the error. */
  late: ReadonlyMap<number, FileFaultError>;
}

const defaultCpuSeconds = 120;

/** How a page is held while it is drawn. */
interface Canvas {
  /** Spot inks that have a plate; further ones are converted to process inks, and Ghostscript says so. */
  spots: number;
  /** Bytes of a bitmap that is drawn at once; larger ones are drawn in bands. */
  bitmap: number;
}

/**
 * The limit of Ghostscript: 64 components, four of them process inks. The native program (10.00) loses transparent spot
 * inks when it decides for bands with the maximum number of inks and then draws without them; 0 makes it always use bands.
 * The embedded build crashes when it draws soft masks in bands, so it never uses them.
 */
const everySpot: Readonly<Record<GhostscriptKind, Canvas>> = {
  native: { spots: 60, bitmap: 0 },
  embedded: { spots: 60, bitmap: 2_000_000_000 },
};

/** Without bands a photograph is drawn in half of the time: it is neither written into a list nor read again for each band. */
const fewSpots: Canvas = { spots: 8, bitmap: 2_000_000_000 };

/** Bytes of all plates of a page, up to which it is drawn without bands. */
const mostUnbanded = 64 * 2 ** 20;

const isSmall = ({ width, height }: PageFrame): boolean => width * height * (4 + fewSpots.spots) <= mostUnbanded;

const boxArgs: Readonly<Record<BoxName, readonly string[]>> = {
  media: [],
  crop: ['-dUseCropBox'],
  // A page without the box uses its CropBox (ISO 32000-1, 14.11.2).
  bleed: ['-dUseCropBox', '-dUseBleedBox'],
  trim: ['-dUseCropBox', '-dUseTrimBox'],
  art: ['-dUseCropBox', '-dUseArtBox'],
};

interface Way {
  engine: GhostscriptKind;
  isFromCopy: boolean;
  /** From the copy without some blend modes: the page is told as not drawn completely. */
  isPlain?: boolean;
}

/**
 * Separates pages. A page that fails is tried again in another way: the chosen Ghostscript, then the embedded one, then
 * a repaired copy of the file, and where blend modes may be what it fails of, a copy without them. A page that takes too
 * long is not: it would take as long in every way.
 * @throws FileFaultError PDF_CRASH, PDF_MEMORY, PDF_UNSUPPORTED when no page could be separated and Ghostscript failed
 */
export async function separatePages(run: SeparationRun): Promise<Separation> {
  if (run.frames.length === 0) return { pages: [], late: new Map() };
  const { ghostscript } = run.options;
  const engine = ghostscriptKind(ghostscript);
  // The native program 10.00 draws nothing, or in other inks, of a group with a colour space of its own in the colour that
  // was set before it; 10.06 draws it right. No page of those is left to it, even where the embedded one fails.
  const isWary = engine === 'native' && ghostscript !== 'native' && isNativeOlder();
  const wary = run.frames.filter(({ page }) => isWary && run.hasColouredGroups(page));
  const plans = [
    ...plansOf(
      run,
      run.frames.filter((frame) => !wary.includes(frame)),
      engine,
    ),
    ...plansOf(run, wary, 'embedded'),
  ];
  const done = new Map<number, SeparatedPage>();
  const late = new Map<number, FileFaultError>();
  let failure: unknown;
  for (const [frames, ways] of plans) {
    for (const way of ways) failure = (await separateSome(run, frames, way, { done, late })) ?? failure;
  }
  const { plain } = run;
  if (plain) {
    const left = run.frames.filter(({ page }) => !done.has(page) && !late.has(page) && plain.has(page));
    const way: Way = { engine: 'embedded', isFromCopy: true, isPlain: true };
    failure = (await separateSome(run, left, way, { done, late })) ?? failure;
  }
  // The profile of the file may be the cause of the failure: try once more without it.
  if (done.size + late.size === 0 && run.ownProfile) return separatePages({ ...run, ownProfile: null });
  if (done.size + late.size === 0 && failure !== undefined) throw failure;
  return { pages: [...done.values()], late };
}

const pressOf = (run: SeparationRun): ProfileRef => run.options.profile ?? run.ownProfile ?? defaultCmykProfile;

/** Which frames are drawn in which ways, one after the other. */
function plansOf(run: SeparationRun, frames: readonly PageFrame[], engine: GhostscriptKind): [PageFrame[], Way[]][] {
  const { layers, hiddenLayers, ghostscript } = run.options;
  const copied: Way = { engine, isFromCopy: true };
  const direct: Way[] = [{ engine, isFromCopy: false }];
  if (engine === 'native' && ghostscript !== 'native') direct.push({ engine: 'embedded', isFromCopy: false });
  // Hidden layers can only be shown in a copy without layer information, and layers only be hidden in one that says so.
  if (layers === 'all' || (hiddenLayers ?? []).length > 0) return [[[...frames], [copied]]];
  const cut = frames.filter((frame) => run.copiedPages.has(frame.page));
  const whole = frames.filter((frame) => !run.copiedPages.has(frame.page));
  return [
    [whole, [...direct, copied]],
    [cut, [copied, ...direct]],
  ];
}

/** Tries one way for all pages that are still missing: first together, then one by one. */
async function separateSome(
  run: SeparationRun,
  frames: readonly PageFrame[],
  way: Way,
  { done, late }: { done: Map<number, SeparatedPage>; late: Map<number, FileFaultError> },
): Promise<unknown> {
  const missing = (): PageFrame[] => frames.filter(({ page }) => !done.has(page) && !late.has(page));
  let failure: unknown;
  const attempt = async (some: readonly PageFrame[]): Promise<void> => {
    try {
      for (const page of await separateOneWay(run, some, way)) {
        // Errors are reported for a whole run, so with several pages each is separated again alone.
        if (page.hasErrors && some.length > 1) {
          rmSync(page.psdPath, { force: true });
        } else done.set(page.frame.page, page);
      }
    } catch (error) {
      run.signal?.throwIfAborted();
      const [only, second] = some;
      if (only && !second && error instanceof FileFaultError && error.code === 'PDF_TIMEOUT')
        late.set(only.page, error);
      else failure = error;
    }
  };
  const together = missing();
  if (together.length > 0) await attempt(together);
  // Alone, a page is not affected by damage on other pages.
  if (together.length > 1) for (const frame of missing()) await attempt([frame]);
  return failure;
}

async function separateOneWay(run: SeparationRun, frames: readonly PageFrame[], way: Way): Promise<SeparatedPage[]> {
  const prefix = `${way.engine}${way.isFromCopy ? '-copy' : ''}${way.isPlain ? '-plain' : ''}-${frames[0]?.page ?? 0}-${frames.length}-`;
  const password = way.isFromCopy ? undefined : run.password;
  const passwordFile = password === undefined ? null : path.join(run.outDir, `.${prefix}args`);
  const profile = profileFile(run);
  const rgb = shippedProfilePath(defaultRgbProfile);
  const copy = way.isPlain ? run.plain?.copy() : way.isFromCopy ? run.copy() : undefined;
  const source = copy ?? path.resolve(run.path);
  try {
    const draw = (canvas: Canvas) =>
      runGhostscript(way.engine, {
        args: [
          ...deviceArgs(run, frames, canvas, { cmyk: profile, rgb }),
          ...passwordArgs(password, passwordFile),
          // The output name is a pattern; the prefix contains no percent sign.
          `-sOutputFile=${prefix}%d.psd`,
          source,
        ],
        inputs: [source, profile, rgb, ...(passwordFile ? [passwordFile] : [])],
        outDir: run.outDir,
        cpuSeconds: cpuSecondsOf(run, frames),
        signal: run.signal,
      });
    let drawn = frames.every(isSmall) ? await draw(fewSpots) : null;
    if (drawn === null || drawn.hasTooManySpots) {
      // A page that fails now must be missing: the first run has drawn some of its inks on other plates.
      for (const file of filesOf(run, frames, prefix)) rmSync(file, { force: true });
      drawn = await draw(everySpot[way.engine]);
    }
    const { hasErrors, hasTooManySpots } = drawn;
    const state = {
      engine: way.engine,
      profile: pressOf(run),
      isFromCopy: way.isFromCopy,
      hasErrors: hasErrors || way.isPlain === true,
      hasTooManySpots,
    };
    return collect(run, frames, prefix).map((page) => ({ ...page, ...state }));
  } finally {
    if (passwordFile) rmSync(passwordFile, { force: true });
  }
}

function cpuSecondsOf({ options }: SeparationRun, frames: readonly PageFrame[]): number {
  const alone = options.cpuSeconds ?? defaultCpuSeconds;
  return frames.length > 1 ? (alone / 4) * frames.length : alone;
}

function deviceArgs(
  run: SeparationRun,
  frames: readonly PageFrame[],
  canvas: Canvas,
  profiles: { cmyk: string; rgb: string },
): string[] {
  const { layers = 'print', annotations = true, overprint = true } = run.options;
  return [
    '-sDEVICE=psdcmyk',
    `-dMaxSpots=${canvas.spots}`,
    `-dMaxBitmap=${canvas.bitmap}`,
    // Below 150 dpi each plate would get a halftone screen for coarse printers: 90 MB that no plate of 8 bits uses.
    '-dDITHERPPI=60',
    `-r${frames[0]?.dpi ?? 72}`,
    `-sPageList=${frames.map((frame) => frame.page).join(',')}`,
    ...boxArgs[run.box],
    `-dPrinted=${layers !== 'view'}`,
    ...(annotations ? [] : ['-dShowAnnots=false']),
    ...(overprint ? [] : ['-dOverprint=/disable']),
    // DeviceCMYK must not be converted: source and press use the same profile.
    `-sDefaultCMYKProfile=${profiles.cmyk}`,
    `-sOutputICCProfile=${profiles.cmyk}`,
    `-sDefaultRGBProfile=${profiles.rgb}`,
    '-dRenderIntent=1',
    '-dBlackPtComp=1',
  ];
}

/** Command lines are visible to all users of a machine, so the password is passed in a file. */
function passwordArgs(password: string | undefined, file: string | null): string[] {
  if (password === undefined || file === null) return [];
  // In an argument file a double quote cannot be escaped.
  if (password.includes('"')) return [`-sPDFPassword=${password}`];
  writeFileSync(file, `"-sPDFPassword=${password}"\n`, { mode: 0o600 });
  return [`@${file}`];
}

function profileFile(run: SeparationRun): string {
  const profile = pressOf(run);
  if (typeof profile === 'string') return shippedProfilePath(profile);
  const file = path.join(run.outDir, '.press.icc');
  writeFileSync(file, profile);
  return file;
}

/** The files that a run writes, in page order. */
const filesOf = (run: SeparationRun, frames: readonly PageFrame[], prefix: string): string[] =>
  frames.map((_, index) => path.join(run.outDir, `${prefix}${index + 1}.psd`));

/** The files of a run in page order. If one is missing, it is unknown to which page each belongs, and none is used. */
function collect(
  run: SeparationRun,
  frames: readonly PageFrame[],
  prefix: string,
): Pick<SeparatedPage, 'frame' | 'psd' | 'psdPath'>[] {
  const paths = filesOf(run, frames, prefix);
  const pages: Pick<SeparatedPage, 'frame' | 'psd' | 'psdPath'>[] = [];
  const isComplete = paths.every((file) => existsSync(file));
  frames.forEach((frame, index) => {
    const psdPath = paths[index] as string;
    const psd = isComplete ? openPsd(psdPath) : null;
    if (psd && Math.abs(psd.width - frame.width) <= 1 && Math.abs(psd.height - frame.height) <= 1) {
      pages.push({ frame: resizedFrame(frame, psd.width, psd.height), psd, psdPath });
    } else {
      // Missing, incomplete or of unexpected size, because Ghostscript uses other boxes than we do.
      rmSync(psdPath, { force: true });
    }
  });
  return pages;
}
