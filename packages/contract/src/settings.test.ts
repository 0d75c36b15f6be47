import { expect, test } from 'vitest';
import {
  cultures,
  passwordFaults,
  prepressCostOf,
  savedSystemSettingsSchema,
  systemSettingsSchema,
} from './settings.ts';
import { units } from './units.ts';

test('empty settings are filled with the defaults, and passwords are checked against them', () => {
  const settings = systemSettingsSchema.parse({ id: '1', subscriberId: '1' });
  expect(settings.culture).toBe('en-US');
  expect(settings.smtpSettings).toMatchObject({ port: 0, enableSsl: true });
  expect(settings.userSettings).toEqual({
    enableUserLockout: true,
    maxFailedLoginAttempts: 5,
    accountLockoutDurationInSeconds: 300,
    sendActivationEmail: true,
  });
  expect(settings.passwordSettings).toEqual({
    useDefaultSettings: true,
    requireDigit: true,
    requireLowercase: true,
    requireNonAlphanumeric: true,
    requireUppercase: true,
    requiredLength: 6,
  });
  expect(passwordFaults('', settings.passwordSettings)).toHaveLength(5);
  expect(passwordFaults('aB3-56', settings.passwordSettings)).toHaveLength(0);
});

test.each([
  ['', true],
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['UTC', true],
  ['Europe/Atlantis', false],
  ['+02:00', false],
  ['Berlin; drop table', false],
])('the time zone %j is taken: %s', (timeZone, isTaken) => {
  expect(systemSettingsSchema.safeParse({ id: '1', subscriberId: '1', timeZone }).success).toBe(isTaken);
});

test('a culture is saved when it can be chosen, and an older one is still read', () => {
  const given = (culture: string) => ({ id: '1', subscriberId: '1', culture });
  for (const culture of cultures) expect(savedSystemSettingsSchema.safeParse(given(culture)).success).toBe(true);
  for (const culture of ['', 'de', 'xx-XX', 'en_US']) {
    expect(systemSettingsSchema.parse(given(culture)).culture).toBe(culture);
    const { error } = savedSystemSettingsSchema.safeParse(given(culture));
    expect(error?.issues).toMatchObject([{ path: ['culture'], params: { code: 'value.invalid' } }]);
  }
});

test('what the prepress work on a file costs is as it is set, else follows from time and cost per hour', () => {
  const cost = (given: object) => prepressCostOf(systemSettingsSchema.parse({ id: '1', subscriberId: '1', ...given }));
  const roiSettings = { averagePrepressTime: 12, laborCostPerHour: 40 };
  expect(cost({})).toBe(0);
  expect(cost({ roiSettings })).toBe(8);
  expect(cost({ roiSettings, estimatedPrepressLaborCost: 5.5 })).toBe(5.5);
});

test('lengths can be shown in five units', () => {
  expect([...units].sort()).toEqual(['Centimeters', 'Feet', 'Inches', 'Meters', 'Millimeters']);
});
