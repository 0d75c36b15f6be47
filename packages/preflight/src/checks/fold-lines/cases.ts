import { doc, mm } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

type Case = RuleCase<'FoldLines'>;

/** A picture of 60 pt whose left edge is so far right of a fold; the trim is from 20 to 380, its folds are counted from 20. */
const picture = (fold: number, away: number): string => `q 60 0 0 60 ${20 + fold + away} 200 cm /Im Do Q`;
const below = (away: number): string => `q 60 0 0 60 100 ${250 - 60 - away} cm /Im Do Q`;
const inCorner = (away: number): string => `q 60 0 0 60 ${200 + away} ${250 + away} cm /Im Do Q`;
const word = (x: number, y: number): string => `BT /F1 10 Tf ${x} ${y} Td (Near) Tj ET`;

/** Just too near a fold, and just far enough. */
const beside = (fold: number, settings: object, rest: Partial<Case> = {}): Case => ({
  kind: 'page',
  rule: 'nearFold',
  settings,
  breaks: doc(picture(fold, mm(2.9))),
  passes: doc(picture(fold, mm(3.05))),
  ...rest,
});

const roll = (360 + mm(2)) / 3;

export const cases: readonly Case[] = [
  // Near the middle in both directions, so that a page that is turned has it near its fold as well.
  {
    kind: 'object',
    rule: 'nearFold',
    breaks: doc(inCorner(mm(2.9))),
    passes: doc(inCorner(mm(3.05))),
  },
  { kind: 'object', rule: 'crossesFold', breaks: doc(word(188, 247)), passes: doc(word(212, 262)) },
  // Of a picture, too, unless it is the ground of two panels.
  {
    kind: 'page',
    rule: 'crossesFold',
    breaks: doc('q 80 0 0 60 150 200 cm /Im Do Q'),
    passes: doc('q 90 0 0 60 150 200 cm /Im Do Q'),
  },
  // A line of text may go on beyond the fold, where no letter is near it.
  {
    kind: 'page',
    rule: 'crossesFold',
    breaks: doc('BT /F1 10 Tf 150 300 Td [(Left) -2300 (noon)] TJ ET'),
    passes: doc('BT /F1 10 Tf 150 300 Td [(Left) -4000 (noon)] TJ ET'),
  },
  beside(roll - mm(2), { fold: 'RollFold' }),
  beside(2 * roll - mm(2), { fold: 'RollFold' }),
  beside(240, { fold: 'ZigzagFold' }),
  beside(90, { fold: 'ZigzagFold', panels: 4 }),
  beside((360 + mm(4)) / 4 - mm(2), { fold: 'GateFold' }),
  beside((360 + mm(2)) / 4 - mm(1), { fold: 'ClosedGateFold', shorter: mm(1) }),
  ...(['first', 'second', 'third', 'fourth'] as const).map((which) =>
    beside(mm(50), { fold: 'Positions', positions: { [which]: mm(50) } }),
  ),
  beside(180, { direction: 'Lying' }, { breaks: doc(below(mm(2.9))), passes: doc(below(mm(3.05))) }),
  // A page that is turned: its folds are those of the page as one sees it.
  {
    kind: 'page',
    rule: 'nearFold',
    breaks: doc(below(mm(2.9)), { extra: '/Rotate 90' }),
    passes: doc(picture(180, mm(2.9)), { extra: '/Rotate 90' }),
  },
  // The back of the paper, where the short panel is on the other side.
  beside(
    2 * roll,
    { fold: 'RollFold' },
    {
      breaks: doc('', { morePages: [{ content: picture(360 - (roll - mm(2)), mm(2)) }] }),
      passes: doc('', { morePages: [{ content: picture(roll - mm(2), mm(2)) }] }),
    },
  ),
];
