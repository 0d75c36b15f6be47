import { valueFaultOf } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { matchPattern, patternText } from './text-pattern.ts';

const digits = /^\d+$/;
/** `count` takes digits only, `nothing` stands for any characters. */
const targetOf = (name: string) =>
  name === 'nothing' ? null : { name, fits: (text: string) => name !== 'count' || digits.test(text) };
const match = (pattern: string, text: string, isByWords = true) => matchPattern(pattern, text, { targetOf, isByWords });

test.each([
  ['Order {{order}}', 'ORDER 4711', { order: '4711' }],
  ['*order {{order}}*', 'Re: Order 4711, 500 pieces', { order: '4711' }],
  ['*order {{order}}*', 'Order A-17/2 ("urgent").', { order: 'A-17/2' }],
  ['*{{order}}', 'see (#4711).', { order: 'see (#4711).' }],
  ['*{{count}}*', 'see (#4711).', { count: '4711' }],
  ['*{{count}} pieces*', 'Order A12, 500 pieces, matt', { count: '500' }],
  ['*{{count}}*', 'A12 then 500', { count: '500' }],
  ['*{{count}}mm*', '210x297mm', null],
  ['*x{{count}}mm*', '210x297mm', { count: '297' }],
  ['* {{order}} *', 'an Übergröße is here', { order: 'Übergröße' }],
  ['{{customer}}@*', 'anna@example.com', { customer: 'anna' }],
  ['{{nothing}}/{{order}}', 'a/b/c', { order: 'b/c' }],
  ['Order {{order}}', 'Order ', null],
  ['Order {{order}}', 'An Order 1', null],
  ['*', '', {}],
])('%s on %s', (pattern, text, values) => {
  expect(match(pattern, text)).toEqual(values);
  expect(match(pattern, text.normalize('NFD'))).toEqual(values);
});

test('without words a part ends as early as it can', () => {
  expect(match('*order {{order}}*', 'order 4711', false)).toEqual({ order: '4' });
});

test('no pattern takes long, however it and its text are made', () => {
  const text = 'a '.repeat(150);
  expect(match(`${'*{{x}} a'.repeat(40)}b`.slice(0, 300), text)).toBeNull();
  expect(match(`${'*{{count}}'.repeat(30)}`, text)).toBeNull();
});

const faultOf = (pattern: string) => {
  const read = patternText({ max: 300 }).safeParse(pattern, { reportInput: true });
  return read.success ? null : valueFaultOf(read.error.issues[0] as never).code;
};

test.each([
  ['Order {{order}}, {{count}} *', null],
  ['', 'value.required'],
  ['x'.repeat(301), 'value.maxLength'],
  ['Order *', 'value.patternEmpty'],
  ['Order {{order', 'placeholder.unclosed'],
  ['{{order}}{{count}}', 'workflow.patternUnclear'],
  ['{{order}} {{ORDER}}', 'workflow.patternTwice'],
  ['{{order|upper}}', 'workflow.patternFormat'],
  [`{{${'n'.repeat(100)}}}`, null],
  [`{{${'n'.repeat(101)}}}`, 'value.invalid'],
])('the pattern %s is judged %s', (pattern, code) => {
  expect(faultOf(pattern)).toBe(code);
});
