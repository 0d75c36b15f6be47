import { expect, test } from 'vitest';
import { evaluate } from './expression.ts';

const variables = { width: 210, Spine: '7mm', paper: 'coated', copies: '500', missing: null };

test('arithmetic over variables gives points where the setting is a length', () => {
  expect(evaluate('2 * width + spine', variables, 'Millimeters')).toBeCloseTo(((420 + 7) * 72) / 25.4, 9);
  expect(evaluate('width + 3mm', variables, 'Millimeters')).toBeCloseTo((213 * 72) / 25.4, 9);
  expect(evaluate('-(copies - 100) / 2', variables, null)).toBe(-200);
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
