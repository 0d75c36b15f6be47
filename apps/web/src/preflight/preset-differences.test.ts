import { presetOf, presets } from '@pdf2press/preflight/contracts';
import { expect, test } from 'vitest';
import { differencesFrom, differencesIn } from './preset-differences.ts';

const standard = () => {
  const preset = presetOf('standard');
  if (!preset) throw new Error('standard');
  return preset.profile;
};
type Check = { key: string; enabled: boolean; settings: Record<string, unknown>; severities: Record<string, string> };
const changed = (change: (profile: Record<string, unknown> & { checks: Check[] }) => void) => {
  const profile = structuredClone(standard()) as unknown as Record<string, unknown> & { checks: Check[] };
  change(profile);
  return differencesFrom(standard(), profile);
};

test.each(presets.map(({ key, profile }) => [key, profile] as const))(
  '%s does not differ from itself',
  (_, profile) => {
    expect([...differencesFrom(profile, { ...structuredClone(profile) })]).toEqual([]);
  },
);

test('a changed value is reported with the value of the preset', () => {
  const differences = changed((profile) => {
    const size = profile.checks.find(({ key }) => key === 'FileSize');
    if (size) size.settings.minBytes = 1;
    profile.scaleFactor = 10;
    profile.name = 'Mine';
  });
  expect([...differences]).toEqual([
    ['scaleFactor', 1],
    ['FileSize.settings.minBytes', 1024],
  ]);
  expect(differencesIn(differences, 'FileSize')).toBe(1);
});

test('an enabled or disabled check is one difference', () => {
  const differences = changed((profile) => {
    for (const check of profile.checks)
      if (check.key === 'Fonts') Object.assign(check, { enabled: false, settings: {}, severities: {} });
    profile.checks.push({ key: 'Layers', enabled: true, settings: {}, severities: {} });
  });
  expect(differences.get('Fonts.enabled')).toBe(true);
  expect(differencesIn(differences, 'Fonts')).toBe(1);
  expect(differences.get('Layers.enabled')).toBe(false);
});

test('a severity equal to the default of its rule is no difference', () => {
  const differences = changed((profile) => {
    const bleed = profile.checks.find(({ key }) => key === 'Bleed');
    if (bleed) bleed.severities = {};
  });
  expect(differencesIn(differences, 'Bleed')).toBe(0);
});
