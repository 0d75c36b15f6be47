import { gwg2015Presets } from './gwg2015.ts';
import { gwg2022Presets } from './gwg2022.ts';
import { housePresets } from './house.ts';
import { pdfaPresets } from './pdfa.ts';
import { pdfxPresets } from './pdfx.ts';
import type { Preset } from './preset.ts';

export type { Preset, PresetGroup } from './preset.ts';

/** All built-in presets: house presets, GWG 2022 and 2015, PDF/X and PDF/A. */
export const presets: readonly Preset[] = [
  ...housePresets,
  ...gwg2022Presets,
  ...gwg2015Presets,
  ...pdfxPresets,
  ...pdfaPresets,
];

/** A preset by its key. */
export const presetOf = (key: string): Preset | undefined => presets.find((preset) => preset.key === key);

/** The profile that a new profile starts with: a copy of the preset `standard`. */
export function defaultPreflightProfile(): Preset['profile'] {
  const [standard] = housePresets;
  if (!standard) throw new Error('presets');
  return structuredClone(standard.profile);
}
