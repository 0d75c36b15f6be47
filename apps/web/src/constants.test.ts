import { embedTokenDays, passwordFaults, systemSettingsSchema, units } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import * as constants from './constants.ts';
import { layMasonry } from './frame/masonry.tsx';
import { formatSize } from './language/formats.ts';
import { defaultPreferences, preferenceKey } from './preferences/preferences.ts';

test('the constants of the frame are the specification’s', () => {
  expect(constants.overlayBreakpoint).toBe(976);
  expect(constants.scrollToTopThreshold).toBe(200);
  expect(constants.horizontalPopoverOffset).toBe(4);
  expect(constants.horizontalTransition).toBe('slide-y-reverse');
  expect(constants.tokenRefreshThresholdSeconds).toBe(10);
  expect(embedTokenDays).toBe(360);
  expect(constants.toast).toEqual({
    theme: 'light',
    autoClose: 5000,
    position: 'top-right',
    clearsOnNavigation: false,
    closesOnClick: false,
  });
  expect(constants.captchaBadge).toEqual({ position: 'bottomleft', isHidden: true });
  expect(constants.masonry).toEqual({ debounce: 100, transitionSeconds: 0.4 });
  expect(constants.retentionWindowDays).toBe(30);
  expect(constants.defaultPrimary).toBe('#0d9494');
});

test('the defaults of settings are the specification’s', () => {
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

test('a visitor begins with the specification’s look, under keys with the app’s title', () => {
  expect(defaultPreferences).toMatchObject({
    layout: 'vertical',
    contentWidth: 'boxed',
    theme: 'light',
    skin: 'default',
    navbarBlur: true,
    navigationCollapsed: false,
    semiDarkNavigation: false,
    primaryLight: '#0d9494',
    primaryDark: '#0d9494',
  });
  expect(preferenceKey('theme')).toBe('pdf2press-theme');
});

test('lengths have the specification’s units', () => {
  expect([...units].sort()).toEqual(['Centimeters', 'Feet', 'Inches', 'Meters', 'Millimeters']);
});

test('cards move to the shortest column, and reading goes on from the first', () => {
  expect(layMasonry([100, 50, 70, 10], 1056, 520)).toEqual({
    columnWidth: 520,
    places: [
      { x: 0, y: 0 },
      { x: 536, y: 0 },
      { x: 536, y: 66 },
      { x: 0, y: 116 },
    ],
    height: 136,
  });
  expect(layMasonry([100, 50], 600, 520)).toMatchObject({ columnWidth: 600, places: [{ y: 0 }, { y: 116 }] });
});

test('sizes are written in units of 1024 with two decimals', () => {
  expect([0, 1, 1023, 1024, 50_438_144, 1024 ** 8].map(formatSize)).toEqual([
    '0 Bytes',
    '1 Bytes',
    '1023 Bytes',
    '1.00 KB',
    '48.10 MB',
    '1.00 YB',
  ]);
});
