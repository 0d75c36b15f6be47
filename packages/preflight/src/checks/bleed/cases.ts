import { doc, mm, something } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'Bleed'>[] = [
  {
    kind: 'placed',
    rule: 'short',
    breaks: doc(`1 0 0 0 k ${20 - mm(2.6)} 100 200 200 re f`),
    passes: doc(`1 0 0 0 k ${20 - mm(3)} 100 200 200 re f`),
  },
  {
    kind: 'page',
    rule: 'short',
    settings: { failBelow: mm(1) },
    breaks: doc(`1 0 0 0 k 100 ${20 - mm(1.5)} 200 200 re f`),
    passes: doc('1 0 0 0 k 100 100 200 200 re f'),
  },
  {
    kind: 'page',
    rule: 'short',
    breaks: doc(`q 300 0 0 300 ${380 + mm(2) - 300} 100 cm /Im Do Q`),
    passes: doc(`q 300 0 0 300 ${380 + mm(3) - 300} 100 cm /Im Do Q`),
  },
  {
    kind: 'page',
    rule: 'boxLies',
    breaks: doc('1 0 0 0 k 20 20 360 460 re f'),
    passes: doc(`1 0 0 0 k 0 0 400 500 re f`),
  },
  {
    kind: 'page',
    rule: 'boxOnly',
    breaks: doc('1 0 0 0 k 0 0 400 500 re f', { bleed: null }),
    passes: doc('1 0 0 0 k 0 0 400 500 re f'),
  },
  {
    kind: 'page',
    rule: 'gap',
    breaks: doc(`1 0 0 0 k ${20 + mm(0.6)} 20 360 460 re f`),
    passes: doc(`1 0 0 0 k ${20 + mm(1.5)} 40 300 400 re f`),
  },
  { kind: 'page', rule: 'notNeeded', breaks: doc(something), passes: doc('1 0 0 0 k 0 0 400 500 re f') },
];
