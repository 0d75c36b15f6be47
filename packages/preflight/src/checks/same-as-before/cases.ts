import { doc, onCyan, something } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** A line of type as it would be set; one letter of 8 pt is another. */
const line = (text: string) => `BT /F2 8 Tf 0 g 60 200 Td (${text}) Tj ET`;
const before = doc(line('Call 0171 555 4321'));
const unchanged = { expect: 'Unchanged' };

export const cases: readonly RuleCase<'SameAsBefore'>[] = [
  { kind: 'page', rule: 'sameFile', before, breaks: before, passes: doc(`${line('Call 0171 555 4321')} `) },
  {
    kind: 'page',
    rule: 'sameLook',
    before,
    breaks: doc(`${line('Call 0171 555 4321')} `),
    passes: doc(line('Call 0171 555 4327')),
  },
  // White on paper, and what a hidden layer or the area beyond the bleed holds, does not print.
  {
    kind: 'page',
    rule: 'sameLook',
    before: doc(something),
    breaks: doc(`${something} 0 0 0 0 k 300 300 9 9 re f`),
    passes: doc(`${something} 0 0 0 0.5 k 300 300 2 2 re f`),
  },
  {
    kind: 'page',
    rule: 'sameLook',
    before: doc(onCyan('')),
    breaks: doc(onCyan('1 0 0 0.02 k 100 200 50 50 re f')),
    passes: doc(onCyan('1 0 0 0.05 k 100 200 50 50 re f')),
  },
  {
    kind: 'page',
    rule: 'pageDiffers',
    settings: unchanged,
    before,
    breaks: doc(line('Call 0171 555 4327')),
    passes: doc(`${line('Call 0171 555 4321')} `),
  },
  {
    kind: 'page',
    rule: 'pageDiffers',
    settings: unchanged,
    before: doc('1 0 0 0 k 100 100 50 50 re f'),
    breaks: doc('0 1 0 0 k 100 100 50 50 re f'),
    passes: doc('1 0 0 0 k 100 100 50.02 50 re f'),
  },
  {
    kind: 'page',
    rule: 'pageCountDiffers',
    settings: unchanged,
    before,
    breaks: { ...before, morePages: [{}] },
    passes: before,
  },
  {
    kind: 'page',
    rule: 'sameLook',
    settings: { tolerance: 10 },
    before,
    breaks: doc(line('Call 0171 555 4327')),
    passes: doc(line('Call 0171 555 WWWW')),
  },
];
