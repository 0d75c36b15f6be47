import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeSettings } from './describe-settings.ts';
import { choiceField, flagField, lengthField, lengthOrOff, mm, namesField, onlyWhen } from './fields.ts';

/** Rows of a schema: name and default, type, what is allowed, and the form as JSON. */
const rows = (schema: z.ZodType) =>
  describeSettings(schema, { initial: schema.parse({}), unit: 'Millimeters', labelOf: (path) => path.join(' › ') }).map(
    ({ name, initial, type, allowed, shape }) => [`${name}=${initial}`, type, allowed, shape],
  );

test('each setting has its type, default and what is allowed, in the unit of the reader', () => {
  const schema = z.strictObject({
    amount: lengthField(mm(3), { max: mm(100) }),
    limit: lengthOrOff(null, { max: mm(50) }),
    isOn: flagField(true),
    way: choiceField('A', ['A', 'B']),
    names: namesField(['*']),
    count: z.union([z.literal('Auto'), z.int().min(1).max(9)]).default('Auto'),
    text: z.string().default(''),
  });
  expect(rows(schema)).toEqual([
    ['amount=3mm', 'length', '0 – 100 mm', undefined],
    ['limit=null', 'length', '0 – 50 mm, null', undefined],
    ['isOn=true', 'yes or no', 'true, false', undefined],
    ['way=A', 'word', 'A, B', undefined],
    ['names=*', 'list of text', '', undefined],
    ['count=Auto', 'word or whole number', 'Auto, 1 – 9', undefined],
    ['text=', 'text', '', undefined],
  ]);
});

test('a value that holds objects is told as JSON', () => {
  const rule = z.strictObject({
    from: z.string(),
    action: z.enum(['Keep', 'Drop']),
    inks: z.tuple([z.number(), z.number()]).nullable(),
  });
  const schema = z.strictObject({
    rules: z.array(rule).default([]),
    sizes: z.record(z.string(), lengthField(0, { max: 9 })).default({}),
  });
  expect(rows(schema)).toEqual([
    [
      'rules=',
      'list of object',
      'from, action, inks',
      '[{"from": <text>, "action": "Keep" | "Drop", "inks": [<number>, <number>]}, …]',
    ],
    ['sizes={}', 'object', '', '{name: <length>, …}'],
  ]);
});

test('settings of a group have paths, and so do the conditions under which they count', () => {
  const inner = z.strictObject({
    way: choiceField('A', ['A', 'B']),
    more: onlyWhen({ way: 'B' }, flagField(false)),
  });
  const schema = z.strictObject({ group: inner.prefault({}) });
  const found = describeSettings(schema, {
    initial: schema.parse({}),
    unit: 'Millimeters',
    labelOf: (path) => path.join(' › '),
  });
  expect(found.map(({ name, label }) => [name, label])).toEqual([
    ['group.way', 'group › way'],
    ['group.more', 'group › more'],
  ]);
  expect(found[1]?.appliesWhen).toEqual([{ 'group.way': 'B' }]);
});
