import type { LayoutPage } from '@pdf2press/contract';
import { separateDies } from '../layouts/die-cut/die.ts';
import type { DieShape, DieSheet, LayoutInput } from '../layouts/layout.ts';
import type { ImposeProfile } from '../profile/profile.ts';
import { attachedText } from '../sheet/attachment.ts';
import { readDieText } from './die-files/die-files.ts';

export type FoundDies = Pick<LayoutInput, 'dies' | 'artworkDies' | 'dieSheet'>;
export type DieCutProfile = Extract<ImposeProfile, { die: unknown }>;

/** Whether a profile is of a layout with a die. */
export const hasDie = (profile: ImposeProfile): profile is DieCutProfile => 'die' in profile;

interface Point {
  x: number;
  y: number;
}

/**
 * The content of a die file. `middle`: the trim centre of a PDF page, which is laid on the artwork's; null for CAD
 * files.
 */
export interface ReadDie extends DieSheet {
  middle: Point | null;
}

/** Whether the settings use the die file. */
export const needsDieFile = ({ die, stations }: DieCutProfile): boolean =>
  die.source === 'File' || stations.source === 'DieSheet';

/** Reads a die from the text of a CAD file; null for another format. */
export function readDie(text: string, { die }: DieCutProfile): ReadDie | null {
  const drawing = readDieText(text, die.lineNames);
  return drawing && { ...drawing, dies: separateDies(drawing.outline), middle: null };
}

/** The die attached to a profile; null when there is none or it is a PDF. */
export const attachedDie = (profile: DieCutProfile): ReadDie | null =>
  profile.die.file && readDie(attachedText(profile.die.file), profile);

/** Lays the lines of a die file on every page. `drawn` returns the die lines in the artwork, page by page. */
export function layDies(
  sheet: ReadDie,
  { stations }: DieCutProfile,
  pages: readonly LayoutPage[],
  drawn: () => (DieShape | null)[],
): FoundDies {
  const isSheet = stations.source === 'DieSheet';
  // The piece is the first station of a die sheet, or all lines of a single die.
  const [first, ...others] = sheet.dies;
  const die = isSheet ? (first ?? null) : joined(first, others);
  const own = drawn();
  const laid = (from: Point | null) => pages.map((page) => (die ? laidOn(die, page, from) : null));
  // Only the die in the artwork gives the piece's orientation; the rotation of stations is found by comparison with it.
  if (isSheet) return { dies: laid(null).map((other, index) => own[index] ?? other), dieSheet: sheet };
  return { dies: laid(sheet.middle), artworkDies: own };
}

export const middleOf = (box: { x: number; y: number; width: number; height: number }): Point => ({
  x: box.x + box.width / 2,
  y: box.y + box.height / 2,
});

/** All lines of a die as one shape. */
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

/** Moves a die so that `from`, or else the centre of its box, lies on the trim centre of the page. */
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
