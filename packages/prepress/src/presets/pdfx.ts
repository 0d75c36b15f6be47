import { pdfxLevels } from '../checks/pdfx/contract.ts';
import { definePreset, type Preset } from './preset.ts';

/** Conformance alone: nothing in them is a matter of taste. */
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
        },
      ],
    },
  }),
);
