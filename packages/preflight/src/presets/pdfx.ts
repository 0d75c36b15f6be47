import { type PdfxLevel, pdfxDemands, pdfxLevels } from '../checks/pdfx/demands.ts';
import { definePreset, type Preset } from './preset.ts';

/** Invalid boxes break the same rule of ISO 15930 as a missing TrimBox. */
const ruleOfBoxes = (level: PdfxLevel) => {
  const rule = `${pdfxDemands[level].standard}:boxes`;
  return { nesting: rule, invalid: rule };
};

/** One preset per part of ISO 15930, with its rules only. */
export const pdfxPresets: readonly Preset[] = pdfxLevels.map((level) =>
  definePreset({
    key: level.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    version: 1,
    group: 'PDFX',
    name: level,
    profile: {
      boxPolicy: { onMissingTrim: 'Off' },
      checks: [
        { key: 'PdfX', settings: { level } },
        {
          key: 'PageBoxes',
          severities: {
            trimMissing: 'Off',
            bleedMissing: 'Off',
            cropNotMedia: 'Off',
            cropInsideTrim: 'Off',
            trimAndArt: 'Off',
          },
          standardRules: ruleOfBoxes(level),
        },
      ],
    },
  }),
);
