import type { PreflightProfile, PreflightProfileInput } from '../preflight/profile.ts';
import { preflightProfileSchema } from '../preflight/profile.ts';

export const presetGroups = ['house', 'GWG2022', 'PDFX'] as const;
export type PresetGroup = (typeof presetGroups)[number];

/** A profile to start from or to use as it is. `version` rises when its values change; profiles remember both. */
export interface Preset {
  readonly key: string;
  readonly version: number;
  readonly group: PresetGroup;
  /** A proper name ('GWG 2022 Magazine Ads CMYK'); house presets have their names in the message files. */
  readonly name: string;
  readonly profile: PreflightProfile;
}

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
