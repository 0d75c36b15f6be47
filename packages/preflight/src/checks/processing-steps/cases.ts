import { doc, something } from '../../quality/content.ts';
import type { Doc } from '../../quality/doc.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** A document with a layer that is a processing step. */
const step = (group: string): Partial<Doc> => ({
  catalog: '/OCProperties << /OCGs [450 0 R] /D << >> >>',
  objects: {
    450: `<< /Type /OCG /Name (Step) /GTS_Metadata << /GTS_ProcStepsGroup /${group} /GTS_ProcStepsType /Cutting >> >>`,
  },
});

export const cases: readonly RuleCase<'ProcessingSteps'>[] = [
  {
    kind: 'object',
    rule: 'filled',
    breaks: doc('/Over gs /Cut cs 1 scn 100 100 50 50 re f'),
    passes: doc('/Over gs /Cut CS 1 SCN 100 100 50 50 re S'),
  },
  {
    kind: 'object',
    rule: 'knocksOut',
    breaks: doc('/Cut CS 1 SCN 100 100 50 50 re S'),
    passes: doc('/Over gs /Cut CS 1 SCN 100 100 50 50 re S'),
  },
  {
    kind: 'page',
    rule: 'missing',
    settings: { required: ['Structural/Cutting'] },
    breaks: doc(something),
    passes: doc(something, {
      catalog: '/OCProperties << /OCGs [450 0 R] /D << >> >>',
      objects: {
        450: '<< /Type /OCG /Name (Cut) /GTS_Metadata << /GTS_ProcStepsGroup /Structural /GTS_ProcStepsType /Cutting >> >>',
      },
    }),
  },
  {
    kind: 'page',
    rule: 'spotMissing',
    settings: { requiredSpots: ['CutContour'] },
    breaks: doc(something),
    passes: doc('/Over gs /Cut CS 1 SCN 100 100 50 50 re S'),
  },
  {
    kind: 'page',
    rule: 'notAllowed',
    settings: { notAllowed: ['Structural/*'] },
    breaks: doc(something, step('Structural')),
    passes: doc(something, step('Braille')),
  },
];
