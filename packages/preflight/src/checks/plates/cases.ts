import { doc, something } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'Plates'>[] = [
  {
    kind: 'page',
    rule: 'tooManyOnPage',
    settings: { maxPerPage: 4 },
    breaks: doc('1 1 1 1 k 100 100 50 50 re f /Gold cs 1 scn 200 100 50 50 re f'),
    passes: doc('1 1 1 0 k 100 100 50 50 re f /Gold cs 1 scn 200 100 50 50 re f'),
  },
  {
    kind: 'page',
    rule: 'colourPage',
    severities: { colourPage: 'Info' },
    breaks: doc('1 0 0 0 k 100 100 50 50 re f'),
    passes: doc('0 g 100 100 50 50 re f'),
  },
  {
    kind: 'page',
    rule: 'tooManyInDocument',
    settings: { maxPerPage: null, maxInDocument: 2 },
    breaks: doc('1 0 0 0 k 100 100 50 50 re f', {
      morePages: [{ content: '0 1 0 0 k 100 100 50 50 re f' }, { content: something }],
    }),
    passes: doc('1 0 0 0 k 100 100 50 50 re f', { morePages: [{ content: something }] }),
  },
];
