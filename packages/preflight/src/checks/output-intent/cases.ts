import { doc, intent, outputIntent, something } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'OutputIntent'>[] = [
  { kind: 'page', rule: 'missing', breaks: doc(something), passes: doc(something, intent('CMYK')) },
  {
    kind: 'page',
    rule: 'notCmyk',
    breaks: doc(something, intent('RGB ')),
    passes: doc(something, intent('CMYK')),
  },
  {
    kind: 'page',
    rule: 'notAllowed',
    settings: { allowed: ['FOGRA*'] },
    breaks: doc(something, intent('CMYK')),
    passes: doc(something),
  },
  { kind: 'page', rule: 'noProfile', breaks: doc(something, outputIntent('')), passes: doc(something, intent('CMYK')) },
  {
    kind: 'page',
    rule: 'brokenProfile',
    breaks: doc(something, {
      ...outputIntent('/DestOutputProfile 420 0 R'),
      objects: { 420: { dict: '/N 4', data: 'no profile' } },
    }),
    passes: doc(something, intent('CMYK')),
  },
  {
    kind: 'page',
    rule: 'several',
    breaks: doc(something, {
      ...intent('CMYK'),
      catalog: `/OutputIntents [${'<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (CGATS TR 006) /DestOutputProfile 420 0 R >>'.repeat(2)}]`,
    }),
    passes: doc(something, intent('CMYK')),
  },
];
