import { pdfaLevels } from '../checks/pdfa/contract.ts';
import { definePreset, type Preset } from './preset.ts';

/** One preset per part of ISO 19005, with its rules only. The trim does not matter in an archive. */
export const pdfaPresets: readonly Preset[] = pdfaLevels.map((level) =>
  definePreset({
    key: level.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    version: 1,
    group: 'PDFA',
    name: level,
    profile: { boxPolicy: { onMissingTrim: 'Off' }, checks: [{ key: 'PdfA', settings: { level } }] },
  }),
);
