import { readImposeProfile } from '@pdf2press/impose/contracts';
import { expect, test } from 'vitest';
import { imposePresetNames, presetSettings } from './presets.ts';

test.each(imposePresetNames)('the preset %s is a valid profile on a sheet that has a name', (name) => {
  const settings = presetSettings(name);
  expect(readImposeProfile(settings)).toMatchObject({ ok: true });
  expect((settings.sheet as { name: string }).name).toMatch(/^SRA\d$/);
});
