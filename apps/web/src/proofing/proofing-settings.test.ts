import { locales, proofProfileSchema } from '@pdf2press/contract';
import type { FieldShape } from '@pdf2press/ui';
import i18next, { type TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { wordsOf } from '../language/language.ts';
import {
  freshSettings,
  presetKeys,
  presetSettings,
  savedSettings,
  sectionKeys,
  sectionShape,
  settingsOfToday,
} from './proofing-settings.ts';
import { proofingWords } from './proofing-words.ts';

test('every setting of a proof profile has a field in one section', () => {
  const shown = sectionKeys.flatMap((section) => sectionShape(section).fields);
  expect(shown.map(([key]) => key).sort()).toEqual(Object.keys(proofProfileSchema.shape).sort());
  expect(shown.filter(([, shape]) => shape.kind === 'unknown')).toEqual([]);
});

test('those who are asked one after the other can be put into another order', () => {
  expect(new Map(sectionShape('people').fields).get('approvers')).toMatchObject({ kind: 'rows', isOrdered: true });
});

/** Paths of fields and options, as words are asked for. */
function keysOf(shape: FieldShape, path: string): { path: string; options: readonly string[] }[] {
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  if (shape.kind === 'group') return shape.fields.flatMap(([key, inner]) => keysOf(inner, at(key)));
  if (shape.kind === 'rows') return [{ path, options: [] }, ...keysOf(shape.row, path)];
  return [{ path, options: 'options' in shape ? shape.options : [] }];
}

test.each(locales)('every field and every choice has words in %s', async (locale) => {
  const one = i18next.createInstance();
  await one.init({
    lng: locale,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { prefix: '{', suffix: '}' },
    resources: { [locale]: { translation: await wordsOf(locale) } },
  });
  const words = proofingWords(one.t as TFunction);
  const said = sectionKeys
    .flatMap((section) => keysOf(sectionShape(section), ''))
    .flatMap(({ path, options }) => [words.label(path), ...options.map((value) => words.option(path, value))]);
  expect(said.filter((word) => word === '' || word.startsWith('proofing.'))).toEqual([]);
});

test('a preset keeps who is asked, and is what the server takes', () => {
  const approvers = [{ kind: 'address', address: 'ann@b.example', name: 'Ann', isGatekeeper: true }];
  for (const key of presetKeys) {
    const settings = presetSettings(key, { approvers });
    expect(settings.approvers).toEqual(approvers);
    expect(proofProfileSchema.parse(settings)).toEqual(settings);
    expect(settings).not.toEqual({ ...freshSettings(), approvers });
  }
});

test('an approver is saved with the values of its kind only', () => {
  const approver = { kind: 'assignee', id: 'r1', address: '', name: '', isGatekeeper: true };
  const given = { ...freshSettings(), approvers: [approver] };
  expect(savedSettings(given).approvers).toEqual([{ kind: 'assignee', id: 'r1', isGatekeeper: true }]);
});

test('an approver of an older profile is no gatekeeper; the field stands after who it is', () => {
  const approvers = [{ kind: 'address', address: 'ann@b.example', name: 'Ann' }];
  expect(settingsOfToday({ approvers }).approvers).toEqual([{ ...approvers[0], isGatekeeper: false }]);
  const [, shape] = sectionShape('people').fields.find(([key]) => key === 'approvers') ?? [];
  if (shape?.kind !== 'rows' || shape.row.kind !== 'group') throw new Error('no rows of approvers');
  expect(shape.row.fields.map(([key]) => key)).toEqual(['kind', 'address', 'name', 'id', 'isGatekeeper']);
});
