import { type PdfaLevel, pdfaLevels } from '../checks/pdfa/contract.ts';
import { definePreset, type Preset } from './preset.ts';

/**
 * Glyphs that an embedded program lacks, programs that are none, and widths that differ (ISO 19005-2, 6.2.11.4.1,
 * 6.2.11.5, 6.2.11.8). Of widths the check's own tolerance holds: conforming files are up to four thousandths apart.
 */
const glyphs = (level: PdfaLevel) => {
  const standard = level === 'PDF/A-2b' ? 'PDFA2' : 'PDFA3';
  const off = ['notEmbedded', 'type', 'type3', 'name', 'courierSubstitution', 'small', 'smallMultiInk', 'smallWhite'];
  return {
    key: 'Fonts' as const,
    severities: {
      ...Object.fromEntries(off.map((rule) => [rule, 'Off' as const])),
      notdefGlyph: 'Fail' as const,
      invalidFont: 'Fail' as const,
      widthDiffers: 'Fail' as const,
    },
    standardRules: {
      notdefGlyph: `${standard}:6.2.11.8`,
      invalidFont: `${standard}:6.2.11.4.1`,
      widthDiffers: `${standard}:6.2.11.5`,
    },
  };
};

/** One preset per part of ISO 19005, with its rules only. The trim does not matter in an archive. */
export const pdfaPresets: readonly Preset[] = pdfaLevels.map((level) =>
  definePreset({
    key: level.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    version: 1,
    group: 'PDFA',
    name: level,
    profile: { boxPolicy: { onMissingTrim: 'Off' }, checks: [{ key: 'PdfA', settings: { level } }, glyphs(level)] },
  }),
);
