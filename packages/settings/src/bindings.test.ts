import { expect, test } from 'vitest';
import { z } from 'zod';
import { bindParts, bindSettings, expressionSchema, hasSetting } from './bindings.ts';
import { lengthField, lengthOrOff, mm } from './fields.ts';

const schema = z.strictObject({
  name: z.string().default(''),
  isOn: z.boolean().default(false),
  size: z
    .strictObject({ width: lengthField(mm(5), { max: mm(100) }), height: lengthOrOff(null, { max: mm(100) }) })
    .prefault({}),
});
const stored = { name: 'a', isOn: false, size: { width: 10, height: null } };
const bind = (bindings: Record<string, string>, variables = {}) =>
  bindSettings({ settings: stored, bindings, schema, variables, unit: 'Millimeters' });

test('values of any type are put at the end of their path, and what was given stays as it is', () => {
  const bound = bind(
    { 'size.width': 'w + 1', 'size.height': 'h', name: 'n', isOn: 'on' },
    { w: 4, h: '2cm', n: 'b', on: true },
  );
  expect(bound).toEqual({
    name: 'b',
    isOn: true,
    size: { width: expect.closeTo(mm(5)), height: expect.closeTo(mm(20)) },
  });
  expect(stored.size.width).toBe(10);
});

test('what has no value or no such setting changes nothing', () => {
  expect(bind({ 'size.width': 'w', nothing: 'n', '__proto__.polluted': 'n', constructor: 'n' }, { n: 1 })).toEqual(
    stored,
  );
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(hasSetting(schema, 'size.width')).toBe(true);
  for (const path of ['size.depth', '__proto__', 'constructor', 'size.width.x'])
    expect(hasSetting(schema, path)).toBe(false);
});

test('an empty text is no value', () => {
  expect(bind({ name: 'n', 'size.width': 'n' }, { n: '' })).toEqual(stored);
});

test('parts are bound by their key', () => {
  const parts = [
    { key: 'A', settings: stored },
    { key: 'B', settings: stored },
  ];
  const bound = bindParts({
    parts,
    bindings: { 'A.size.width': 'w', 'C.name': 'w' },
    schemaOf: () => schema,
    variables: { w: 3 },
    unit: 'Millimeters',
  });
  expect(bound[0]?.settings.size.width).toBeCloseTo(mm(3));
  expect(bound[1]).toBe(parts[1]);
});

test('an expression that can never be computed is refused', () => {
  expect(expressionSchema.safeParse('2 * w + 1mm').success).toBe(true);
  expect(expressionSchema.safeParse(' ').error?.issues).toHaveLength(1);
  for (const wrong of ['2 *', 'a b', '(', '{{w}}']) expect(expressionSchema.safeParse(wrong).success).toBe(false);
});
