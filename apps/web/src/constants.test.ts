import { embedTokenDays, passwordFaults, systemSettingsSchema } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import * as constants from './constants.ts';
import { formatSize } from './language/formats.ts';
import { defaultPreferences, preferenceKey } from './preferences/preferences.ts';

test('the constants of the frame are the specification’s', () => {
  expect(constants.overlayBreakpoint).toBe(976);
  expect(constants.scrollToTopThreshold).toBe(200);
  expect(constants.horizontalPopoverOffset).toBe(4);
  expect(constants.horizontalTransition).toBe('slide-y-reverse');
  expect([constants.cookieMaxAgeDays, constants.cookiePath]).toEqual([30, '/']);
  expect(constants.tokenRefreshThresholdSeconds).toBe(10);
  expect(embedTokenDays).toBe(360);
  expect(constants.toast).toEqual({
    autoClose: 5000,
    position: 'top-right',
    clearsOnNavigation: false,
    closesOnClick: false,
  });
  expect(constants.captchaBadge).toEqual({ position: 'bottomleft', isHidden: true });
  expect(constants.masonry).toEqual({ debounce: 100, transitionSeconds: 0.4 });
  expect(constants.retentionWindowDays).toBe(30);
  expect(constants.signatureMultiple).toBe(4);
  expect(constants.defaultPrimary).toBe('#0d9494');
});

test('the defaults of settings are the specification’s', () => {
  const settings = systemSettingsSchema.parse({ id: '1', subscriberId: '1' });
  expect(settings.culture).toBe(constants.defaultCulture);
  expect(settings.smtpSettings).toMatchObject(constants.defaultSmtp);
  expect(settings.userSettings).toEqual({
    enableUserLockout: true,
    maxFailedLoginAttempts: 5,
    accountLockoutDurationInSeconds: 300,
    sendActivationEmail: true,
  });
  expect(settings.passwordSettings.useDefaultSettings).toBe(true);
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
