import { expect, test } from 'vitest';
import { holds, isCondition } from './condition.ts';
import { readFixProfile } from './profile.ts';

test.each([
  ['quantity >= 500 and product = "flyer"', true],
  ['2 * width + spine > 300mm', true],
  ['isUrgent', true],
  ["paper = 'black or white' or paper = matt", true],
  ['quantity >=', false],
  ['quantity >= 500 and', false],
  ['a = b = c', false],
  ['width +', false],
  ['', false],
])('%j is a condition: %j', (text, is) => {
  expect(isCondition(text)).toBe(is);
});

test('quoted text is a literal string, whatever it contains', () => {
  expect(holds('paper = "black or white"', { paper: 'Black or White' })).toBe(true);
  expect(holds('paper = "black or white"', { paper: 'black' })).toBe(false);
  expect(holds('paper = "a=b" and quantity > 1', { paper: 'a=b', quantity: 2 })).toBe(true);
});

const action = (when: unknown) => ({ actions: [{ key: 'AddTrimMarks', when }] });
const fault = (profile: object): string => {
  try {
    readFixProfile(profile);
    return '';
  } catch (error) {
    const { field, allowed = '' } = (error as { params: Record<string, string> }).params;
    return `${field} ${allowed}`.trim();
  }
};

test('an action may follow any check; unknown checks and unreadable conditions, bindings and page ranges are refused', () => {
  expect(fault(action({ is: 'OnlyIfCheckHit', check: 'Bleed' }))).toBe('');
  expect(fault(action('OnlyIfCheckHit(Bleed)'))).toBe('');
  expect(fault(action('OnlyIfCheckHit(Bleeds)'))).toMatch(/^actions\.0\.when\.check .*\bBleed\b/);
  expect(fault(action('quantity >='))).toBe('actions.0.when.expression');
  expect(fault({ variables: { 'AddBleeds.amount.left': 'bleed + 1mm' } })).toBe('');
  expect(fault({ variables: { 'AddBleeds.amount.left': 'bleed +' } })).toBe('variables.AddBleeds.amount.left');
  expect(fault({ variables: { 'AddBleeds.amuont': 'bleed' } })).toBe('variables.AddBleeds.amuont');
  expect(fault({ actions: [{ key: 'AddBleeds', pages: '1-x' }] })).toMatch(/^actions\.0\.pages all, odd/);
});
