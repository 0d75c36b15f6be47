import { expect, test } from 'vitest';
import { z } from 'zod';
import { shapeOf, withoutAddedLists, withoutRuledOut } from './settings-shape.ts';

const length = z.number().min(0).max(100).default(8.5).meta({ unit: 'length' });

test('a settings schema gives fields with units, ranges and defaults', () => {
  const schema = z.strictObject({
    margin: length,
    limit: z.number().int().min(1).max(9).nullable().default(null).meta({ unit: 'ppi' }),
    isOn: z.boolean().default(true),
    mode: z.enum(['A', 'B']).default('B'),
    names: z.array(z.string().min(1)).default(['*']),
    kinds: z.array(z.enum(['x', 'y'])).default([]),
    note: z.string().max(500).nullable().default(null),
    inner: z.strictObject({ width: length }).prefault({}),
    sizes: z
      .array(z.strictObject({ name: z.string().default(''), width: z.number() }))
      .default([])
      .meta({ unit: 'length' }),
    texts: z.record(z.string(), z.string()).default({}),
  });
  const shape = shapeOf(schema);
  const field = (name: string) =>
    shape.kind === 'group' ? shape.fields.find(([key]) => key === name)?.[1] : undefined;
  expect(field('margin')).toEqual({
    kind: 'number',
    unit: 'length',
    min: 0,
    max: 100,
    isInteger: false,
    isOptional: false,
    offValue: null,
    initial: 8.5,
  });
  expect(field('limit')).toMatchObject({ kind: 'number', unit: 'ppi', min: 1, isInteger: true, isOptional: true });
  expect(field('isOn')).toEqual({ kind: 'flag', initial: true });
  expect(field('mode')).toMatchObject({ kind: 'choice', options: ['A', 'B'], initial: 'B' });
  expect(field('names')).toEqual({ kind: 'names', initial: ['*'] });
  expect(field('kinds')).toMatchObject({ kind: 'several', options: ['x', 'y'] });
  expect(field('note')).toMatchObject({ kind: 'text', lines: 2, isOptional: true });
  expect(field('inner')).toMatchObject({ kind: 'group' });
  expect(field('sizes')).toMatchObject({
    kind: 'rows',
    row: {
      fields: [
        ['name', { kind: 'text' }],
        ['width', { kind: 'number', unit: 'length' }],
      ],
    },
  });
  expect(field('texts')).toEqual({ kind: 'unknown' });
});

test('a field knows with which values it applies, however its type is wrapped', () => {
  const appliesWhen = { mode: 'B' };
  const shape = shapeOf(
    z.strictObject({
      mode: z.enum(['A', 'B']).default('B'),
      margin: length.meta({ appliesWhen }),
      limit: z.number().nullable().default(null).meta({ appliesWhen }),
      inner: z.strictObject({ width: length }).prefault({}).meta({ appliesWhen }),
      rows: z.array(z.strictObject({ width: length.meta({ appliesWhen }) })).default([]),
    }),
  );
  const fields = new Map(shape.kind === 'group' ? shape.fields : []);
  expect(fields.get('mode')).not.toHaveProperty('appliesWhen');
  for (const name of ['margin', 'limit', 'inner'])
    expect([name, fields.get(name)]).toMatchObject([name, { appliesWhen }]);
  expect(fields.get('margin')).toMatchObject({ kind: 'number', unit: 'length' });
  expect(fields.get('rows')).toMatchObject({ row: { fields: [['width', { appliesWhen }]] } });
});

test('values with an editor of their own, texts with placeholders and lists whose order counts are told by their schema', () => {
  const shape = shapeOf(
    z.object({
      when: z
        .preprocess((value) => value, z.object({ match: z.string() }))
        .meta({ editor: 'ruleGroup' })
        .default({ match: 'all' }),
      profileId: z.string().min(1).meta({ editor: 'reference', of: 'communication' }),
      text: z.string().max(50).default('').meta({ placeholders: 'session' }),
      rows: z
        .array(z.object({ name: z.string().default('') }))
        .default([])
        .meta({ isOrdered: true }),
    }),
  );
  const fields = new Map(shape.kind === 'group' ? shape.fields : []);
  expect(fields.get('when')).toMatchObject({ kind: 'custom', editor: 'ruleGroup', of: null });
  expect(fields.get('profileId')).toMatchObject({ editor: 'reference', of: 'communication' });
  expect(fields.get('text')).toMatchObject({ kind: 'text', placeholders: 'session' });
  expect(fields.get('rows')).toMatchObject({ kind: 'rows', isOrdered: true });
});

test('one of several groups is a word that decides about the others; what it rules out is kept by the form only', () => {
  const base = { name: z.string().default('') };
  const schema = z.object({
    rules: z.array(
      z.discriminatedUnion('action', [
        z.strictObject({ ...base, action: z.literal('go') }),
        z.strictObject({ ...base, action: z.literal('end'), reason: z.string().default('') }),
      ]),
    ),
  });
  const shape = shapeOf(schema);
  const rules = shape.kind === 'group' ? shape.fields[0]?.[1] : undefined;
  expect(rules).toMatchObject({
    kind: 'rows',
    row: {
      decidedBy: 'action',
      fields: [
        ['name', { kind: 'text' }],
        ['action', { kind: 'choice', options: ['go', 'end'] }],
        ['reason', { kind: 'text', appliesWhen: { action: 'end' } }],
      ],
    },
  });
  const value = {
    rules: [
      { name: 'a', action: 'go', reason: 'x' },
      { name: 'b', action: 'end', reason: 'y' },
    ],
  };
  const kept = withoutRuledOut(shape, value);
  expect(kept).toEqual({ rules: [{ name: 'a', action: 'go' }, value.rules[1]] });
  expect(schema.safeParse(kept).success).toBe(true);
});

test('an empty list of rows is left out where there was none, and kept where rows were removed', () => {
  const rows = z.array(z.strictObject({ name: z.string() })).default([]);
  const choice = z.array(z.enum(['x', 'y'])).default(['x']);
  const shape = shapeOf(z.strictObject({ rows, choice, inner: z.strictObject({ rows }).prefault({}) }));
  const value = { rows: [], choice: [], inner: { rows: [] } };
  expect(withoutAddedLists(shape, value, {})).toEqual({ choice: [], inner: {} });
  expect(withoutAddedLists(shape, value, { rows: [{ name: 'a' }], inner: { rows: [] } })).toEqual(value);
});
