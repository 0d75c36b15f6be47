import { countField, percentField, ppiOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/**
 * Text that is part of a picture: its edges are as coarse as the picture, and it cannot be set to overprint, corrected or
 * searched. GWG 2022 asks for 550 ppi of one-bit pictures, in which scanned text is; text in a picture is sharp from there on.
 */
export const textInPictures = defineCheck({
  key: 'TextInPictures',
  version: 1,
  group: 'text',
  usesTrim: true,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    /** Letters in lines that a picture has at least. */
    letters: countField(40, { min: 10, max: 100_000 }),
    /** Percent of the trim that pictures of a scanned page cover. */
    coverAtLeast: percentField(80, { min: 10, max: 100 }),
    /** Finer pictures print text as sharp as type. */
    ignoreAbove: ppiOrOff(550, { min: 72, max: 2400 }),
  }),
  rules: { scannedPage: 'Warn', text: 'Info' },
  remedies: 'liveText',
});
