import type { PreflightProfile, PreflightProfileInput } from '../profile/profile.ts';
import { preflightProfileSchema } from '../profile/profile.ts';

export const presetGroups = ['house', 'GWG2022', 'GWG2015', 'PDFX', 'PDFA'] as const;
export type PresetGroup = (typeof presetGroups)[number];

/** A built-in profile. `version` is increased when its values change; profiles made from it store key and version. */
export interface Preset {
  readonly key: string;
  readonly version: number;
  readonly group: PresetGroup;
  /** Untranslated name ('GWG 2022 Magazine Ads CMYK'). Names of house presets are translated in findings/messages. */
  readonly name: string;
  readonly profile: PreflightProfile;
}

/** Validates the profile of a preset and fills in its defaults. */
export function definePreset(preset: Omit<Preset, 'profile'> & { profile: PreflightProfileInput }): Preset {
  const basePreset = { key: preset.key, version: preset.version };
  return {
    ...preset,
    profile: preflightProfileSchema.parse({
      name: preset.name,
      basePreset,
      ...preset.profile,
    }),
  };
}
