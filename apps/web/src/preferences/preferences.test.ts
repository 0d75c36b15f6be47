import { appearanceSchema } from '@pdf2press/contract';
import { expect, test, vi } from 'vitest';

const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => kept.set(key, text),
  removeItem: (key: string) => kept.delete(key),
});
const { adoptHouseLook, basePreferences } = await import('./house-look.ts');
const { preferenceKey } = await import('./kept.ts');
const { defaultPreferences, setPreferences, usePreferences } = await import('./preferences.ts');

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
  // A house that chooses nothing looks as the app does by itself.
  expect(defaultPreferences).toMatchObject(appearanceSchema.parse({}));
});

test('the house’s look is shown except for what the visitor chose, and the default can be chosen against it', () => {
  const adopt = (look: object) => adoptHouseLook(appearanceSchema.parse(look));
  setPreferences({ skin: 'bordered' });
  adopt({ theme: 'dark', layout: 'horizontal' });
  expect(usePreferences.getState()).toMatchObject({ theme: 'dark', layout: 'horizontal', skin: 'bordered' });
  setPreferences({ theme: 'light' });
  adopt({ theme: 'dark', primaryDark: '#5b5bd6' });
  const chosen = { theme: 'light', layout: 'vertical', skin: 'bordered', primaryDark: '#5b5bd6' };
  expect(usePreferences.getState()).toMatchObject(chosen);
  setPreferences(basePreferences());
  expect(usePreferences.getState()).toMatchObject({ theme: 'dark', skin: 'default', primaryDark: '#5b5bd6' });
});
