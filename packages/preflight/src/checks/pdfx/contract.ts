import { choiceField, flagField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

export const pdfxLevels = ['PDF/X-1a:2001', 'PDF/X-1a:2003', 'PDF/X-3:2002', 'PDF/X-3:2003', 'PDF/X-4'] as const;
export type PdfxLevel = (typeof pdfxLevels)[number];

/** Requirements of a part of ISO 15930 that this check tests. */
export interface PdfxDemands {
  /** Prefix of `standardRule` in findings. */
  standard: string;
  /** Part of the standard with its year, shown in findings. */
  iso: string;
  maxVersion: number;
  /** Whether device-independent colour is permitted. */
  takesIcc: boolean;
  takesTransparency: boolean;
  takesLayers: boolean;
  takesJpx: boolean;
  takesJbig2: boolean;
  /** Whether GTS_PDFXVersion is in the Info dictionary, else in XMP. */
  isClaimedInInfo: boolean;
  /** Accepted values of GTS_PDFXVersion. */
  claims: readonly string[];
  /** Whether the output profile must be embedded; else a condition of a named registry is enough. */
  needsProfile: boolean;
}

const noneOfThese = {
  takesTransparency: false,
  takesLayers: false,
  takesJpx: false,
  takesJbig2: false,
  isClaimedInInfo: true,
  needsProfile: false,
} as const;

export const pdfxDemands: Readonly<Record<PdfxLevel, PdfxDemands>> = {
  'PDF/X-1a:2001': {
    ...noneOfThese,
    standard: 'PDFX1a',
    iso: 'ISO 15930-1:2001',
    maxVersion: 1.3,
    takesIcc: false,
    claims: ['PDF/X-1:2001', 'PDF/X-1a:2001'],
  },
  'PDF/X-1a:2003': {
    ...noneOfThese,
    standard: 'PDFX1a',
    iso: 'ISO 15930-4:2003',
    maxVersion: 1.4,
    takesIcc: false,
    claims: ['PDF/X-1a:2003'],
  },
  'PDF/X-3:2002': {
    ...noneOfThese,
    standard: 'PDFX3',
    iso: 'ISO 15930-3:2002',
    maxVersion: 1.3,
    takesIcc: true,
    claims: ['PDF/X-3:2002'],
  },
  'PDF/X-3:2003': {
    ...noneOfThese,
    standard: 'PDFX3',
    iso: 'ISO 15930-6:2003',
    maxVersion: 1.4,
    takesIcc: true,
    claims: ['PDF/X-3:2003'],
  },
  'PDF/X-4': {
    standard: 'PDFX4',
    iso: 'ISO 15930-7:2010',
    maxVersion: 1.6,
    takesIcc: true,
    takesTransparency: true,
    takesLayers: true,
    takesJpx: true,
    takesJbig2: true,
    isClaimedInInfo: false,
    claims: ['PDF/X-4'],
    needsProfile: true,
  },
};

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
  },
  remedies: {
    claim: 'export',
    version: 'export',
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
  },
});
