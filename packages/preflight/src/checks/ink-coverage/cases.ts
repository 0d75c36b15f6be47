import { doc } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'TotalInkCoverage'>[] = [
  {
    kind: 'page',
    rule: 'cmyk',
    breaks: doc('0.76 0.76 0.76 0.76 k 100 100 100 100 re f'),
    passes: doc('0.74 0.74 0.74 0.76 k 100 100 100 100 re f'),
  },
  {
    kind: 'page',
    rule: 'cmyk',
    breaks: doc('1 1 1 1 k 100 100 43 43 re f'),
    passes: doc('1 1 1 1 k 100 100 43 25 re f'),
  },
  {
    kind: 'page',
    rule: 'allInks',
    settings: { allInks: { warnAbove: 150 } },
    breaks: doc('/Gold cs 1 scn 100 100 100 100 re f /Over gs 0.6 0 0 0 k 100 100 100 100 re f'),
    passes: doc('/Gold cs 1 scn 100 100 100 100 re f'),
  },
];
