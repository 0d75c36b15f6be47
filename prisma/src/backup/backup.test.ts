import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../database.ts';
import { isSchemaMigrated } from '../develop.ts';
import { newId } from '../ids.ts';
import { deploy, status } from '../migrate.ts';
import { startTestPostgres, type TestPostgres } from '../testing.ts';
import { type Dump, dumpDatabase, loadDatabase, readStored } from './backup.ts';

let source: TestPostgres;
/** Another cluster, as a new machine is: it has no roles. */
let target: TestPostgres;
let sql: pg.Client;
const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-backup-'));
const a = newId('subscriber');
const b = newId('subscriber');

const open = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(url);
  await client.connect();
  return client;
};

/** A value for a column that the test does not name: equal texts, so that every foreign key finds its row. */
const someValue = (type: string, enums: ReadonlyMap<string, string>): string => {
  if (enums.has(type)) return `'${enums.get(type)}'::${type}`;
  if (type.endsWith('[]')) return `'{}'::${type}`;
  if (type === 'jsonb') return `'{"text": "tab\\t \\\\ line\\n € 𝄞", "number": 0.1}'::jsonb`;
  if (type === 'bytea') return `'\\x0009005c0aff'::bytea`;
  if (type === 'boolean') return 'true';
  if (type.startsWith('timestamp')) return `'2026-02-28 23:59:59.123456+00'::${type}`;
  if (type === 'double precision') return '0.1::float8 + 0.2::float8';
  if (type === 'date') return `'2026-02-28'::date`;
  if (type === 'xid8') return `'999999999'::xid8`;
  if (/^(smallint|integer|bigint|numeric|real)/.test(type)) return '7777';
  return `'a'::${type}`;
};

/** A row of odd values in every table, whatever tables there are. */
async function fillEveryTable(): Promise<number> {
  const { rows: labels } = await sql.query<{ type: string; label: string }>(
    `select format_type(enumtypid, null) as type, min(enumlabel::text) as label from pg_enum group by 1`,
  );
  const enums = new Map(labels.map(({ type, label }) => [type, label]));
  const { rows: tables } = await sql.query<{ name: string; columns: string[]; types: string[] }>(`
    select relname::text as name, array_agg(quote_ident(attname) order by attnum) as columns,
           array_agg(format_type(atttypid, null) order by attnum) as types
      from pg_class c join pg_attribute on attrelid = c.oid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
       and attgenerated = '' and relname <> '_prisma_migrations' group by 1 order by 1`);
  await sql.query('begin');
  await sql.query('set local session_replication_role = replica');
  for (const { name, columns, types } of tables)
    await sql.query(`insert into ${name} (${columns}) values (${types.map((type) => someValue(type, enums))})`);
  await sql.query('commit');
  return tables.length;
}

/** Every row of every table as text without the numbers of transactions, and every sequence. */
async function contents(client: pg.Client): Promise<Record<string, string[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  expect(tables.length).toBeGreaterThan(40);
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await client.query(`select (to_jsonb(t) - 'transaction')::text as row from ${name} t order by 1`);
    all[name] = rows.map(({ row }) => row);
  }
  const { rows } = await client.query(
    `select sequencename || ' ' || coalesce(last_value::text, '-') as row from pg_sequences order by 1`,
  );
  all.sequences = rows.map(({ row }) => row);
  return all;
}

/** Everything about tables that the schema does not hold: walls, policies, triggers, keys and rights. */
const furniture = async (client: pg.Client): Promise<unknown[]> =>
  (
    await client.query(`
      select array[relname::text, relrowsecurity::text, relforcerowsecurity::text, relacl::text] as fact
        from pg_class where relnamespace = 'public'::regnamespace
      union all select array[tablename, policyname, permissive, roles::text, cmd, qual, with_check] from pg_policies
      union all select array[tgrelid::regclass::text, pg_get_triggerdef(oid), tgenabled::text]
                  from pg_trigger where not tgisinternal
      union all select array[conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated::text]
                  from pg_constraint where connamespace = 'public'::regnamespace
      order by 1`)
  ).rows;

