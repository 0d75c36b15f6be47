import { expect, test } from 'vitest';
import { defaultPreferences, preferenceKey } from './preferences.ts';

test('visitors get the default look, stored under keys with the app’s title', () => {
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
