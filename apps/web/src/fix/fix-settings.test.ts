import { fixKeys } from '@pdf2press/prepress/contracts';
import { expect, test } from 'vitest';
import {
  actionShape,
  fixSettingsOfToday,
  freshAction,
  freshFixSettings,
  orderProblems,
  runPlaces,
} from './fix-settings.ts';
import { fixWords } from './fix-words.ts';

const listed = (order: 'Engine' | 'AsListed', ...keys: Parameters<typeof freshAction>[0][]) => ({
  order,
  actions: keys.map(freshAction),
});

test('a fresh profile has no action, and every action has settings that a form can show', () => {
  expect(freshFixSettings()).toMatchObject({ order: 'Engine', actions: [] });
  for (const key of fixKeys) expect(actionShape(key).kind).toBe('group');
});

test('the engine runs actions in its own order, whatever the list says', () => {
  const settings = listed('Engine', 'AddBleeds', 'ResizePages');
  expect([...runPlaces(settings)]).toEqual([
    [1, 1],
    [0, 2],
  ]);
  expect(orderProblems(settings)).toEqual([]);
});

test('as listed, a pair that stands the wrong way round is told', () => {
  const settings = listed('AsListed', 'AddBleeds', 'ResizePages');
  expect(runPlaces(settings).get(0)).toBe(1);
  expect(orderProblems(settings)).toEqual([
    { code: 'order.inverted', params: { first: 'AddBleeds', second: 'ResizePages' } },
  ]);
});

test('an action that is switched off has no place', () => {
  const settings = listed('AsListed', 'AddBleeds', 'ResizePages');
  const actions = settings.actions.map((action, at) => (at === 0 ? { ...action, enabled: false } : action));
  expect([...runPlaces({ ...settings, actions })]).toEqual([[1, 1]]);
});

test('technical names stay, other options are said in words', () => {
  const words = fixWords('AddTrimMarks', 'en', (key, options) => (key.endsWith('.K') ? options.defaultValue : key));
  expect(words.option('colour', 'K')).toBe('K');
  expect(words.option('marks', 'crop')).toBe('fix.option.AddTrimMarks.marks.crop');
  expect(fixWords('ResizePages', 'en', (key) => key).option('box', 'Trim')).toBe('TrimBox');
});

test('a profile of an older version opens in the shape of today; one that cannot be read opens as it is', () => {
  const old = { actions: [{ key: 'AddBleeds', version: 1, settings: { innerEdge: 'Skip' } }] };
  expect(fixSettingsOfToday(old)).toMatchObject({ actions: [{ settings: { innerEdge: true, facingPages: 'Yes' } }] });
  const odd = { actions: [{ key: 'Nothing' }] };
  expect(fixSettingsOfToday(odd)).toBe(odd);
});
