/**
 * Separates pages into plates with Ghostscript. Its `psdcmyk` device renders exactly what `tiffsep` renders (the same planes,
 * byte for byte, over our test files), but writes one uncompressed file per page that also holds the inks' names and colours.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  defaultCmykProfile,
  defaultRgbProfile,
  type ProfileRef,
  shippedProfilePath,
} from '../colour/shipped-profiles.ts';
import type { BoxName } from '../open/boxes.ts';
import { type GhostscriptChoice, type GhostscriptKind, ghostscriptKind, runGhostscript } from './ghostscript.ts';
import { type PageFrame, resizedFrame } from './page-frame.ts';
import { openPsd, type PsdFile } from './psd.ts';

/** `print`: what the file's print state shows; `view`: the default configuration on screen; `all`: every layer on. */
export type PlateLayers = 'print' | 'view' | 'all';

export interface SeparationOptions {
  /** Default `print`. */
  layers?: PlateLayers;
  /** Default true. */
  annotations?: boolean;
  /**
   * What lies outside the CropBox but inside the wanted box: bleed and marks, which viewers and Ghostscript leave out.
   * Default true.
   */
  beyondCrop?: boolean;
  /** False: every object knocks out what lies below, to see what overprint changes. Default true. */
  overprint?: boolean;
  /**
   * The press: RGB, Lab and foreign ICC colours are converted into it; DeviceCMYK passes unchanged. Default: the file's own
   * output intent where it has a CMYK profile, else FOGRA39.
   */
  profile?: ProfileRef;
  ghostscript?: GhostscriptChoice;
}

export interface SeparationRun {
  path: string;
  password?: string | undefined;
  /** All of one resolution and one kind of box. */
  frames: readonly PageFrame[];
  /** Pages that Ghostscript would cut: only the copy gives all of them. */
  cutPages: ReadonlySet<number>;
  /** A mended copy of the file in which `box` is every page's only box; made when it is asked for. */
  copy: () => string;
  box: BoxName;
  options: SeparationOptions;
  /** The press of the file's output intent. */
  ownProfile?: Uint8Array | null;
  /** An empty directory that belongs to this run. */
  outDir: string;
  signal?: AbortSignal | undefined;
}

export interface SeparatedPage {
  frame: PageFrame;
  psd: PsdFile;
  psdPath: string;
  engine: GhostscriptKind;
  /** The press they were made for. */
  profile: ProfileRef;
  /** Separated from a copy: the file is damaged, or its boxes or layers were in the way. */
  isFromCopy: boolean;
  /** Something on these pages could not be drawn. */
  hasErrors: boolean;
  hasTooManySpots: boolean;
}

/** As many as Ghostscript has: 64 components with the four process inks. */
const maxSpots = 60;
/**
 * Pages whose bitmap is larger are drawn in bands. The native program (10.00) drops transparent spots where it begins with
 * bands, for all the inks there could be, and goes on without, for those there are: it always draws in bands. The embedded
 * one crashes on bands with soft masks.
 */
const maxBitmap: Readonly<Record<GhostscriptKind, number>> = { native: 0, embedded: 2_000_000_000 };

const boxArgs: Readonly<Record<BoxName, readonly string[]>> = {
  media: [],
  crop: ['-dUseCropBox'],
  // A page without the box falls back on its CropBox, as ISO 32000-1 14.11.2 says.
  bleed: ['-dUseCropBox', '-dUseBleedBox'],
  trim: ['-dUseCropBox', '-dUseTrimBox'],
  art: ['-dUseCropBox', '-dUseArtBox'],
};

interface Way {
  engine: GhostscriptKind;
  isFromCopy: boolean;
}

/**
 * Separates pages; a page that one way does not give is tried the next way: the chosen engine, the embedded engine, a mended
 * copy.
 * @returns the pages that could be separated; a page that no way gave is missing.
 * @throws FileFaultError PDF_CRASH, PDF_MEMORY, PDF_UNSUPPORTED when nothing at all came out and an engine failed.
 */
export async function separatePages(run: SeparationRun): Promise<SeparatedPage[]> {
  const { layers, ghostscript } = run.options;
  const engine = ghostscriptKind(ghostscript);
  const copied: Way = { engine, isFromCopy: true };
  const direct: Way[] = [{ engine, isFromCopy: false }];
  if (engine === 'native' && ghostscript !== 'native') direct.push({ engine: 'embedded', isFromCopy: false });

  const cut = run.frames.filter((frame) => run.cutPages.has(frame.page));
  const whole = run.frames.filter((frame) => !run.cutPages.has(frame.page));
  // Hidden layers can only be shown by a copy that has no layers.
  const plans: [PageFrame[], Way[]][] =
    layers === 'all'
      ? [[[...run.frames], [copied]]]
      : [
          [whole, [...direct, copied]],
          [cut, [copied, ...direct]],
        ];
  const done = new Map<number, SeparatedPage>();
  let failure: unknown;
  for (const [frames, ways] of plans) {
    for (const way of ways) failure = (await separateSome(run, frames, way, done)) ?? failure;
  }
  // A profile that came with the file may be what the engine stumbles over.
  if (done.size === 0 && run.ownProfile) return separatePages({ ...run, ownProfile: null });
  if (done.size === 0 && failure !== undefined) throw failure;
  return [...done.values()];
}

