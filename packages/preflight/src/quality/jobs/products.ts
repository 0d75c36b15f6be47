/** What an expert asks of the jobs of each house preset: made from what the product needs, without looking at the checks. */
import type { FaultName, Level } from './faults.ts';
import type { Layout, Needs } from './job.ts';

export interface Product {
  preset: string;
  layouts: readonly Layout[];
  pages: readonly number[];
  needs: Needs;
  faults: Partial<Record<FaultName, Level>>;
  /** Faults of other products that are none here. */
  harmless?: readonly FaultName[];
  /** The file conforms to PDF/X-4, with a profile. */
  isStandard?: true;
  /** Workflow variables of the profile. */
  variables?: Record<string, string>;
}

const a6: Layout = { width: 105, height: 148, bleed: 3, inset: 4 };
const commercial: Needs = {
  ppi: { fail: 149, warn: 224, fine: 305 },
  text: 5,
  white: 8,
  inks: 8,
  line: { fail: 0.125, warn: 0.25 },
  safety: { fail: 1, warn: 3 },
};

/** What makes any file unprintable or contradictory. */
const ofFile = {
  trimOutsideMedia: 'Fail',
  formField: 'Fail',
  fontMissing: 'Fail',
  softPicture: 'Fail',
  ratherSoftPicture: 'Warn',
} as const;
const ofCare = { comment: 'Warn', javascript: 'Warn', attachment: 'Warn', trimAndArt: 'Warn' } as const;
const ofBleed = {
  noBleed: 'Fail',
  littleBleed: 'Fail',
  ratherLittleBleed: 'Warn',
  whiteGap: 'Warn',
  whiteOverBleed: 'Fail',
  noBleedBox: 'Warn',
} as const;
const ofEdge = { textAtEdge: 'Fail', textNearEdge: 'Warn', textOverEdge: 'Fail' } as const;
const ofOverprint = {
  whiteTextOverprints: 'Fail',
  whiteAreaOverprints: 'Warn',
  blackTextKnocksOut: 'Warn',
  grayOverprints: 'Warn',
} as const;
const ofColour = { rgbPicture: 'Warn', rgbText: 'Warn', rgbBlackText: 'Warn' } as const;
const ofInk = { richText: 'Warn', registrationColour: 'Fail', tooMuchInk: 'Warn' } as const;
const ofLines = { hairline: 'Fail', thinLine: 'Warn', thinWhiteLine: 'Warn' } as const;
const ofText = { tinyText: 'Warn', smallWhiteText: 'Warn', smallTextOfInks: 'Warn' } as const;
const ofJpeg = { ruinedJpeg: 'Fail', poorJpeg: 'Warn' } as const;

const press = {
  ...ofFile,
  ...ofCare,
  ...ofBleed,
  ...ofEdge,
  ...ofOverprint,
  ...ofColour,
  ...ofInk,
  ...ofLines,
  ...ofText,
  ...ofJpeg,
  bandedGradient: 'Warn',
  manyNodes: 'Warn',
} as const;
const ofCodes = { smallCode: 'Fail', crowdedCode: 'Fail', paleCode: 'Fail', reversedCode: 'Fail' } as const;

