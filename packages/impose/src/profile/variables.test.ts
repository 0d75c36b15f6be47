import { imposeLayouts } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { problemSentence } from '../layouts/say.ts';
import { imposeProfileSchema, readImposeProfile } from './profile.ts';

const mm = 72 / 25.4;
const read = (variables: Record<string, string>, values: Record<string, string | number> = {}) =>
  readImposeProfile({ type: 'StepNRepeat', sheet: 'SRA3', variables }, values);
const profileOf = (...given: Parameters<typeof read>) => {
  const found = read(...given);
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.profile;
};

test('numbers, lengths and options of a profile can be set by variables', () => {
  const profile = profileOf(
    {
      copies: 'quantity',
      'sheet.width': '2 * width + 10mm',
      'margins.top': 'top',
      workStyle: 'style',
      'marks.slug.text': 'line',
    },
    { Quantity: '500', width: 150, top: '7mm', style: 'WorkAndTurn', line: 'Job 7' },
  );
  expect(profile).toMatchObject({ copies: 500, workStyle: 'WorkAndTurn', marks: { slug: { text: 'Job 7' } } });
  expect(profile.sheet.width).toBeCloseTo(310 * mm);
  expect(profile.sheet.height).toBeCloseTo(450 * mm);
  expect(profile.margins.top).toBeCloseTo(7 * mm);
});

test('a variable without a value keeps the stored value', () => {
  for (const values of [{}, { quantity: '', width: '' }])
    expect(profileOf({ copies: 'quantity', 'sheet.width': 'width' }, values)).toMatchObject({
      copies: 1,
      sheet: { width: 320 * mm },
    });
});

test('an invalid binding is refused with its path', () => {
  const problems = (...given: Parameters<typeof read>) => {
    const found = read(...given);
    return found.ok ? [] : found.problems.map(({ code, field }) => [code, field]);
  };
  expect(problems({ copeis: 'quantity' })).toEqual([['impose.settingUnknown', 'variables.copeis']]);
  expect(problems({ constructor: 'quantity' })).toEqual([['impose.settingUnknown', 'variables.constructor']]);
  expect(problems({ copies: '2 *' })).toEqual([['expression.invalid', 'variables.copies']]);
  expect(problems({ copies: 'quantity' }, { quantity: 0 })).toEqual([['impose.settingInvalid', 'copies']]);
  expect(problems({ 'marks.slug.text': 'line' }, { line: '{{fil.name}}' })).toEqual([
    ['placeholder.unknownName', 'marks.slug.text'],
  ]);
});

test('an unknown variable in a text has a message', () => {
  const found = read({ 'marks.slug.text': 'line' }, { line: '{{fil.name}}' });
  expect(found.ok ? [] : found.problems.map((problem) => problemSentence(problem, 'en', 'Millimeters'))).toEqual([
    'There is no variable named fil.name.',
  ]);
});

test.each(imposeLayouts)('parsing a parsed %s profile does not change it', (type) => {
  const once = imposeProfileSchema.parse({ type });
  expect(imposeProfileSchema.parse(once)).toEqual(once);
});
