import { doc, something, text } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'PageOrientation'>[] = [
  {
    kind: 'page',
    rule: 'wrong',
    settings: { required: 'Horizontal' },
    breaks: doc(something),
    passes: doc(something, { extra: '/Rotate 90' }),
  },
  {
    kind: 'page',
    rule: 'differs',
    breaks: doc(something, { morePages: [{ extra: '/Rotate 270' }] }),
    passes: doc(something, { morePages: [{ extra: '/Rotate 180' }] }),
  },
  {
    kind: 'page',
    rule: 'forbidRotateKey',
    breaks: doc(something, { extra: '/Rotate 90' }),
    passes: doc(something, { extra: '/Rotate 0' }),
  },
  {
    kind: 'page',
    rule: 'readingOrientation',
    breaks: doc(`BT /F1 12 Tf 0 1 -1 0 100 100 Tm (Turned) Tj ET`),
    passes: doc(text(12, '0 g')),
  },
];
