import { readFileSync } from 'node:fs';
import { FileFaultError } from '@pdf2press/contract';
import type { PdfFile } from '@pdf2press/pdf/place';
import { findDieLines, layoutPage, openPdf } from '@pdf2press/pdf/place';
import { separateDies } from '../layouts/die-cut/die.ts';
import type { DieShape } from '../layouts/layout.ts';
import type { ImposeProfile } from '../profile/profile.ts';
import { pathsOf, strokesOf } from './die-files/drawing.ts';
import {
  type DieCutProfile,
  type FoundDies,
  hasDie,
  layDies,
  middleOf,
  needsDieFile,
  type ReadDie,
  readDie,
} from './lay-dies.ts';

/** Larger files are not read as text: CAD files of dies have some hundred lines. PDFs have no limit here. */
const maxTextBytes = 32 * 2 ** 20;

/**
 * The dies of a die-cut job, in points: lines in a technical ink on each page (null for a page without one), or those of
 * a die file for all pages. Empty for other jobs.
 * @throws FileFaultError FILE_NOT_FOUND, PDF_DAMAGED for a die file without lines, and the faults of `openPdf`
 */
export function findDies(files: readonly PdfFile[], profile: ImposeProfile, dieFile: string | undefined): FoundDies {
  if (!hasDie(profile)) return {};
  const isSheet = profile.stations.source === 'DieSheet';
  if (profile.die.source === 'Trim' && !isSheet) return {};
  const drawn = () =>
    files.flatMap((file) => file.pages.map((page) => whole(findDieLines(file, page.number, profile.die.lineNames))));
  if (profile.die.source !== 'File') {
    const dies = profile.die.source === 'Artwork' ? { dies: drawn() } : {};
    return { ...dies, ...(isSheet && dieFile !== undefined ? { dieSheet: sheetOf(dieFile, profile) } : {}) };
  }
  if (dieFile === undefined) return { dies: files.flatMap((file) => file.pages.map(() => null)) };
  const pages = files.flatMap((file) => file.pages.map(layoutPage));
  return layDies(sheetOf(dieFile, profile), profile, pages, drawn);
}

/** Whether a job reads a die file, so that an attached one must be written to disk. */
export const readsDieFile = (profile: ImposeProfile): boolean => hasDie(profile) && needsDieFile(profile);

/** Joins the strokes of a die line: design programs write a contour as separate strokes. */
const whole = (lines: DieShape | null): DieShape | null =>
  lines && { ...lines, outline: pathsOf(strokesOf(lines.outline)) };

function sheetOf(path: string, profile: DieCutProfile): ReadDie {
  const text = readText(path);
  const die = text === null ? null : readDie(text, profile);
  if (die?.dies.length === 0) throw new FileFaultError('PDF_DAMAGED');
  if (die) return die;
  const file = openPdf({ path });
  try {
    const [page] = file.pages;
    if (!page) throw new FileFaultError('PDF_NO_PAGES');
    const lines = findDieLines(file, 1, profile.die.lineNames) ?? findDieLines(file, 1, ['*']);
    const { media, trim } = layoutPage(page);
    return {
      width: media.width,
      height: media.height,
      dies: lines ? separateDies(pathsOf(strokesOf(lines.outline))) : [],
      middle: middleOf(trim),
    };
  } finally {
    file.close();
  }
}

/** The text of a die file, one character per byte; null for a file above the size limit. */
function readText(path: string): string | null {
  try {
    const bytes = readFileSync(path);
    return bytes.length > maxTextBytes ? null : bytes.toString('latin1');
  } catch (error) {
    throw new FileFaultError('FILE_NOT_FOUND', {}, { cause: error });
  }
}
