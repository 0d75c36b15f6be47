import type { LayoutPage } from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract';
import type { PdfFile } from '@pdf2press/pdf/place';
import { findDieLines, layoutPage, openPdf } from '@pdf2press/pdf/place';
import { separateDies } from '../layouts/die-cut/die.ts';
import type { DieShape, DieSheet, LayoutInput } from '../layouts/layout.ts';
import type { ImposeProfile } from '../layouts/layouts.ts';
import { readDieFile } from './die-files/die-files.ts';
import { pathsOf, strokesOf } from './die-files/drawing.ts';

type Found = Pick<LayoutInput, 'dies' | 'artworkDies' | 'dieSheet'>;
type DieCutProfile = Extract<ImposeProfile, { type: 'DieCut' }>;

/**
 * The dies of a die-cut job: lines in a technical ink on each page, or those of a die file for all pages. Nothing for
 * other jobs. A page without a die line has null.
 */
export function findDies(files: readonly PdfFile[], profile: ImposeProfile, dieFile: string | undefined): Found {
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
  const sheet = sheetOf(dieFile, profile);
  // Of a die sheet the first station is the piece; of a die by itself all its lines are.
  const [first, ...others] = sheet.dies;
  const die = isSheet ? (first ?? null) : joined(first, others);
  const pages = files.flatMap((file) => file.pages.map(layoutPage));
  const own = drawn();
  const laid = (from: Point | null) => pages.map((page) => (die ? laidOn(die, page, from) : null));
  // Which way up a piece lies on the sheet, only the artwork's own die can tell; its stations are compared with it.
  if (isSheet) return { dies: laid(null).map((other, index) => own[index] ?? other), dieSheet: sheet };
  return { dies: laid(sheet.middle), artworkDies: own };
}

/** Design programs draw a contour as loose strokes: only joined do they enclose a piece. */
const whole = (lines: DieShape | null): DieShape | null =>
  lines && { ...lines, outline: pathsOf(strokesOf(lines.outline)) };

interface Point {
  x: number;
  y: number;
}

/** A die sheet; of a PDF with the middle of its page's trim, which lies on the artwork's. */
function sheetOf(path: string, { die: { lineNames } }: DieCutProfile): DieSheet & { middle: Point | null } {
  const drawing = readDieFile(path, lineNames);
  if (drawing) return { ...drawing, dies: separateDies(drawing.outline), middle: null };
  const file = openPdf({ path, isReadOnly: true });
  try {
    const [page] = file.pages;
    if (!page) throw new FileFaultError('PDF_NO_PAGES');
    const lines = findDieLines(file, 1, lineNames) ?? findDieLines(file, 1, ['*']);
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

const middleOf = (box: { x: number; y: number; width: number; height: number }): Point => ({
  x: box.x + box.width / 2,
  y: box.y + box.height / 2,
});

/** All lines of a die as one, with the box around them. */
function joined(first: DieShape | undefined, others: readonly DieShape[]): DieShape | null {
  if (!first) return null;
  const boxes = [first, ...others].map(({ box }) => box);
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  return {
    outline: [first, ...others].flatMap(({ outline }) => outline),
    box: {
      x,
      y,
      width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
      height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
    },
  };
}

/** A die drawn on a page of its own lies on the artwork trim middle on trim middle; one by itself with its own middle. */
function laidOn(die: DieShape, page: LayoutPage, from: Point | null): DieShape {
  const [start, target] = [from ?? middleOf(die.box), middleOf(page.trim)];
  const [dx, dy] = [target.x - start.x, target.y - start.y];
  return {
    box: { ...die.box, x: die.box.x + dx, y: die.box.y + dy },
    outline: die.outline.map(([letter, numbers]) => [
      letter,
      numbers.map((value, index) => value + (index % 2 === 0 ? dx : dy)),
    ]),
  };
}
