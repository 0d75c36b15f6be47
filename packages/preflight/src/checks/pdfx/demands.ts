/** What each part of ISO 15930 demands, as far as the check PdfX tests it. */

export const pdfxLevels = [
  'PDF/X-1a:2001',
  'PDF/X-1a:2003',
  'PDF/X-3:2002',
  'PDF/X-3:2003',
  'PDF/X-4',
  'PDF/X-4p',
  'PDF/X-5g',
  'PDF/X-5pg',
  'PDF/X-5n',
  'PDF/X-6',
  'PDF/X-6p',
  'PDF/X-6n',
] as const;
export type PdfxLevel = (typeof pdfxLevels)[number];

/**
 * Where the profile of the output intent is. `registered`: embedded, or a condition of a named registry is enough;
 * `external`: a reference identifies a profile of gray, RGB or CMYK; `externalN`: one of more or other inks.
 */
export type ProfilePlace = 'registered' | 'embedded' | 'external' | 'externalN';

/** Requirements of a part of ISO 15930 that this check tests. */
export interface PdfxDemands {
  /** Prefix of `standardRule` in findings. */
  standard: string;
  /** Part of the standard with its year, shown in findings. */
  iso: string;
  minVersion: number;
  maxVersion: number;
  /** Whether device-independent colour is permitted. */
  takesIcc: boolean;
  takesTransparency: boolean;
  takesLayers: boolean;
  takesJpx: boolean;
  takesJbig2: boolean;
  /** Whether a form may stand for a page of another file, which it must then identify. */
  takesReferences: boolean;
  /** Whether annotations may lie on the printed area. */
  takesAnnotations: boolean;
  /** Whether a page may have an output intent of its own. */
  takesPageIntents: boolean;
  /** Whether GTS_PDFXVersion is in the Info dictionary, else in XMP. */
  isClaimedInInfo: boolean;
  /** Accepted values of GTS_PDFXVersion. */
  claims: readonly string[];
  profile: ProfilePlace;
  /** What the fix ConvertToPdfX makes of a file to mend it; null where it would make another standard of it. */
  convertsTo: 'PDF/X-1a:2003' | 'PDF/X-4' | null;
}

const noneOfThese = {
  minVersion: 1,
  takesTransparency: false,
  takesLayers: false,
  takesJpx: false,
  takesJbig2: false,
  takesReferences: false,
  takesAnnotations: false,
  takesPageIntents: false,
  isClaimedInInfo: true,
  profile: 'registered',
  convertsTo: 'PDF/X-1a:2003',
} as const;

const likeX4 = {
  standard: 'PDFX4',
  iso: 'ISO 15930-7:2010',
  minVersion: 1,
  maxVersion: 1.6,
  takesIcc: true,
  takesTransparency: true,
  takesLayers: true,
  takesJpx: true,
  takesJbig2: true,
  takesReferences: false,
  takesAnnotations: false,
  takesPageIntents: false,
  isClaimedInInfo: false,
  profile: 'embedded',
  convertsTo: null,
} as const;

const likeX5 = { ...likeX4, standard: 'PDFX5', iso: 'ISO 15930-8:2010' } as const;

/** ISO 15930-9 has PDF 2.0 as its base, and lets annotations lie on the page and a page have its own output intent. */
const likeX6 = {
  ...likeX4,
  standard: 'PDFX6',
  iso: 'ISO 15930-9:2020',
  minVersion: 2,
  maxVersion: 2,
  takesAnnotations: true,
  takesPageIntents: true,
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
  'PDF/X-4': { ...likeX4, convertsTo: 'PDF/X-4', claims: ['PDF/X-4'] },
  'PDF/X-4p': { ...likeX4, profile: 'external', claims: ['PDF/X-4p'] },
  'PDF/X-5g': { ...likeX5, takesReferences: true, claims: ['PDF/X-5g'] },
  'PDF/X-5pg': { ...likeX5, takesReferences: true, profile: 'external', claims: ['PDF/X-5pg'] },
  'PDF/X-5n': { ...likeX5, profile: 'externalN', claims: ['PDF/X-5n'] },
  'PDF/X-6': { ...likeX6, claims: ['PDF/X-6'] },
  'PDF/X-6p': { ...likeX6, profile: 'external', claims: ['PDF/X-6p'] },
  'PDF/X-6n': { ...likeX6, profile: 'externalN', claims: ['PDF/X-6n'] },
};
