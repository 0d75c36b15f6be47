import { choiceField, flagField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

export const pdfaLevels = ['PDF/A-2b', 'PDF/A-3b'] as const;
export type PdfaLevel = (typeof pdfaLevels)[number];

/** Conformance to level B of ISO 19005-2 and -3. `standardRule` of its findings: `PDFA2:fontEmbedded`. */
export const pdfa = defineCheck({
  key: 'PdfA',
  version: 1,
  group: 'standards',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    level: choiceField('PDF/A-2b', pdfaLevels),
    /** A file that does not claim the standard does not conform to it, whatever its contents. */
    claimRequired: flagField(true),
  }),
  rules: {
    claim: 'Fail',
    metadata: 'Fail',
    version: 'Fail',
    encrypted: 'Fail',
    damaged: 'Fail',
    trailerId: 'Fail',
    streamData: 'Fail',
    pageSize: 'Fail',
    outputIntent: 'Fail',
    colour: 'Fail',
    iccOverprint: 'Fail',
    blendSpace: 'Fail',
    feature: 'Fail',
    renderingIntent: 'Fail',
    operator: 'Fail',
    fontEmbedded: 'Fail',
    notdefGlyph: 'Fail',
    annotationType: 'Fail',
    annotationFlags: 'Fail',
    annotationLook: 'Fail',
    form: 'Fail',
    actions: 'Fail',
    triggers: 'Fail',
    attachment: 'Fail',
    attachmentNotPdfA: 'Fail',
    optionalContent: 'Fail',
    alternates: 'Fail',
  },
  remedies: {
    claim: 'export',
    metadata: 'export',
    version: 'export',
    encrypted: 'password',
    damaged: 'export',
    trailerId: 'export',
    streamData: 'export',
    pageSize: 'pageSize',
    outputIntent: 'export',
    colour: 'export',
    iccOverprint: 'cmyk',
    blendSpace: 'export',
    feature: 'export',
    renderingIntent: 'export',
    operator: 'export',
    fontEmbedded: 'fonts',
    notdefGlyph: 'fonts',
    annotationType: 'interactive',
    annotationFlags: 'interactive',
    annotationLook: 'interactive',
    form: 'interactive',
    actions: 'interactive',
    triggers: 'interactive',
    attachment: 'interactive',
    attachmentNotPdfA: 'interactive',
    optionalContent: 'layers',
    alternates: 'export',
  },
});
