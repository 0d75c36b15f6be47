import type { Fact } from './compare-facts.ts';

/** Intended differences from the other tools, with the reason. */
export const knownDifferences: Readonly<Record<string, Partial<Record<Fact, string>>>> = {
  'synth__p12_mixed_trim_sizes_rotate_userunit.pdf': {
    'boxes.effective':
      'CropBox 0 0 1000 1000 on MediaBox -10 -10 602.283 848.898: the intersection (ISO 32000-1, 14.11.2.1) begins at 0 0; poppler takes the whole MediaBox for a crop box that is larger',
  },
  'pdfjs__issue15893_reduced.pdf': {
    encryption:
      'the trailer names an Encrypt dictionary and the streams are encrypted by it; qpdf and poppler lose the entry while they rebuild the file',
  },
  'qpdf__440747125.fuzz.pdf': {
    encryption: 'no header and no readable trailer: the rebuilt trailer has no Encrypt entry, qpdf still finds one',
  },
};
