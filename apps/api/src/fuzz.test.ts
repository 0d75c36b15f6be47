import { isNight } from '@pdf2press/config/by-day';
import { seeded } from '@pdf2press/config/seeded';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { routeTable } from './frame/bind.ts';
import { seedSamples } from './setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from './testing/lab.ts';

/** Requests for each route; half of them fit its schemas, the others are broken in one place or everywhere. */
const rounds = isNight ? 12 : 6;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Shape {
  type?: string;
  enum?: Json[];
  const?: Json;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  $ref?: string;
  $defs?: Record<string, Shape>;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  prefixItems?: Shape[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  minItems?: number;
  format?: string;
}

/** The same numbers at every run, so that a failure can be repeated. */
function createDice(seed: number) {
  const roll = seeded(seed);
  return { roll, pick: <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T };
}
const dice = createDice(20261121);

const oddTexts = [
  '',
  ' ',
  '\u0000',
  '‮evil',
  '😀'.repeat(40),
  "'; drop table sessions; --",
  '../../etc/passwd',
  '%00%2e%2e',
  '{"$ne":1}',
  'x'.repeat(5000),
  '9'.repeat(40),
  'undefined',
];
const oddValues: Json[] = [
  ...oddTexts,
  null,
  true,
  -1,
  0,
  1e308,
  9_007_199_254_740_991,
  [],
  {},
  [[[[]]]],
  { constructor: 'x' },
  ['a', null, 3],
];

/** A random value that mostly fits a JSON Schema. */
function randomOf(shape: Shape, root: Shape, depth = 0): Json {
  if (shape.$ref) {
    const named = root.$defs?.[shape.$ref.split('/').pop() ?? ''];
    return named && depth < 6 ? randomOf(named, root, depth + 1) : null;
  }
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return dice.pick(shape.enum);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return randomOf(dice.pick(choices), root, depth + 1);
  if (shape.allOf)
    return Object.assign({}, ...shape.allOf.map((part) => randomOf(part, root, depth + 1) as object)) as Json;
  const kinds: Record<string, () => Json> = {
    object: () =>
      Object.fromEntries(
        Object.entries(shape.properties ?? {})
          .filter(([name]) => shape.required?.includes(name) || dice.roll() < 0.7)
          .map(([name, inner]) => [name, depth > 8 ? null : randomOf(inner, root, depth + 1)]),
      ),
    array: () =>
      shape.prefixItems?.map((item) => randomOf(item, root, depth + 1)) ??
      Array.from({ length: Math.max(shape.minItems ?? 0, Math.floor(dice.roll() * 3)) }, () =>
        randomOf(shape.items ?? {}, root, depth + 1),
      ),
    boolean: () => dice.roll() < 0.5,
    integer: () => Math.min(Math.max(Math.floor(dice.roll() * 50), shape.minimum ?? 0), shape.maximum ?? 50),
    number: () => Math.min(Math.max(dice.roll() * 50, shape.minimum ?? 0), shape.maximum ?? 50),
    null: () => null,
    string: () =>
      shape.format === 'email'
        ? `a${Math.floor(dice.roll() * 1e6)}@example.com`
        : 'text'.padEnd(shape.minLength ?? 0, 'x'),
  };
  return kinds[shape.type ?? '']?.() ?? dice.pick(oddValues);
}

/** A copy with one value somewhere replaced by one that hardly ever fits. */
function broken(value: Json): Json {
  if (value === null || typeof value !== 'object' || dice.roll() < 0.2) return dice.pick(oddValues);
  if (Array.isArray(value))
    return value.length > 0 ? value.map((item, at) => (at === 0 ? broken(item) : item)) : [dice.pick(oddValues)];
  const [name] = Object.keys(value).sort(() => dice.roll() - 0.5);
  return name === undefined ? dice.pick(oddValues) : { ...value, [name]: broken(value[name] ?? null) };
}

function shapeOf(schema: z.ZodType | undefined): Shape | undefined {
  if (!schema) return undefined;
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown as Shape;
}

let lab: Lab;
let ana: SignedIn;
let ids: string[];
beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  const person = await lab.makeAdministrator(subscriberId, 'ana@example.com');
  ana = await lab.signIn(person);
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  ids = await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const rows = await Promise.all([
      tx.session.findMany({ select: { id: true }, take: 2 }),
      tx.workflow.findMany({ select: { id: true }, take: 2 }),
      tx.profile.findMany({ select: { id: true }, take: 2 }),
      tx.file.findMany({ select: { id: true }, take: 2 }),
    ]);
    return rows.flat().map(({ id }) => id);
  });
});
afterAll(() => lab.stop());

