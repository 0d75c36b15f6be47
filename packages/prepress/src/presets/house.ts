import { definePreset, type Preset } from './preset.ts';

/** What a shop starts with when it knows nothing else of the job. */
const standard = definePreset({
  key: 'standard',
  version: 1,
  group: 'house',
  name: 'Standard',
  profile: {
    boxPolicy: { onMissingTrim: 'Info' },
    checks: [
      { key: 'DocumentIntegrity' },
      { key: 'FileSize' },
      { key: 'PageCount' },
      { key: 'PageDimentions' },
      { key: 'Fonts' },
      { key: 'ImageResolution' },
    ],
  },
});

export const housePresets: readonly Preset[] = [standard];