export const products: readonly Product[] = [
  {
    preset: 'standard',
    layouts: [a6],
    pages: [1, 2],
    needs: commercial,
    faults: {
      ...ofFile,
      ...ofCare,
      ...ofBleed,
      textAtEdge: 'Warn',
      textNearEdge: 'Warn',
      textOverEdge: 'Warn',
      ...ofOverprint,
      ...ofColour,
      ...ofInk,
      ...ofLines,
      ...ofJpeg,
      wrongSize: 'Fail',
      emptyPage: 'Warn',
    },
    harmless: ['spot'],
  },
  {
    preset: 'basic',
    layouts: [a6],
    pages: [1, 2, 3],
    needs: commercial,
    faults: { ...ofFile, ...ofCare, wrongSize: 'Fail' },
    harmless: ['spot', 'rgbPicture', 'textNearEdge'],
  },
  {
    preset: 'office-quick-print',
    layouts: [a6],
    pages: [1, 2],
    needs: { ...commercial, ppi: { fail: 95, warn: 149, fine: 160 } },
    faults: { ...ofFile, trimAndArt: 'Warn', noBleed: 'Warn', littleBleed: 'Warn', whiteOverBleed: 'Warn' },
    harmless: ['rgbPicture', 'rgbText', 'spot', 'noBleedBox', 'tinyText'],
  },
  {
    preset: 'business-card-flyer',
    layouts: [a6, { width: 85, height: 55, bleed: 3, inset: 4 }],
    pages: [1, 2],
    needs: { ...commercial, ppi: { fail: 149, warn: 299, fine: 320 } },
    faults: { ...press, spot: 'Warn', tooManyPages: 'Fail', wrongSize: 'Fail' },
  },
  {
    preset: 'saddle-stitched-booklet',
    layouts: [{ ...a6, inset: 6 }],
    pages: [8],
    needs: { ...commercial, spine: { fail: 2, warn: 5 }, multiple: 4 },
    faults: { ...press, spot: 'Warn', wrongSize: 'Fail', rotatedPage: 'Fail', emptyPage: 'Fail', notMultiple: 'Warn' },
  },
  {
    preset: 'perfect-bound-cover',
    layouts: [{ width: 222, height: 148, bleed: 5, inset: 4 }],
    pages: [1],
    needs: { ...commercial, safety: { fail: 1.5, warn: 3 } },
    faults: { ...press, ...ofCodes, wrongSize: 'Fail' },
    harmless: ['spot'],
    variables: { width: '105mm', height: '148mm', spine: '12mm' },
  },
  {
    preset: 'book-interior',
    layouts: [{ ...a6, inset: 11 }],
    pages: [6],
    needs: { ...commercial, spine: { fail: 5, warn: 10 }, multiple: 2 },
    faults: {
      ...press,
      spot: 'Warn',
      wrongSize: 'Fail',
      rotatedPage: 'Fail',
      notMultiple: 'Warn',
      scannedPage: 'Warn',
    },
    harmless: ['emptyPage'],
  },
  {
    preset: 'large-format',
    layouts: [{ width: 210, height: 160, bleed: 10, inset: 26 }],
    pages: [1],
    needs: {
      ...commercial,
      ppi: { fail: 239, warn: 299, fine: 320 },
      white: 5,
      inks: 5,
      safety: { fail: 5, warn: 25 },
    },
    faults: {
      ...ofFile,
      ...ofBleed,
      ...ofEdge,
      whiteTextOverprints: 'Fail',
      whiteAreaOverprints: 'Warn',
      smallWhiteText: 'Warn',
      smallTextOfInks: 'Warn',
      manyNodes: 'Warn',
    },
    harmless: ['rgbPicture', 'rgbText', 'spot'],
    isStandard: true,
  },
  {
    preset: 'label-die-cut',
    layouts: [{ width: 110, height: 90, bleed: 2, inset: 4 }],
    pages: [1],
    needs: { ...commercial, cut: 0 },
    faults: { ...press, ...ofCodes, noCut: 'Fail', cutKnocksOut: 'Warn', filledCut: 'Warn' },
    harmless: ['spot'],
  },
  {
    preset: 'sticker-plot',
    layouts: [{ width: 100, height: 90, bleed: 0, inset: 7 }],
    pages: [1],
    needs: {
      ...commercial,
      ppi: { fail: 99, warn: 149, fine: 160 },
      text: 6,
      line: { fail: 0.25, warn: 0.5 },
      safety: { fail: 1, warn: 2 },
      cut: 3,
    },
    faults: {
      ...ofFile,
      trimAndArt: 'Warn',
      textAtEdge: 'Fail',
      textNearEdge: 'Warn',
      tinyText: 'Warn',
      hairline: 'Fail',
      thinLine: 'Warn',
      manyNodes: 'Warn',
      noCut: 'Fail',
      cutKnocksOut: 'Warn',
      filledCut: 'Warn',
    },
    harmless: ['rgbPicture', 'rgbText', 'spot'],
  },
  {
    preset: 'textile',
    layouts: [{ width: 230, height: 210, bleed: 20, inset: 31, cell: 110 }],
    pages: [1],
    needs: {
      ...commercial,
      ppi: { fail: 60, warn: 100, fine: 110 },
      text: 14,
      white: 14,
      line: { fail: 0.5, warn: 1 },
      safety: { fail: 10, warn: 30 },
    },
    faults: {
      ...ofFile,
      trimAndArt: 'Warn',
      noBleed: 'Fail',
      littleBleed: 'Fail',
      ratherLittleBleed: 'Warn',
      whiteOverBleed: 'Fail',
      ...ofEdge,
      tinyText: 'Warn',
      hairline: 'Fail',
      thinLine: 'Warn',
      tooManyPages: 'Warn',
    },
    harmless: ['rgbPicture', 'rgbText', 'spot', 'noBleedBox'],
  },
  {
    preset: 'photo-product',
    layouts: [a6],
    pages: [2, 4],
    needs: commercial,
    faults: {
      ...ofFile,
      trimAndArt: 'Warn',
      noBleed: 'Warn',
      littleBleed: 'Warn',
      whiteOverBleed: 'Warn',
      textAtEdge: 'Warn',
      textNearEdge: 'Warn',
      ...ofJpeg,
      wrongSize: 'Fail',
      emptyPage: 'Warn',
    },
    harmless: ['rgbPicture', 'rgbText', 'spot', 'noBleedBox'],
  },
  {
    preset: 'newspaper-ad',
    layouts: [{ width: 140, height: 100, bleed: 0, inset: 4 }],
    pages: [1],
    needs: { ...commercial, ppi: { fail: 99, warn: 149, fine: 160 }, text: 8, white: 10, inks: 10 },
    faults: {
      ...ofFile,
      formField: 'Fail',
      comment: 'Fail',
      javascript: 'Fail',
      trimAndArt: 'Fail',
      rgbPicture: 'Fail',
      rgbText: 'Fail',
      spot: 'Fail',
      tooManyPages: 'Fail',
      smallWhiteText: 'Warn',
      smallTextOfInks: 'Warn',
      thinWhiteLine: 'Warn',
      ...ofOverprint,
      richText: 'Warn',
      tooMuchInk: 'Warn',
    },
    isStandard: true,
  },
];
