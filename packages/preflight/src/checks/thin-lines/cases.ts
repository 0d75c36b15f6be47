import { doc, line, onCyan } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'ThinLines'>[] = [
  { kind: 'object', rule: 'thin', breaks: doc(line(0.24)), passes: doc(line(0.25)) },
  {
    kind: 'object',
    rule: 'thin',
    breaks: doc('0 0 0 1 k 100 100 200 0.2 re f'),
    passes: doc('0 0 0 1 k 100 100 200 0.3 re f'),
  },
  {
    kind: 'object',
    rule: 'thin',
    breaks: doc(`q 0.1 0 0 0.1 100 100 cm ${line(2.4)} Q`),
    passes: doc(`q 10 0 0 10 0 0 cm 0.03 w 0 0 0 1 K 10 20 m 20 20 l S Q`),
  },
  {
    kind: 'object',
    rule: 'white',
    breaks: doc(onCyan(line(0.24, '0 0 0 0 K'))),
    passes: doc(onCyan(line(0.25, '0 0 0 0 K'))),
  },
  {
    kind: 'object',
    rule: 'multiInk',
    settings: { multiInkBelow: 1.5 },
    breaks: doc(line(1.4, '1 1 0 0 K')),
    passes: doc(line(1.4, '0 1 0 0 K')),
  },
];
