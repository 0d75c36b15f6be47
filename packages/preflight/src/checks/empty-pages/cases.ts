import { doc, something } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'EmptyPages'>[] = [
  {
    kind: 'page',
    rule: 'empty',
    breaks: doc('0 0 0 0 k 100 100 50 50 re f', { morePages: [{ content: something }] }),
    passes: doc('0 0 0 0.01 k 100 100 50 50 re f'),
  },
  { kind: 'page', rule: 'empty', breaks: doc('0 g 0 0 10 10 re f'), passes: doc('0 g 100 100 1 1 re f') },
  {
    kind: 'page',
    rule: 'nearEmpty',
    breaks: doc('0 g 100 100 5 5 re f'),
    passes: doc('0 g 100 100 20 20 re f'),
  },
  {
    kind: 'page',
    rule: 'consecutive',
    settings: { policy: 'Allow', maxConsecutive: 1 },
    breaks: doc('', { morePages: [{}, { content: something }] }),
    passes: doc('', { morePages: [{ content: something }, {}] }),
  },
];
