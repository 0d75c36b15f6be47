import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { choiceField, flagField } from '../fields.ts';
import { messages } from './messages.ts';

export const pdfxLevels = ['PDF/X-1a:2001', 'PDF/X-1a:2003', 'PDF/X-3:2002', 'PDF/X-3:2003', 'PDF/X-4'] as const;
export type PdfxLevel = (typeof pdfxLevels)[number];

/** What each part of ISO 15930 asks for, as far as this check looks. */
export interface PdfxDemands {
  /** Short name that findings carry before the rule's. */
  standard: string;
  /** The part of the standard, with its year: a finding's parameter. */
  iso: string;
  maxVersion: number;
  /** Colour that is converted at the press is allowed, tied to a profile. */
  takesIcc: boolean;
  takesTransparency: boolean;
  takesLayers: boolean;
  takesJpx: boolean;
  takesJbig2: boolean;
  /** The claim stands in the Info dictionary, else in XMP. */
  isClaimedInInfo: boolean;
  /** Values of GTS_PDFXVersion that claim it. */
  claims: readonly string[];
  /** The output profile must be inside the file; else a registered condition is enough. */
  needsProfile: boolean;
}

const blind = {
  takesTransparency: false,
  takesLayers: false,
  takesJpx: false,
  takesJbig2: false,
  isClaimedInInfo: true,
  needsProfile: false,
} as const;

export const pdfxDemands: Readonly<Record<PdfxLevel, PdfxDemands>> = {
  'PDF/X-1a:2001': {
    ...blind,
    standard: 'PDFX1a',
    iso: 'ISO 15930-1:2001',
    maxVersion: 1.3,
    takesIcc: false,
    claims: ['PDF/X-1:2001', 'PDF/X-1a:2001'],
  },
  'PDF/X-1a:2003': {
    ...blind,
    standard: 'PDFX1a',
    iso: 'ISO 15930-4:2003',
    maxVersion: 1.4,
    takesIcc: false,
    claims: ['PDF/X-1a:2003'],
  },
  'PDF/X-3:2002': {
    ...blind,
    standard: 'PDFX3',
    iso: 'ISO 15930-3:2002',
    maxVersion: 1.3,
    takesIcc: true,
    claims: ['PDF/X-3:2002'],
  },
  'PDF/X-3:2003': {
    ...blind,
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

/** Conformance to a part of ISO 15930. Findings carry the standard and the rule: `PDFX4:fontEmbedded`. */
export const pdfx = defineCheck({
  key: 'PdfX',
  version: 1,
  group: 'standards',
  messages,
  settings: z.strictObject({
    level: choiceField('PDF/X-4', pdfxLevels),
    /** Without the claim the contents may be right and the file is still no PDF/X. */
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
    transparency: 'Fail',
    layers: 'Fail',
    feature: 'Fail',
    postscript: 'Fail',
    actions: 'Fail',
    annotations: 'Fail',
    embeddedFiles: 'Fail',
    alternates: 'Fail',
  },
});
