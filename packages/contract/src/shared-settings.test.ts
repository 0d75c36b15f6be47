import { expect, test } from 'vitest';
import { type SharedSettings, sharedSettingsSchema } from './settings.ts';
import { ownOf, settingsWithin, sharedParts } from './shared-settings.ts';

const settings = (given: object = {}): SharedSettings => sharedSettingsSchema.parse(given);
const installation = settings({
  culture: 'it-IT',
  timeZone: 'Europe/Rome',
  showVersionNumber: false,
  userSettings: { maxFailedLoginAttempts: 3 },
});

test('what a company has not set is as the installation has it, field by field', () => {
  const own = settings({ timeZone: 'Asia/Tokyo', userSettings: { accountLockoutDurationInSeconds: 60 } });
  expect(settingsWithin({ own, kept: [] }, installation)).toEqual(
    settings({
      culture: 'it-IT',
      timeZone: 'Asia/Tokyo',
      showVersionNumber: false,
      userSettings: { maxFailedLoginAttempts: 3, accountLockoutDurationInSeconds: 60 },
    }),
  );
});

test('a company can keep the default against the installation', () => {
  const wanted = settings({ culture: 'fr-FR', timeZone: 'Europe/Rome', userSettings: { maxFailedLoginAttempts: 3 } });
  const kept = ownOf(wanted, installation);
  expect(kept).toEqual({ own: settings({ culture: 'fr-FR' }), kept: ['showVersionNumber'] });
  expect(settingsWithin(kept, installation)).toEqual(wanted);
  // It follows the installation in the others.
  expect(settingsWithin(kept, settings({ timeZone: 'Asia/Tokyo' }))).toEqual(
    settings({ culture: 'fr-FR', timeZone: 'Asia/Tokyo' }),
  );
});

test('what connects a company, names it or says what its work costs is not shared', () => {
  expect([...sharedParts].sort()).toEqual([
    'appearanceSettings',
    'culture',
    'measurementSettings',
    'passwordSettings',
    'proofApprovalSettings',
    'showVersionNumber',
    'timeZone',
    'userSettings',
  ]);
});