const pressOf = (run: SeparationRun): ProfileRef => run.options.profile ?? run.ownProfile ?? defaultCmykProfile;

/** Tries one way with the pages that are not done yet: together, then those that are missing one by one. */
async function separateSome(
  run: SeparationRun,
  frames: readonly PageFrame[],
  way: Way,
  done: Map<number, SeparatedPage>,
): Promise<unknown> {
  const missing = (): PageFrame[] => frames.filter((frame) => !done.has(frame.page));
  let failure: unknown;
  const attempt = async (some: readonly PageFrame[]): Promise<void> => {
    try {
      for (const page of await separateOneWay(run, some, way)) {
        // What could not be drawn is told for a whole run: one page of several must be asked alone.
        if (page.hasErrors && some.length > 1) {
          page.psd.close();
          rmSync(page.psdPath, { force: true });
        } else done.set(page.frame.page, page);
      }
    } catch (error) {
      run.signal?.throwIfAborted();
      failure = error;
    }
  };
  const together = missing();
  if (together.length > 0) await attempt(together);
  // Alone, a page does not suffer from its neighbours' damage.
  if (together.length > 1) for (const frame of missing()) await attempt([frame]);
  return failure;
}

async function separateOneWay(run: SeparationRun, frames: readonly PageFrame[], way: Way): Promise<SeparatedPage[]> {
  const prefix = `${way.engine}${way.isFromCopy ? '-copy' : ''}-${frames[0]?.page ?? 0}-${frames.length}-`;
  const password = way.isFromCopy ? undefined : run.password;
  const passwordFile = password === undefined ? null : path.join(run.outDir, `.${prefix}args`);
  const profile = profileFile(run);
  const rgb = shippedProfilePath(defaultRgbProfile);
  const source = way.isFromCopy ? run.copy() : path.resolve(run.path);
  try {
    const { hasErrors, hasTooManySpots } = await runGhostscript(way.engine, {
      args: [
        ...deviceArgs(run, frames, way.engine, { cmyk: profile, rgb }),
        ...passwordArgs(password, passwordFile),
        // An output pattern: a percent sign in our own prefix would be a directive.
        `-sOutputFile=${prefix}%d.psd`,
        source,
      ],
      inputs: [source, profile, rgb, ...(passwordFile ? [passwordFile] : [])],
      outDir: run.outDir,
      signal: run.signal,
    });
    const state = { engine: way.engine, profile: pressOf(run), isFromCopy: way.isFromCopy, hasErrors, hasTooManySpots };
    return collect(run, frames, prefix).map((page) => ({ ...page, ...state }));
  } finally {
    if (passwordFile) rmSync(passwordFile, { force: true });
  }
}

function deviceArgs(
  run: SeparationRun,
  frames: readonly PageFrame[],
  engine: GhostscriptKind,
  profiles: { cmyk: string; rgb: string },
): string[] {
  const { layers = 'print', annotations = true, overprint = true } = run.options;
  return [
    '-sDEVICE=psdcmyk',
    `-dMaxSpots=${maxSpots}`,
    `-dMaxBitmap=${maxBitmap[engine]}`,
    `-r${frames[0]?.dpi ?? 72}`,
    `-sPageList=${frames.map((frame) => frame.page).join(',')}`,
    ...boxArgs[run.box],
    `-dPrinted=${layers !== 'view'}`,
    ...(annotations ? [] : ['-dShowAnnots=false']),
    ...(overprint ? [] : ['-dOverprint=/disable']),
    // DeviceCMYK is already ink: source and press are one profile, so that nothing converts it.
    `-sDefaultCMYKProfile=${profiles.cmyk}`,
    `-sOutputICCProfile=${profiles.cmyk}`,
    `-sDefaultRGBProfile=${profiles.rgb}`,
    '-dRenderIntent=1',
    '-dBlackPtComp=1',
  ];
}

/** The command line of a process can be read by everyone on the machine: passwords go through a file of our own. */
function passwordArgs(password: string | undefined, file: string | null): string[] {
  if (password === undefined || file === null) return [];
  // In a file of arguments a double quote cannot be written, and one that closes needs white space after it.
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

/** The files of a run in page order. One page too few, and it is not known which: then none is taken. */
function collect(
  run: SeparationRun,
  frames: readonly PageFrame[],
  prefix: string,
): Pick<SeparatedPage, 'frame' | 'psd' | 'psdPath'>[] {
  const paths = frames.map((_, index) => path.join(run.outDir, `${prefix}${index + 1}.psd`));
  const pages: Pick<SeparatedPage, 'frame' | 'psd' | 'psdPath'>[] = [];
  const isComplete = paths.every((file) => existsSync(file));
  frames.forEach((frame, index) => {
    const psdPath = paths[index] as string;
    const psd = isComplete ? openPsd(psdPath) : null;
    if (psd && Math.abs(psd.width - frame.width) <= 1 && Math.abs(psd.height - frame.height) <= 1) {
      pages.push({ frame: resizedFrame(frame, psd.width, psd.height), psd, psdPath });
    } else {
      // Absent, cut short, or of another size: Ghostscript read other boxes than we did.
      psd?.close();
      rmSync(psdPath, { force: true });
    }
  });
  return pages;
}
