import { expect, test } from 'vitest';
import { decidingSettings, settingApplies } from './applies-when.ts';

test('a setting counts where all that a condition names has one of the values given', () => {
  const when = { target: 'Size', scaling: ['Proportionally', 'Stretching'] };
  expect(settingApplies(when, { target: 'Size', scaling: 'Stretching' })).toBe(true);
  expect(settingApplies(when, { target: 'Percent', scaling: 'Stretching' })).toBe(false);
  expect(settingApplies(when, { target: 'Size' })).toBe(false);
});

test('of a list one entry suffices, of several conditions one, and null and false are values', () => {
  expect(settingApplies({ marks: ['slug', 'fold'] }, { marks: ['crop', 'fold'] })).toBe(true);
  expect(settingApplies({ marks: 'slug' }, { marks: ['crop'] })).toBe(false);
  expect(settingApplies({ marks: 'slug' }, { marks: [] })).toBe(false);
  expect(
    settingApplies([{ isOn: true }, { limit: null }], {
      isOn: false,
      limit: null,
    }),
  ).toBe(true);
  expect(settingApplies({ isOn: false }, { isOn: false })).toBe(true);
});

test('the settings that decide are told once each', () => {
  expect(decidingSettings([{ target: 'Size', fit: 'StretchToFit' }, { target: 'Size' }])).toEqual(['target', 'fit']);
});
