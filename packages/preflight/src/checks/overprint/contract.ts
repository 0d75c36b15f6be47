import { flagField, namesField, pointsOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { technicalNames } from '../technical-names.ts';
import { messages } from './messages.ts';

export const overprint = defineCheck({
  key: 'OverPrint',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  renamed: {
    whiteText: 'whiteTextOverprint',
    whitePath: 'whitePathOverprint',
    blackText: 'blackTextNotOverprint',
    blackLine: 'blackLineNotOverprint',
    opmZero: 'opmZeroOnCMYK',
    any: 'anyOverprint',
    image: 'imageOverprint',
    withTransparency: 'overprintWithTransparency',
  },
  settings: z.strictObject({
    blackTextBelow: pointsOrOff(12, { max: 1000 }),
    blackLineBelow: pointsOrOff(2, { max: 100 }),
    /** Report only objects that overlap earlier ones (GWG 2022 D0031). */
    onlyOverlapping: flagField(true),
    technicalNames: namesField(technicalNames),
  }),
  rules: {
    whiteTextOverprint: 'Fail',
    whitePathOverprint: 'Warn',
    blackTextNotOverprint: 'Warn',
    blackLineNotOverprint: 'Warn',
    grayText: 'Warn',
    grayLine: 'Warn',
    grayOverprint: 'Warn',
    opmZeroOnCMYK: 'Info',
    anyOverprint: 'Off',
    imageOverprint: 'Warn',
    overprintWithTransparency: 'Info',
    technicalKnocksOut: 'Warn',
  },
  remedies: {
    whiteTextOverprint: 'overprint',
    whitePathOverprint: 'overprint',
    blackTextNotOverprint: 'black',
    blackLineNotOverprint: 'black',
    grayText: 'black',
    grayLine: 'black',
    grayOverprint: 'overprint',
    opmZeroOnCMYK: 'export',
    anyOverprint: 'overprint',
    imageOverprint: 'overprint',
    overprintWithTransparency: 'overprint',
    technicalKnocksOut: 'cutLine',
  },
});
