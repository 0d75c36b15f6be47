import { expect, test } from 'vitest';
import { z } from 'zod';
import { shapeOf } from './settings-shape.ts';

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
  expect(field('note')).toMatchObject({ kind: 'text', isLong: true, isOptional: true });
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
