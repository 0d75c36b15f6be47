import { choiceField, flagField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { pdfxLevels } from './demands.ts';
import { messages } from './messages.ts';

/** Conformance to a part of ISO 15930. `standardRule` of its findings: `PDFX4:fontEmbedded`. */
export const pdfx = defineCheck({
  key: 'PdfX',
  version: 1,
  group: 'standards',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    level: choiceField('PDF/X-4', pdfxLevels),
    /** A file that does not claim the standard does not conform to it, whatever its contents. */
    claimRequired: flagField(true),
  }),
  rules: {
    claim: 'Fail',
    version: 'Fail',
    versionLow: 'Fail',
    encrypted: 'Fail',
    damaged: 'Fail',
    trailerId: 'Fail',
    documentInfo: 'Fail',
    trapped: 'Fail',
    outputIntent: 'Fail',
    boxes: 'Fail',
    fontEmbedded: 'Fail',
    colour: 'Fail',
    iccOverprint: 'Fail',
    transparency: 'Fail',
    layers: 'Fail',
    optionalContent: 'Fail',
    feature: 'Fail',
    postscript: 'Fail',
    actions: 'Fail',
    annotations: 'Fail',
    embeddedFiles: 'Fail',
    alternates: 'Fail',
    reference: 'Fail',
  },
  remedies: {
    claim: 'export',
    version: 'export',
    versionLow: 'export',
    encrypted: 'password',
    damaged: 'export',
    trailerId: 'export',
    documentInfo: 'export',
    trapped: 'export',
    outputIntent: 'export',
    boxes: 'export',
    fontEmbedded: 'fonts',
    colour: 'cmyk',
    iccOverprint: 'cmyk',
    transparency: 'transparency',
    layers: 'layers',
    optionalContent: 'layers',
    feature: 'export',
    postscript: 'export',
    actions: 'interactive',
    annotations: 'interactive',
    embeddedFiles: 'interactive',
    alternates: 'export',
    reference: 'export',
  },
});
