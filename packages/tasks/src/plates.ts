import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import {
  type BoxName,
  createColourService,
  type GhostscriptChoice,
  inkHex,
  isShippedProfile,
  openRenderService,
  type PagePlates,
  type ProfileRef,
  plateView,
  profileBytes,
  readProfileFacts,
  savePicture,
  type TotalInk,
} from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface PlatesParams extends PdfInput {
  /** 1-based. */
  page: number;
  dpi: number;
  /** Page box to separate. Default `media`. */
  box?: BoxName;
  /** Also what lies outside the CropBox. Default false. */
  beyondCrop?: boolean;
  /** Percent; `shareOverLimit` counts pixels with more total ink. Default 300. */
  limit?: number;
  ghostscript?: GhostscriptChoice;
  /** CMYK output profile: id of a shipped profile, or absolute path of an ICC file. Default: output intent, else FOGRA39. */
  press?: string;
}

export interface InkReport {
  name: string;
  kind: 'process' | 'spot';
  /** Display colour, `#rrggbb`. */
  hex: string;
  /** Mean ink over the page, 0–1. */
  coverage: number;
  /** Share of pixels with this ink, 0–1. */
  inked: number;
  /** Name of its image in the work directory: paper white, ink dark. */
  file: string;
}

/** Total ink in percent; 400 is four inks at 100 %. */
interface TotalInkReport {
  max: number;
  /** 99.9th percentile. */
  p999: number;
  mean: number;
  limit: number;
  /** Share of pixels over the limit, 0–1. */
  shareOverLimit: number;
}

export interface PlatesResult {
  page: number;
  dpi: number;
  box: BoxName;
  width: number;
  height: number;
  inks: InkReport[];
  /** Ink name → mean ink, 0–1. */
  coverage: Record<string, number>;
  tac: TotalInkReport;
  /** Of Cyan, Magenta, Yellow and Black only. */
  tacProcess: TotalInkReport;
  /** Name of the press profile. */
  press: string;
  /** Which Ghostscript drew the page; `pictures` where nothing but its own pictures did. */
  engine: 'native' | 'embedded' | 'pictures';
  isFromCopy: boolean;
  hasErrors: boolean;
  hasTooManySpots: boolean;
}

/**
 * Separates one page into plates with overprint simulated: one grey image per ink, and the ink coverage.
 * @throws FileFaultError SETTINGS_INVALID {what: 'page'} for a page that does not exist; the faults of `profileOf`
 */
export const run: Task<PlatesParams, PlatesResult> = async (params, tools) => {
  const { page, dpi, box = 'media', beyondCrop = false, limit = 300, ghostscript, press, ...input } = params;
  const defaults = { ...(ghostscript && { ghostscript }), ...(press && { profile: profileOf(press) }) };
  const render = openRenderService({ ...input, workDir: tools.workDir, defaults });
  try {
    if (page > render.file.pageCount) {
      throw new FileFaultError('SETTINGS_INVALID', { what: 'page', page, pages: render.file.pageCount });
    }
    const plates = await render.plates(page, { dpi, box, beyondCrop });
    const inks = await reportInks(plates, tools.workDir);
    const { tac, tacProcess } = plates.statistics();
    return {
      page,
      dpi,
      box,
      width: plates.width,
      height: plates.height,
      inks,
      coverage: Object.fromEntries(inks.map((ink) => [ink.name, ink.coverage])),
      tac: reportTotal(tac, limit),
      tacProcess: reportTotal(tacProcess, limit),
      press: readProfileFacts(profileBytes(plates.profile)).name,
      engine: plates.engine,
      isFromCopy: plates.isFromCopy,
      hasErrors: plates.hasErrors,
      hasTooManySpots: plates.hasTooManySpots,
    };
  } finally {
    render.close();
  }
};

/** @throws FileFaultError FILE_NOT_FOUND; SETTINGS_INVALID {what: 'icc'} unless it is a CMYK output profile */
function profileOf(press: string): ProfileRef {
  if (!isShippedProfile(press) && !existsSync(press)) throw new FileFaultError('FILE_NOT_FOUND', { press });
  const profile = isShippedProfile(press) ? press : readFileSync(press);
  const { model, isTarget, name } = readProfileFacts(profileBytes(profile));
  if (model !== 'CMYK' || !isTarget) throw new FileFaultError('SETTINGS_INVALID', { what: 'icc', name });
  return profile;
}

async function reportInks(plates: PagePlates, directory: string): Promise<InkReport[]> {
  const colour = await createColourService();
  const { coverage, inked } = plates.statistics();
  const reports: InkReport[] = [];
  const taken = new Set<string>();
  for (const [index, ink] of plates.inks.entries()) {
    const file = `${fileNameOf(ink.name, index, taken)}.png`;
    const pixels = plateView(plates.plate(ink.id));
    const { width, height, dpi } = plates;
    await savePicture({ width, height, channels: 1, pixels }, path.join(directory, file), { format: 'png', dpi });
    reports.push({
      name: ink.name,
      kind: ink.kind,
      hex: inkHex(ink, colour, plates.profile),
      coverage: rounded(coverage[index] ?? 0, 6),
      inked: rounded(inked[index] ?? 0, 6),
      file,
    });
  }
  colour.close();
  return reports;
}

const longestName = 80;

/** An ink name as a file name: unsafe characters as %XX, and an index for names that are too long or differ only by case. */
function fileNameOf(name: string, index: number, taken: Set<string>): string {
  const safe = name.replace(/[^\p{L}\p{N} ()+,._-]|^\.+|[. ]+$/gu, (text) =>
    encodeURIComponent(text).replaceAll('.', '%2E'),
  );
  const isGood = safe.length > 0 && safe.length <= longestName && !taken.has(safe.toLowerCase());
  taken.add(safe.toLowerCase());
  return isGood ? safe : `${safe.slice(0, longestName)}~${index}`;
}

function reportTotal(total: TotalInk, limit: number): TotalInkReport {
  return {
    max: rounded(total.max, 2),
    p999: rounded(total.p999, 2),
    mean: rounded(total.mean, 2),
    limit,
    shareOverLimit: rounded(total.shareOver(limit), 6),
  };
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
