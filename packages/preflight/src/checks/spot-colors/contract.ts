import { choiceField, countOrOff, flagField, namesField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { technicalNames } from '../technical-names.ts';
import { messages } from './messages.ts';

/** Suffixes of colour guides for paper or printing process (GWG 2022 R0021). */
export const spotSuffixes = [
  'C',
  'CP',
  'CVC',
  'CVU',
  'CV',
  'E',
  'EC',
  'HC',
  'K',
  'M',
  'N',
  'PC',
  'TC',
  'TCX',
  'TP',
  'TPX',
  'U',
  'UP',
  'XGC',
  'Z',
];

export const spotColors = defineCheck({
  key: 'SpotColors',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  renamed: { countUsedOnly: 'countOnlyUsed', registration: 'registrationInArtwork' },
  ruleGroups: { duplicateNames: ['suffixDuplicate', 'caseDuplicate', 'sameTint'] },
  settings: z.strictObject({
    policy: choiceField('Allow', ['Allow', 'Disallow', 'AllowOnly', 'DisallowListed']),
    names: namesField(),
    maxCount: countOrOff(null, { max: 32 }),
    countOnlyUsed: flagField(true),
    ignoreNames: namesField(technicalNames),
    suffixes: z
      .array(z.string().min(1).max(10))
      .max(100)
      .default([...spotSuffixes]),
  }),
  rules: {
    notAllowed: 'Fail',
    tooMany: 'Fail',
    suffixDuplicate: 'Warn',
    caseDuplicate: 'Fail',
    sameTint: 'Fail',
    twoTints: 'Warn',
    likeProcess: 'Fail',
    registrationInArtwork: 'Warn',
  },
  remedies: {
    notAllowed: 'spotColours',
    tooMany: 'spotColours',
    suffixDuplicate: 'spotColours',
    caseDuplicate: 'spotColours',
    sameTint: 'spotColours',
    twoTints: 'spotColours',
    likeProcess: 'spotColours',
    registrationInArtwork: 'registration',
  },
});
