import { fixKeys } from '@pdf2press/fix/contracts';
import { expect, test } from 'vitest';
import {
  actionShape,
  fixSettingsOfToday,
  freshAction,
  freshFixSettings,
  orderProblems,
  runPlaces,
  suggestedAction,
  withAction,
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

test('a finding suggests an action with its settings; one that this release does not have is no action', () => {
  const hint = { action: 'AddBleeds', params: { amount: { left: 9, right: 9, top: 9, bottom: 9 } } };
  expect(suggestedAction(hint)).toMatchObject({ key: 'AddBleeds', settings: { amount: { left: 9 } }, enabled: true });
  expect(suggestedAction({ action: 'PolishPages', params: {} })).toBeNull();
  expect(suggestedAction(null)).toBeNull();
});

test('an action is added once: of lists it has the entries of both, and it is switched on', () => {
  const inks = (...technicalInks: string[]) => {
    const action = suggestedAction({ action: 'Overprint', params: { technicalInks } });
    if (!action) throw new Error('no action');
    return action;
  };
  const bleed = freshAction('AddBleeds');
  const off = { ...inks('Cut'), enabled: false };
  expect(withAction([bleed], inks('Crease'))).toEqual([bleed, inks('Crease')]);
  const [first, second, ...more] = withAction([bleed, off], inks('Crease', 'Cut'));
  expect(first).toBe(bleed);
  expect(second).toMatchObject({ enabled: true, settings: { technicalInks: ['Cut', 'Crease'] } });
  expect(more).toEqual([]);
});
