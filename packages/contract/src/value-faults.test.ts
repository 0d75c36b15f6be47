import { expect, test } from 'vitest';
import { z } from 'zod';
import en from './messages.en.json' with { type: 'json' };
import { fillIn } from './messages.ts';
import { valueFaultOf } from './value-faults.ts';

/** The sentence for a schema's issue with a value. */
function said(schema: z.ZodType, value: unknown): string {
  const [issue] = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  if (!issue) return '';
  const { code, params } = valueFaultOf(issue);
  return fillIn((en as Record<string, string>)[code] ?? code, params);
}
const email = z.string().trim().max(254).pipe(z.email());

test.each<[string, z.ZodType, unknown]>([
  ['Value is required', z.string().min(1), ''],
  ['Value is required', z.string(), undefined],
  ['Value is required', z.number(), ''],
  ['Value is required', email, '  '],
  ['Value is required', z.array(z.string()).min(1), []],
  ['Value must be decimal', z.number(), 'ten'],
  ['Value is not an integer', z.int(), 1.5],
  ['The minimum value allowed is 5', z.number().min(5), 4],
  ['The maximum value allowed is 5', z.number().max(5), 6],
  ['Value is not a valid email address', email, 'nobody'],
  ['Value is not a valid email address', z.union([z.literal(''), z.email()]), 'nobody'],
  ['This field should be at least 6 characters long', z.string().min(6), 'abc'],
  ['The maximum length allowed is 3', z.string().max(3), 'four'],
  ['', email, ' ann@example.com '],
])('%s', (sentence, schema, value) => {
  expect(said(schema, value)).toBe(sentence);
});

test('a custom rule names its own sentence', () => {
  const even = z
    .number()
    .refine((value) => value % 4 === 0, { params: { code: 'value.greaterThan', params: { min: 3 } } });
  expect(said(even, 3)).toBe('The value must be greater than 3');
  expect(
    said(
      z.number().refine(() => false),
      3,
    ),
  ).toBe(en['value.invalid']);
});