beforeAll(async () => {
  [source, target] = await Promise.all([startTestPostgres(), startTestPostgres()]);
  await deploy(source.url);
  sql = await open(source.url);
  const database = createDatabase(source.url);
  await database.asHost((tx) => tx.subscriber.createMany({ data: [a, b].map((id) => ({ id, name: id })) }));
  for (const subscriberId of [a, b])
    await database.withSubscriber({ subscriberId }, async (tx) => {
      await tx.workflow.create({ data: { id: newId('workflow'), name: `of ${subscriberId}`, draft: {} } });
      for (const act of ['one', 'two', 'three'])
        await tx.auditEntry.create({ data: { actor: { kind: 'system' }, act, object: 'house' } });
    });
  await database.close();
}, 120_000);

afterAll(async () => {
  await sql.end();
  await Promise.all([source.stop(), target.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** A dump of the source in a folder of its own. */
async function dump(name: string): Promise<{ at: string; dumped: Dump }> {
  const at = path.join(folder, name);
  mkdirSync(at);
  return { at, dumped: await dumpDatabase(source.url, at) };
}

/** Runs work on an empty database of the target's cluster. */
async function inEmptyDatabase<T>(name: string, work: (url: string) => Promise<T>): Promise<T> {
  const admin = await open(target.url);
  await admin.query(`create database ${name}`);
  await admin.end();
  return work(target.url.replace(/app$/, name));
}

test('every table comes back row by row on a new cluster, with walls, triggers, keys and rights as they were', async () => {
  expect(await fillEveryTable()).toBeGreaterThan(40);
  const { at, dumped } = await dump('whole');
  const before = await contents(sql);
  expect(dumped.tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['sessions', 'blobs', '_prisma_migrations']),
  );
  expect(dumped.tables.every(({ rows }) => rows > 0)).toBe(true);

  await loadDatabase(target.url, at, dumped);

  const restored = await open(target.url);
  expect(await contents(restored)).toEqual(before);
  expect(await furniture(restored)).toEqual(await furniture(sql));
  expect(await isSchemaMigrated(target.url)).toBe(true);
  expect(await status(target.url)).toEqual({ state: 'current', pending: [], unknown: [] });
  expect(await deploy(target.url)).toEqual([]);
  // Readers of events wait for older transactions: on this cluster no number as high has been given yet.
  const { rows: unread } = await restored.query(
    'select 1 from session_events where transaction >= pg_snapshot_xmin(pg_current_snapshot())',
  );
  expect(unread).toEqual([]);
  // The chain of the odd row is broken in both, those of the real ones are whole and go on.
  for (const one of [sql, restored]) {
    const { rows } = await one.query('select distinct subscriber_id from audit_breaks');
    expect(rows).toEqual([{ subscriber_id: 'a' }]);
  }
  const database = createDatabase(target.url);
  await database.withSubscriber({ subscriberId: a }, async (tx) => {
    expect(await tx.workflow.findMany({ select: { name: true } })).toEqual([{ name: `of ${a}` }]);
    expect(await tx.$queryRaw`select name from workflows`).toEqual([{ name: `of ${a}` }]);
    await tx.auditEntry.create({ data: { actor: {}, act: 'four', object: 'house' } });
  });
  await database.close();
  const { rows } = await restored.query('select no::int from audit_entries where subscriber_id = $1 order by no', [a]);
  expect(rows.map(({ no }) => no)).toEqual([1, 2, 3, 4]);
  await restored.end();
});

test('a dump shows one moment, although rows go on being written in several tables', async () => {
  let isOver = false;
  let written = 0;
  const writing = (async () => {
    const writer = await open(source.url);
    while (!isOver) {
      // One transaction: a moment shows both rows or none.
      await writer.query('begin');
      await writer.query(`insert into subscribers (id, name) values ($1, 'pair')`, [`pair-${written}`]);
      await writer.query(`insert into host_facts (key, value) values ($1, '{}')`, [`pair-${written}`]);
      await writer.query('commit');
      written += 1;
    }
    await writer.end();
  })();
  await expect.poll(() => written).toBeGreaterThan(20);
  const { at, dumped } = await dump('moving');
  const during = written;
  isOver = true;
  await writing;
  await inEmptyDatabase('moving', async (url) => {
    await loadDatabase(url, at, dumped);
    const restored = await open(url);
    const { rows } = await restored.query(`
      select (select array_agg(id order by id) from subscribers where id like 'pair-%') as one,
             (select array_agg(key order by key) from host_facts where key like 'pair-%') as other`);
    expect(rows[0].one).toEqual(rows[0].other);
    expect(rows[0].one.length).toBeGreaterThan(20);
    expect(rows[0].one.length).toBeLessThanOrEqual(during + 1);
    await restored.end();
  });
});

test('an owner that is no superuser backs up and restores everything as well', async () => {
  const admin = await open(source.url);
  await admin.query('create role house login createrole');
  await admin.query('create database house owner house');
  await admin.query('grant pdf2press_app, pdf2press_host to house with admin option');
  await admin.end();
  const url = source.url.replace('app@', 'house@').replace(/app$/, 'house');
  await deploy(url);
  const database = createDatabase(url);
  await database.asHost((tx) => tx.subscriber.create({ data: { id: a, name: 'A' } }));
  await database.withSubscriber({ subscriberId: a }, (tx) =>
    tx.workflow.create({ data: { id: newId('workflow'), name: 'W', draft: {} } }),
  );
  await database.close();
  const at = path.join(folder, 'house');
  mkdirSync(at);
  const dumped = await dumpDatabase(url, at);
  expect(dumped.tables.find(({ name }) => name === 'workflows')?.rows).toBe(1);
  const again = await open(source.url);
  await again.query('create database house_again owner house');
  await again.end();
  const to = url.replace(/house$/, 'house_again');
  await loadDatabase(to, at, dumped);
  const [one, other] = [
    await open(source.url.replace(/app$/, 'house')),
    await open(source.url.replace(/app$/, 'house_again')),
  ];
  expect(await contents(other)).toEqual(await contents(one));
  await Promise.all([one.end(), other.end()]);
});

describe('refused, leaving the database empty:', () => {
  const refusals: Record<string, { spoil: (dumped: Dump, at: string) => void; says: RegExp }> = {
    'a dump of a newer release': {
      spoil: ({ migrations }) => migrations.push({ name: '29990101000000_later', checksum: '' }),
      says: /newer release of pdf2press \(29990101000000_later\)/,
    },
    'another migration of the same name': {
      spoil: ({ migrations: [first] }) => Object.assign(first ?? {}, { checksum: '0'.repeat(64) }),
      says: /not the one that the backup was made with/,
    },
    'a table with fewer rows than were written': {
      spoil: ({ tables }) => Object.assign(tables.find(({ name }) => name === 'workflows') ?? {}, { rows: 99 }),
      says: /database\/workflows.gz gave \d rows and should give 99/,
    },
    'a row whose subscriber is missing': {
      spoil: (dumped, at) => {
        const table = dumped.tables.find(({ name }) => name === 'subscribers');
        writeFileSync(path.join(at, 'database/subscribers.gz'), gzipSync(''));
        Object.assign(table ?? {}, { rows: 0 });
      },
      says: /violates foreign key constraint/,
    },
    'an audit row that was changed in the dump': {
      spoil: (_, at) => {
        const file = path.join(at, 'database/audit_entries.gz');
        writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).toString().replace('\tthree\t', '\tthird\t')));
      },
      says: /audit_breaks has \d+ rows/,
    },
  };
  test.each(Object.entries(refusals))('%s', async (what, { spoil, says }) => {
    const name = `r${Object.keys(refusals).indexOf(what)}`;
    const { at, dumped } = await dump(name);
    spoil(dumped, at);
    await inEmptyDatabase(name, async (url) => {
      await expect(loadDatabase(url, at, dumped)).rejects.toThrow(says);
      const client = await open(url);
      const { rows } = await client.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`);
      expect(rows).toEqual([]);
      await client.end();
    });
  });

  test('a database that holds something', async () => {
    const { at, dumped } = await dump('again');
    await expect(loadDatabase(target.url, at, dumped)).rejects.toThrow(/The database is not empty/);
  });
});

test('an empty database has nothing to back up', async () => {
  await inEmptyDatabase('nothing', (url) => expect(dumpDatabase(url, folder)).rejects.toThrow(/nothing to back up/));
});

test('the list of stored bytes names those that rows expect in the store', async () => {
  await sql.query(`insert into blobs (subscriber_id, sha256, size) values ($1, $2, 12)`, [b, 'c'.repeat(64)]);
  await sql.query(`insert into blobs (subscriber_id, sha256, size, removed_at) values ($1, $2, 12, now())`, [
    b,
    'd'.repeat(64),
  ]);
  const { at, dumped } = await dump('stored');
  const list = [];
  for await (const one of readStored(at, dumped)) list.push(one);
  expect(list).toEqual([{ subscriberId: b, sha256: 'c'.repeat(64), size: 12 }]);
});