/** Answers with 502, for routes that connect to another machine. */
const elsewhere = new Set(['mail.connectionFailed', 'archiving.connectionFailed']);

const queryText = (query: Json): string => {
  if (query === null || typeof query !== 'object' || Array.isArray(query)) return '';
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.map((item) => [`${name}[]`, item]) : [[name, value]]).map(
      ([key, inner]) =>
        `${encodeURIComponent(String(key))}=${encodeURIComponent(inner === null ? '' : typeof inner === 'object' ? JSON.stringify(inner) : String(inner))}`,
    ),
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
};

const paramOf = (name: string): string => {
  if (name === 'page' || name === 'dpi') return dice.pick(['1', '72', '0', '-3', 'x']);
  if (name === 'version') return dice.pick(['original', 'production', 'none']);
  if (name === 'layer') return dice.pick(['rgb', 'ink-0', 'ink-999', '..']);
  if (name === 'tile') return dice.pick(['0_0.webp', '9999_9999.webp', 'x']);
  return encodeURIComponent(dice.pick([...ids, ...ids, 'ses_unknown', ...oddTexts.slice(1, 8)]));
};

/** What a client may send instead of what it should, whatever the route. */
const rawBodies: { payload: string | Buffer; type: string }[] = [
  { payload: '{"a":', type: 'application/json' },
  { payload: '[]', type: 'application/json' },
  { payload: '"text"', type: 'application/json' },
  { payload: '{"__proto__":{"x":1}}', type: 'application/json' },
  { payload: 'a=1', type: 'application/x-www-form-urlencoded' },
  { payload: '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\n', type: 'multipart/form-data; boundary=x' },
  { payload: 'nothing', type: 'multipart/form-data' },
  { payload: Buffer.alloc(64, 255), type: 'application/offset+octet-stream' },
  { payload: '<a/>', type: 'text/xml' },
];

const oddHeaders: Record<string, string>[] = [
  {},
  { range: 'bytes=5-2' },
  { 'if-none-match': '"x"' },
  { 'accept-language': 'xx;q=9, *' },
  { 'last-event-id': '-1' },
  { 'idempotency-key': 'k'.repeat(500) },
  { 'tus-resumable': '1.0.0', 'upload-length': '-5', 'upload-metadata': '!!' },
  { 'tus-resumable': '1.0.0', 'upload-offset': '1e9' },
];

const streams = new Set(['events']);

test.each(
  routeTable
    .filter((route) => !streams.has(route.wire ?? ''))
    .map((route) => [`${route.method} ${route.path}`, route] as const),
)('%s answers whatever it is sent with no fault of ours', async (_name, route) => {
  if ((await lab.call('GET', '/me', { as: ana })).statusCode === 401) ana = await lab.signIn(ana);
  const [body, query] = [shapeOf(route.body), shapeOf(route.query)];
  for (let round = 0; round < rounds; round += 1) {
    const isBroken = round % 2 === 1;
    const wish = (shape: Shape) => (isBroken ? broken(randomOf(shape, shape)) : randomOf(shape, shape));
    const url =
      route.path.replace(/:(\w+)/g, (_all, name: string) => paramOf(name)) + (query ? queryText(wish(query)) : '');
    const raw = route.method !== 'GET' && (!body || round >= (rounds * 2) / 3) ? dice.pick(rawBodies) : undefined;
    const sent = raw?.payload ?? (body ? JSON.stringify(wish(body)) : undefined);
    const answer = await lab.call(route.method, url, {
      as: ana,
      ...(sent === undefined ? {} : { body: sent }),
      headers: {
        ...dice.pick(oddHeaders),
        ...(sent === undefined ? {} : { 'content-type': raw?.type ?? 'application/json' }),
      },
    });
    const code = /"code":"([^"]+)"/.exec(answer.body)?.[1] ?? '';
    const about = `${route.method} ${url.slice(0, 300)} ${String(sent).slice(0, 500)} → ${answer.statusCode} ${answer.body.slice(0, 500)}`;
    expect(answer.statusCode < 500 || elsewhere.has(code), about).toBe(true);
    expect(answer.body, about).not.toMatch(/\n\s+at .+:\d+:\d+|node_modules/);
  }
});
