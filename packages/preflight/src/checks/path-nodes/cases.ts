import { doc } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** A line with so many points, drawn to and fro. */
const zigzag = (nodes: number, end = 'S'): string =>
  `0 0 0 1 K 100 100 m ${Array.from({ length: nodes - 1 }, (_, at) => `${100 + (at % 97)} ${101 + ((at * 7) % 89)} l`).join(' ')} ${end}`;
const curves = (count: number): string => `0 0 0 1 k 100 100 m ${'120 130 140 150 160 110 c '.repeat(count)} f`;

const perPath = { perPath: { warnAbove: 500 } };
const perPage = { perPage: { warnAbove: 500 } };

export const cases: readonly RuleCase<'PathNodes'>[] = [
  {
    kind: 'object',
    rule: 'path',
    countsInWhite: true,
    settings: perPath,
    breaks: doc(zigzag(501)),
    passes: doc(zigzag(500)),
  },
  {
    kind: 'object',
    rule: 'path',
    countsInWhite: true,
    settings: perPath,
    breaks: doc(curves(500)),
    passes: doc(curves(499)),
  },
  {
    kind: 'object',
    rule: 'path',
    countsInWhite: true,
    settings: perPath,
    breaks: doc(zigzag(501)),
    passes: doc(`${zigzag(300)} ${zigzag(300)}`),
  },
  // A path that only clips is not painted.
  {
    kind: 'object',
    rule: 'path',
    countsInWhite: true,
    settings: { perPath: { failAbove: 500, warnAbove: null } },
    breaks: doc(zigzag(501)),
    passes: doc(zigzag(501, 'W n')),
  },
  {
    kind: 'object',
    rule: 'page',
    countsInWhite: true,
    settings: perPage,
    breaks: doc(`${zigzag(300)} ${zigzag(201)}`),
    passes: doc(`${zigzag(300)} ${zigzag(200)}`),
  },
  {
    kind: 'object',
    rule: 'page',
    countsInWhite: true,
    settings: { perPage: { failAbove: 500, warnAbove: null } },
    breaks: doc(zigzag(501)),
    passes: doc(zigzag(500)),
  },
];
