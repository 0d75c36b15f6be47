import { expect, test } from 'vitest';
import { isFound, settingPaths, shapeAt } from './check-search.ts';

const flag = { kind: 'flag' as const, initial: true };
const shape = {
  kind: 'group' as const,
  fields: [['colour', { kind: 'group' as const, fields: [['isOn', flag]] }]] as const,
};

test('a search ignores case, accents and order of words', () => {
  expect(isFound('RÉSOLUTION images', ['Résolution des images'])).toBe(true);
  expect(isFound('resolution', ['Résolution des images'])).toBe(true);
  expect(isFound('resolution fonts', ['Résolution des images', undefined])).toBe(false);
  expect(isFound(' ', ['anything'])).toBe(true);
});

test('the paths of all settings are found', () => {
  expect(settingPaths(shape)).toEqual(['colour', 'colour.isOn']);
  expect(shapeAt(shape, ['colour', 'isOn'])).toEqual(flag);
  expect(shapeAt(shape, ['nothing'])).toBeUndefined();
});
