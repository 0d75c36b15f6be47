import { housePresets } from './house.ts';
import type { Preset } from './preset.ts';

export type { Preset, PresetGroup } from './preset.ts';

export const presets: readonly Preset[] = [...housePresets];

export const presetOf = (key: string): Preset | undefined => presets.find((preset) => preset.key === key);
/** What a new profile holds before anything is changed. */
export const defaultPreflightProfile = () =>
  structuredClone((presetOf('standard') ?? presets[0])?.profile as Preset['profile']);
