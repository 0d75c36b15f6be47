import { doc, something } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'PageBoxes'>[] = [
  {
    kind: 'page',
    rule: 'nesting',
    breaks: doc(something, { trim: [0, 20, 380, 480], bleed: [1, 10, 390, 490] }),
    passes: doc(something, { trim: [1, 20, 380, 480], bleed: [1, 10, 390, 490] }),
  },
  { kind: 'page', rule: 'trimMissing', breaks: doc(something, { trim: null }), passes: doc(something) },
  { kind: 'page', rule: 'bleedMissing', breaks: doc(something, { bleed: null }), passes: doc(something) },
  {
    kind: 'page',
    rule: 'trimAndArt',
    breaks: doc(something, { extra: '/ArtBox [20 20 380 480]' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'cropInsideTrim',
    breaks: doc(something, { extra: '/CropBox [21 20 380 480]' }),
    passes: doc(something, { extra: '/CropBox [20 20 380 480]' }),
  },
  {
    kind: 'page',
    rule: 'invalid',
    breaks: doc(something, { extra: '/ArtBox [20 20 20 480]' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'cropNotMedia',
    breaks: doc(something, { extra: '/CropBox [0 0 399.9 500]' }),
    passes: doc(something, { extra: '/CropBox [0 0 399.98 500]' }),
  },
];
