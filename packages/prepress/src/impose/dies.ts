import { readFileSync } from 'node:fs';
import { FileFaultError } from '@pdf2press/contract';
import type { PdfFile } from '@pdf2press/pdf/place';
import { findDieLines, layoutPage, openPdf } from '@pdf2press/pdf/place';
import { separateDies } from '../layouts/die-cut/die.ts';
import type { DieShape } from '../layouts/layout.ts';
import type { ImposeProfile } from '../layouts/layouts.ts';
import { pathsOf, strokesOf } from './die-files/drawing.ts';
import {
  type DieCutProfile,
  type FoundDies,
  layDies,
  middleOf,
  needsDieFile,
  type ReadDie,
  readDie,
} from './lay-dies.ts';

/** A die made of text is a few hundred lines; what is larger is none, and a PDF is opened by its own reader. */
const maxTextBytes = 32 * 2 ** 20;

/**
 * The dies of a die-cut job: lines in a technical ink on each page, or those of a die file for all pages. Nothing for
 * other jobs. A page without a die line has null.
 * @throws FileFaultError FILE_NOT_FOUND, PDF_DAMAGED when the die file draws no line, and as `openPdf` does
 */
export function findDies(files: readonly PdfFile[], profile: ImposeProfile, dieFile: string | undefined): FoundDies {
  if (profile.type !== 'DieCut') return {};
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

/** Whether a job reads a die file, so that one that is attached has to be put on disk. */
export const readsDieFile = (profile: ImposeProfile): boolean => profile.type === 'DieCut' && needsDieFile(profile);

/** Design programs draw a contour as loose strokes: only joined do they enclose a piece. */
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

/** The text of a die file, one character a byte; null for what is too large to be one. */
function readText(path: string): string | null {
  try {
    const bytes = readFileSync(path);
    return bytes.length > maxTextBytes ? null : bytes.toString('latin1');
  } catch (error) {
    throw new FileFaultError('FILE_NOT_FOUND', {}, { cause: error });
  }
}
