import { doc, groupForm, profileOf, state } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** An object under a luminosity mask that is blended in this space. */
const masked = (family: string) => {
  const own = state('/SMask << /S /Luminosity /G 485 0 R >>');
  return doc('/Own gs 0 g 100 100 50 50 re f', {
    ...own,
    objects: {
      ...own.objects,
      485: {
        dict: `/Subtype /Form /BBox [0 0 400 500] /Group << /S /Transparency /CS /${family} >>`,
        data: '1 g 0 0 400 500 re f',
      },
    },
  });
};

/** An object in a form that is a group, blended in RGB; where it is comes before it. */
const grouped = (before: string) => {
  return doc(`${before} /Group Do`, {
    ...groupForm,
    objects: {
      470: {
        dict: '/Type /XObject /Subtype /Form /BBox [0 0 400 500] /Group << /S /Transparency /CS /DeviceRGB >>',
        data: '0 g 100 100 50 50 re f',
      },
    },
  });
};

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
  {
    kind: 'page',
    rule: 'blendSpace',
    breaks: doc('/Half gs 0 g 100 100 50 50 re f', {
      extra: '/Group << /S /Transparency /CS [/ICCBased 484 0 R] >>',
      objects: { 484: { dict: '/N 3', data: profileOf('RGB ') } },
    }),
    passes: doc('0 g 100 100 50 50 re f', {
      extra: '/Group << /S /Transparency /CS [/ICCBased 484 0 R] >>',
      objects: { 484: { dict: '/N 3', data: profileOf('RGB ') } },
    }),
  },
  { kind: 'placed', rule: 'blendSpace', breaks: grouped(''), passes: grouped('0 0 50 50 re W n') },
  { kind: 'page', rule: 'blendSpace', breaks: masked('DeviceRGB'), passes: masked('DeviceGray') },
];
