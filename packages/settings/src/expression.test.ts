import { expect, test } from 'vitest';
import { evaluate } from './expression.ts';
import { variablesIn } from './variables-in.ts';

const millimetres = { unit: 'Millimeters', dimension: 1 } as const;
const variables = { width: 210, Spine: '7mm', paper: 'coated', copies: '500', missing: null };

test('arithmetic over variables gives points where the setting is a length', () => {
  expect(evaluate('2 * width + spine', variables, millimetres)).toBeCloseTo(((420 + 7) * 72) / 25.4, 9);
  expect(evaluate('width + 3mm', variables, millimetres)).toBeCloseTo((213 * 72) / 25.4, 9);
  expect(evaluate('width + 3', variables, millimetres)).toBeCloseTo((213 * 72) / 25.4, 9);
  expect(evaluate('-(copies - 100) / 2', variables, null)).toBe(-200);
});

test('an area is in squares of the unit, whatever it is made of', () => {
  const area = { unit: 'Millimeters', dimension: 2 } as const;
  const square = (72 / 25.4) ** 2;
  for (const text of ['width * 7', 'width * spine', '210mm * 0.7cm', '1470', 'spine * spine * 30'])
    expect(evaluate(text, { ...variables, width: 210, spine: text.includes('30') ? 7 : '7mm' }, area)).toBeCloseTo(
      1470 * square,
      6,
    );
  expect(evaluate('spine * spine', variables, millimetres)).toBeUndefined();
});

test('a lone variable keeps its text; numbers in text are numbers', () => {
  expect(evaluate('paper', variables, null)).toBe('coated');
  expect(evaluate('COPIES', variables, null)).toBe(500);
});

test('what cannot be computed is undefined, so that the stored value holds', () => {
  for (const text of ['unknown', 'missing', 'width +', '(width', '2 ** 3', 'process.exit()', '1 / 0', '']) {
    expect(evaluate(text, variables, null)).toBeUndefined();
  }
});

test('the variables are told from units, words in quotes and what connects conditions', () => {
  expect(variablesIn('2 * width + spine - 3mm * 4 pt')).toEqual(['width', 'spine']);
  expect(variablesIn('copies >= 500 and product = "flyer or book" or Größe_2 < 1 m')).toEqual([
    'copies',
    'product',
    'Größe_2',
  ]);
  expect(variablesIn('-(file.name)')).toEqual(['file.name']);
  expect(variablesIn('210mm * 0.7cm')).toEqual([]);
});
