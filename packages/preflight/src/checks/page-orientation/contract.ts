import { choiceField, flagField, lengthField, mm } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

export const pageOrientation = defineCheck({
  key: 'PageOrientation',
  version: 1,
  group: 'pages',
  usesTrim: true,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  renamed: { rotateKey: 'forbidRotateKey', reading: 'readingOrientation' },
  settings: z.strictObject({
    required: choiceField('AllSame', ['Vertical', 'Horizontal', 'AllSame']),
    box: choiceField('Trim', ['Trim', 'Media', 'Crop', 'Bleed', 'Art']),
    squareTolerance: lengthField(mm(0.5), { max: mm(100) }),
    applyRotate: flagField(true),
  }),
  rules: { wrong: 'Fail', differs: 'Fail', forbidRotateKey: 'Info', readingOrientation: 'Info' },
  remedies: 'orientation',
});
