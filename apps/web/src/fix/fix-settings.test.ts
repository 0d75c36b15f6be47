import { fixKeys } from '@pdf2press/fix/contracts';
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

test('a new profile has no actions, and a form can show the settings of every action', () => {
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

test('with the order as listed, a pair in the wrong order is reported', () => {
  const settings = listed('AsListed', 'AddBleeds', 'ResizePages');
  expect(runPlaces(settings).get(0)).toBe(1);
  expect(orderProblems(settings)).toEqual([
    { code: 'order.inverted', params: { first: 'AddBleeds', second: 'ResizePages' } },
  ]);
});

test('a disabled action has no position', () => {
  const settings = listed('AsListed', 'AddBleeds', 'ResizePages');
  const actions = settings.actions.map((action, at) => (at === 0 ? { ...action, enabled: false } : action));
  expect([...runPlaces({ ...settings, actions })]).toEqual([[1, 1]]);
});

test('technical names stay untranslated, other options have labels', () => {
  const words = fixWords('AddTrimMarks', 'en', (key, options) => (key.endsWith('.K') ? options.defaultValue : key));
  expect(words.option('colour', 'K')).toBe('K');
  expect(words.option('marks', 'crop')).toBe('fix.option.AddTrimMarks.marks.crop');
  expect(fixWords('ResizePages', 'en', (key) => key).option('box', 'Trim')).toBe('TrimBox');
});

test('a profile of an older version is upgraded; an unreadable one stays unchanged', () => {
  const old = { actions: [{ key: 'AddBleeds', version: 1, settings: { innerEdge: 'Skip' } }] };
  expect(fixSettingsOfToday(old)).toMatchObject({ actions: [{ settings: { innerEdge: true, facingPages: 'Yes' } }] });
  const odd = { actions: [{ key: 'Nothing' }] };
  expect(fixSettingsOfToday(odd)).toBe(odd);
});
