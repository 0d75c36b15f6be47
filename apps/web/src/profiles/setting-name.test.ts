import { expect, test } from 'vitest';
import { settingName } from './setting-name.ts';

const settings = { actions: [{ key: 'MapSpots' }] };
const words = (key: string) =>
  key === 'MapSpots' ? { name: 'Spots', label: (path: string) => `<${path}>` } : undefined;

test('a refused setting has the label of its check or action', () => {
  const name = (path: string) => settingName(path, 'actions', settings, words);
  expect(name('settings.actions.0.settings.tolerance')).toBe('Spots: <tolerance>');
  expect(name('actions.0.settings.rules.3.from')).toBe('Spots: <rules.from>');
  expect(name('settings.actions.0.settings.rules.3.cmyk.1')).toBe('Spots: <rules.cmyk.1>');
  expect(name('settings.actions.7.settings.tolerance')).toBeUndefined();
  expect(name('settings.order')).toBeUndefined();
});
