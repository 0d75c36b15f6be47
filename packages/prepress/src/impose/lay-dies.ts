import type { LayoutPage } from '@pdf2press/contract';
import { attachedText } from '../layouts/attachment.ts';
import { separateDies } from '../layouts/die-cut/die.ts';
import type { DieShape, DieSheet, LayoutInput } from '../layouts/layout.ts';
import type { ImposeProfile } from '../layouts/layouts.ts';
import { readDieText } from './die-files/die-files.ts';

export type FoundDies = Pick<LayoutInput, 'dies' | 'artworkDies' | 'dieSheet'>;
export type DieCutProfile = Extract<ImposeProfile, { type: 'DieCut' }>;

interface Point {
  x: number;
  y: number;
}

/** What a die file draws; of a PDF with the middle of its page's trim, which lies on the artwork's. */
export interface ReadDie extends DieSheet {
  middle: Point | null;
}

/** Whether a die-cut job looks into its die file at all. */
export const needsDieFile = ({ die, stations }: DieCutProfile): boolean =>
  die.source === 'File' || stations.source === 'DieSheet';

/** A die by the text of its file; null when that is none of the formats made of text. */
export function readDie(text: string, { die }: DieCutProfile): ReadDie | null {
  const drawing = readDieText(text, die.lineNames);
  return drawing && { ...drawing, dies: separateDies(drawing.outline), middle: null };
}

/** The die that a profile carries, where that can be told without opening a PDF. */
export const attachedDie = (profile: DieCutProfile): ReadDie | null =>
  profile.die.file && readDie(attachedText(profile.die.file), profile);

/** Lays a die file's lines on every page. `drawn` finds what the artwork itself draws, page by page. */
export function layDies(
  sheet: ReadDie,
  { stations }: DieCutProfile,
  pages: readonly LayoutPage[],
  drawn: () => (DieShape | null)[],
): FoundDies {
  const isSheet = stations.source === 'DieSheet';
  // Of a die sheet the first station is the piece; of a die by itself all its lines are.
  const [first, ...others] = sheet.dies;
  const die = isSheet ? (first ?? null) : joined(first, others);
  const own = drawn();
  const laid = (from: Point | null) => pages.map((page) => (die ? laidOn(die, page, from) : null));
  // Which way up a piece lies on the sheet, only the artwork's own die can tell; its stations are compared with it.
  if (isSheet) return { dies: laid(null).map((other, index) => own[index] ?? other), dieSheet: sheet };
  return { dies: laid(sheet.middle), artworkDies: own };
}

export const middleOf = (box: { x: number; y: number; width: number; height: number }): Point => ({
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
