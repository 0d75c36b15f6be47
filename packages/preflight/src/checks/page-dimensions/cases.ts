import { doc, mm, sized, something } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'PageDimentions'>[] = [
  {
    kind: 'page',
    rule: 'size',
    settings: { mode: 'Exact', width: 360, height: 460, tolerance: 1 },
    breaks: doc(something, sized(361.1, 460)),
    passes: doc(something, sized(361, 460)),
  },
  {
    kind: 'placed',
    rule: 'size',
    settings: {
      mode: 'OneOf',
      sizes: [
        { width: 100, height: 100 },
        { width: 360, height: 460 },
      ],
    },
    breaks: doc(something, { trim: [20, 20, 377, 480] }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'size',
    settings: { mode: 'Range', range: { minWidth: 300, maxWidth: 400 }, orientationInsensitive: false },
    breaks: doc(something, sized(298, 300)),
    passes: doc(something, sized(299, 300)),
  },
  {
    kind: 'page',
    rule: 'size',
    settings: { mode: 'AspectRatio', aspect: { ratio: 1.5, tolerance: 0.01 } },
    breaks: doc(something, sized(300, 204)),
    passes: doc(something, sized(300, 201)),
  },
  {
    kind: 'page',
    rule: 'differs',
    breaks: doc(something, { morePages: [{ trim: [20, 20, 378, 480] }] }),
    passes: doc(something, { morePages: [{ trim: [20, 20, 379, 480] }] }),
  },
  {
    kind: 'page',
    rule: 'sizeIncludesBleed',
    settings: { mode: 'Exact', width: 360, height: 460 },
    breaks: doc(something, { ...sized(360 + 2 * mm(3), 460 + 2 * mm(3)), trim: null }),
    passes: doc(something, sized(360, 460)),
  },
  {
    kind: 'page',
    rule: 'scalable',
    settings: { mode: 'Exact', width: 720, height: 920, acceptScalable: { mode: 'Proportional', maxScale: 200 } },
    breaks: doc(something, sized(360, 460)),
    passes: doc(something, sized(350, 460)),
  },
  {
    kind: 'page',
    rule: 'userUnit',
    severities: { userUnit: 'Fail' },
    breaks: doc(something, { extra: '/UserUnit 2' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'cropNotMedia',
    severities: { cropNotMedia: 'Fail' },
    breaks: doc(something, { extra: '/CropBox [0 0 399 500]' }),
    passes: doc(something, { extra: '/CropBox [0 0 400 500]' }),
  },
];
