import { type SystemSettings, sharedSettingsSchema, storedSecretMark, systemSettingsSchema } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { baseOf, changesOf, originOf, type SettingPath, settingTable } from './setting-table.ts';

const settings = (given: object = {}): SystemSettings =>
  systemSettingsSchema.parse({ id: 'set', subscriberId: 'sub', ...given });

test('settings that stay as they are change nothing, whatever the order of their keys', () => {
  const before = settings({ smtpSettings: { host: 'mail.example.com', port: 25 } });
  const { smtpSettings } = before;
  const turned = Object.fromEntries(Object.entries(smtpSettings).reverse()) as typeof smtpSettings;
  expect(changesOf(before, { ...before, smtpSettings: turned })).toEqual([]);
});

test('each field that changes is listed with both values, in the order of the table', () => {
  const before = settings({ singleSignOnSettings: { allowedDomains: ['a.example'] } });
  const after = settings({
    roiSettings: { laborCostPerHour: 40 },
    culture: 'fr-FR',
    userSettings: { enableUserLockout: false },
    singleSignOnSettings: { allowedDomains: ['a.example', 'b.example'] },
  });
  expect(changesOf(before, after)).toEqual([
    { path: 'culture', values: { before: 'en-US', after: 'fr-FR' } },
    { path: 'userSettings.enableUserLockout', values: { before: true, after: false } },
    {
      path: 'singleSignOnSettings.allowedDomains',
      values: { before: ['a.example'], after: ['a.example', 'b.example'] },
    },
    { path: 'roiSettings.laborCostPerHour', values: { before: 0, after: 40 } },
  ]);
});

test('of secrets and pictures only that they changed is told', () => {
  const logo = `data:image/png;base64,${'A'.repeat(40)}`;
  const before = settings({ smtpSettings: { password: storedSecretMark } });
  const after = settings({
    smtpSettings: { password: 'Gehe1mnis' },
    archivingSettings: { config: { secretKey: 'k3y' } },
    singleSignOnSettings: { clientSecret: 'cl1ent' },
    noticeSettings: { hook: { secret: 'h00k' } },
    houseSettings: { logo },
  });
  const changes = changesOf(before, after);
  expect(changes.map(({ path, values }) => [path, values])).toEqual([
    ['singleSignOnSettings.clientSecret', null],
    ['smtpSettings.password', null],
    ['houseSettings.logo', null],
    ['noticeSettings.hook.secret', null],
    ['archivingSettings.config.secretKey', null],
  ]);
  expect(JSON.stringify(changes)).not.toMatch(/Gehe1mnis|k3y|cl1ent|h00k|base64/);
});

test('a value comes from the house where it is not the default, else from the installation or the default', () => {
  expect(originOf('culture', 'en-US', null)).toBe('default');
  expect(originOf('culture', 'it-IT', null)).toBe('own');
  expect(originOf('timeZone', '', null)).toBe('installation');
  expect(originOf('timeZone', 'Europe/Berlin', null)).toBe('own');
  expect(originOf('singleSignOnSettings.allowedDomains', [], null)).toBe('default');
  expect(baseOf('userSettings.accountLockoutDurationInSeconds', null)).toBe(300);
});

test('what the installation sets for all companies comes from it, and the default is then a value of the house', () => {
  const installation = sharedSettingsSchema.parse({ culture: 'it-IT' });
  expect(originOf('culture', 'it-IT', installation)).toBe('installation');
  expect(originOf('culture', 'en-US', installation)).toBe('own');
  expect(baseOf('culture', installation)).toBe('it-IT');
  expect(originOf('measurementSettings.defaultUnit', 'Millimeters', installation)).toBe('default');
  expect(originOf('smtpSettings.port', 25, installation)).toBe('own');
});

/** Every field of an object, by its path. */
const leavesOf = (value: unknown, at: string): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, part]) => leavesOf(part, at ? `${at}.${key}` : key))
    : [at];

test('the table has every field of the settings, once', () => {
  const { id: _id, subscriberId: _owner, installation: _installation, ...parts } = settings();
  expect((Object.keys(settingTable) as SettingPath[]).sort()).toEqual(leavesOf(parts, '').sort());
});
