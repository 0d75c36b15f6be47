import { expect, test } from 'vitest';
import { presets } from '../presets/presets.ts';
import { preflightProfileSchema } from './profile.ts';
import { savedPreflightProfileSchema } from './saved-profile.ts';

const withLimits = (key: string, settings: object, enabled = true) => ({ checks: [{ key, settings, enabled }] });
const faultsOf = (profile: object) =>
  (savedPreflightProfileSchema.safeParse(profile).error?.issues ?? []).map(({ path, ...issue }) => [
    path.join('.'),
    'params' in issue && issue.params?.code,
  ]);

test('limits that leave no value for the warning are refused where the error’s limit stands', () => {
  const resolution = withLimits('ImageResolution', { colourGray: { failBelow: 249, warnBelow: 224 } });
  expect(faultsOf(resolution)).toEqual([['checks.0.settings.colourGray.failBelow', 'value.errorAboveWarning']]);
  const ink = withLimits('TotalInkCoverage', { cmyk: { warnAbove: 320, failAbove: 300 } });
  expect(faultsOf(ink)).toEqual([['checks.0.settings.cmyk.failAbove', 'value.errorBelowWarning']]);
  // It is what was stored before; a session runs with it.
  expect(preflightProfileSchema.safeParse(resolution).success).toBe(true);
});

test('equal limits, limits that are off and checks that are off contradict nothing', () => {
  for (const limits of [
    { failBelow: 224, warnBelow: 224 },
    { failBelow: 249, warnBelow: null },
    { failBelow: null, warnBelow: 224 },
  ])
    expect(faultsOf(withLimits('ImageResolution', { colourGray: limits }))).toEqual([]);
  expect(faultsOf(withLimits('ThinLines', { failBelow: 2, warnBelow: 1 }, false))).toEqual([]);
});

test('every preset may be saved', () => {
  for (const { key, profile } of presets) expect(faultsOf(profile), key).toEqual([]);
});
