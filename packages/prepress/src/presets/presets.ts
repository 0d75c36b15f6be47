import { gwg2022Presets } from './gwg2022.ts';
import { housePresets } from './house.ts';
import { pdfxPresets } from './pdfx.ts';
import type { Preset } from './preset.ts';

export type { Preset, PresetGroup } from './preset.ts';

/** Every preset that ships: for the shop's jobs, by GWG 2022, by PDF/X. */
export const presets: readonly Preset[] = [...housePresets, ...gwg2022Presets, ...pdfxPresets];

export const presetOf = (key: string): Preset | undefined => presets.find((preset) => preset.key === key);

/** What a new profile holds before anything is changed. */
export function defaultPreflightProfile(): Preset['profile'] {
  const [standard] = housePresets;
  if (!standard) throw new Error('presets');
  return structuredClone(standard.profile);
}
