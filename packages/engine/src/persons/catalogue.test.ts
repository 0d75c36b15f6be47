import { readdirSync, readFileSync } from 'node:fs';
import { personKinds } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { nobody } from './nobody.ts';

const schema = new URL('../../../../prisma/schema/', import.meta.url);
const texts = readdirSync(schema).map((name) => readFileSync(new URL(name, schema), 'utf8'));

interface Column {
  model: string;
  field: string;
  table: string;
  column: string;
}

/** Ids and hashes tell nothing by themselves. */
const isOpaque = (field: string) => /^id$|Ids?$|sha256$|hash$/i.test(field);

/** Every column that holds text or JSON, as the schema writes it. */
const columns: readonly Column[] = texts.flatMap((text) =>
  [...text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].flatMap(([, model = '', body = '']) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
    return [...body.matchAll(/^ {2}(\w+) +(?:String|Json)(?:\[\]|\?)?(?= |$)(.*)$/gm)]
      .filter(([, field = '']) => !isOpaque(field))
      .map(([, field = '', rest = '']) => ({
        ...{ model, field, table },
        column: /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field,
      }));
  }),
);

const holdings = Object.values(catalogue);
const named = [...holdings.flatMap(({ carries = [] }) => carries), ...Object.values(nobody).flat()];
const shown = new Set(holdings.flatMap(({ table, shows }) => shows.map((column) => `${table}.${column}`)));

const isKnown = ({ model, field, table, column }: Column) =>
  shown.has(`${table}.${column}`) || named.includes(model) || named.includes(`${model}.${field}`);

test('a column that could hold an address or a name is exported, goes with its row, or is said to hold nobody', () => {
  expect(columns.length).toBeGreaterThan(150);
  expect(columns.filter((each) => !isKnown(each)).map(({ model, field }) => `${model}.${field}`)).toEqual([]);
  const added = { model: 'Session', field: 'customer', table: 'sessions', column: 'customer' };
  expect(isKnown(added), 'a new column would be missed').toBe(false);
});

test('what is named is in the schema, and nothing is both shown and said to hold nobody', () => {
  const models = new Set(columns.map(({ model }) => model));
  const fields = new Set(columns.map(({ model, field }) => `${model}.${field}`));
  expect(named.filter((name) => !models.has(name) && !fields.has(name))).toEqual([]);
  const silent = new Set(Object.values(nobody).flat());
  const both = columns.filter(
    ({ model, field, table, column }) =>
      shown.has(`${table}.${column}`) && (silent.has(model) || silent.has(`${model}.${field}`)),
  );
  expect(both).toEqual([]);
});

test('every kind of the contract is in the catalogue, but the messages that lie on disk', () => {
  expect(Object.keys(catalogue).sort()).toEqual(personKinds.filter((kind) => kind !== 'keptMessages').sort());
});

test('no secret, hash or key is exported', () => {
  for (const { table, shows } of holdings)
    expect(
      shows.filter((name) => /hash|secret|ciphertext|public_key|credential/.test(name)),
      table,
    ).toEqual([]);
});
