import { choiceField, percentField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/**
 * A corrected file that looks like the one before does not have the correction that was asked for; a reprint must look like
 * what was printed. Without a file before there is nothing to report.
 */
export const sameAsBefore = defineCheck({
  key: 'SameAsBefore',
  version: 1,
  group: 'document',
  usesTrim: true,
  comparesVersions: true,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  settings: z.strictObject({
    /** What is expected of the new file against the one before. */
    expect: choiceField('Changed', ['Changed', 'Unchanged']),
    /** Ink of a square of 1.5 mm, as a share of it: a smaller difference is none. */
    tolerance: percentField(3, { min: 0.5, max: 50 }),
  }),
  rules: { sameFile: 'Warn', sameLook: 'Warn', pageDiffers: 'Fail', pageCountDiffers: 'Fail' },
  remedies: 'export',
});
