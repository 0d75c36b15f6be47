import { doc, groupForm } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'Transparency'>[] = [
  {
    kind: 'object',
    rule: 'notAllowed',
    countsInWhite: true,
    settings: { policy: 'Disallow' },
    breaks: doc('/Half gs 0 g 100 100 50 50 re f'),
    passes: doc('0 g 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'notAllowed',
    countsInWhite: true,
    settings: { policy: 'Disallow' },
    breaks: doc('/Mult gs 0 g 100 100 50 50 re f'),
    passes: doc('/Mult gs'),
  },
  {
    kind: 'page',
    rule: 'blendSpace',
    breaks: doc('/Half gs 0 g 100 100 50 50 re f', { extra: '/Group << /S /Transparency /CS /DeviceRGB >>' }),
    passes: doc('/Half gs 0 g 100 100 50 50 re f', { extra: '/Group << /S /Transparency /CS /DeviceCMYK >>' }),
  },
  {
    kind: 'page',
    rule: 'notAllowed',
    settings: { policy: 'Disallow' },
    breaks: doc('/Half gs /Group Do', groupForm),
    passes: doc('/Group Do', groupForm),
  },
  {
    kind: 'page',
    rule: 'noPageGroup',
    breaks: doc('/Half gs 0 g 100 100 50 50 re f'),
    passes: doc('0 g 100 100 50 50 re f'),
  },
];
