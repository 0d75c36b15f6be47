import { doc, profileOf, space } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'ColorSpaces'>[] = [
  {
    kind: 'object',
    rule: 'notAllowed',
    countsInWhite: true,
    settings: { binding: 'Early' },
    breaks: doc('1 0 0 rg 100 100 50 50 re f'),
    passes: doc('1 0 0 0 k 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'untaggedRgb',
    countsInWhite: true,
    breaks: doc('1 0 0 rg 100 100 50 50 re f'),
    passes: doc('/Lab cs 50 0 0 scn 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'lab',
    countsInWhite: true,
    breaks: doc('/Lab cs 50 0 0 scn 100 100 50 50 re f'),
    passes: doc('1 0 0 rg 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'iccCmyk',
    countsInWhite: true,
    breaks: doc(
      '/Own cs 1 0 0 0 scn 100 100 50 50 re f',
      space('[/ICCBased 484 0 R]', { 484: { dict: '/N 4', data: profileOf('CMYK') } }),
    ),
    passes: doc('1 0 0 0 k 100 100 50 50 re f'),
  },
];
