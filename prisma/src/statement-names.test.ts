import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type Transaction } from './database.ts';
import { newId } from './ids.ts';
import { openStatementNames } from './statement-names.ts';
import { startTestPostgres, type TestPostgres } from './testing.ts';

const timesOf = (name: (query: { sql: string }) => string, sql: string, times: number) =>
  Array.from({ length: times }, () => name({ sql }));

test('what comes for the third time has a name of its own, and keeps it', () => {
  const nameOf = openStatementNames();
  const [first, second, third, fourth] = timesOf(nameOf, 'select 1', 4);
  expect([first, second]).toEqual(['', '']);
  expect(third).not.toBe('');
  expect(fourth).toBe(third);
  const other = timesOf(nameOf, 'select 2', 3).at(-1);
  expect(other).not.toBe('');
  expect(other).not.toBe(third);
});

test('all columns of a table are never named, all rows counted are', () => {
  const nameOf = openStatementNames();
  for (const sql of ['select * from sessions', 'select s.* from sessions s', 'insert into a values (1) returning *'])
    expect(timesOf(nameOf, sql, 9)).toEqual(Array(9).fill(''));
  expect(timesOf(nameOf, 'select count(*) from sessions', 3).at(-1)).not.toBe('');
});

test('texts without end get no names without end', () => {
  const nameOf = openStatementNames();
  const once = Array.from({ length: 10_000 }, (_, no) => nameOf({ sql: `select ${no}` }));
  expect(once.filter(Boolean)).toEqual([]);
  const often = Array.from({ length: 1_000 }, (_, no) => timesOf(nameOf, `select -${no}`, 3).at(-1));
  expect(new Set(often.filter(Boolean)).size).toBe(300);
});

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

test('a statement that is prepared gives each subscriber its own rows, and outlives a new column', async () => {
  // One connection, so that every call meets what the calls before it prepared.
  const database = createDatabase(server.migratedUrl, { connections: 1 });
  const ids = [newId('subscriber'), newId('subscriber')];
  await database.asHost((tx) => tx.subscriber.createMany({ data: ids.map((id) => ({ id, name: id })) }));
  for (const subscriberId of ids)
    await database.withSubscriber({ subscriberId }, (tx) =>
      tx.workflow.create({ data: { id: newId('workflow'), name: subscriberId, draft: {} } }),
    );
  const read = async (tx: Transaction) =>
    (await tx.$queryRaw<{ name: string }[]>`select name from workflows order by name`).map(({ name }) => name);
  const round = async () => {
    const own = [];
    for (const subscriberId of ids) own.push(await database.withSubscriber({ subscriberId }, read));
    return { own, all: await database.asHost(read) };
  };
  const expected = { own: ids.map((id) => [id]), all: [...ids].sort() };
  for (let no = 0; no < 5; no += 1) expect(await round()).toEqual(expected);
  const plans = await database.asHost(
    (tx) => tx.$queryRaw<{ uses: number }[]>`
      select (generic_plans + custom_plans)::int as uses from pg_prepared_statements
       where statement = 'select name from workflows order by name'`,
  );
  expect(plans).toEqual([{ uses: 13 }]);
  const owner = createDatabase(server.migratedUrl, { connections: 1 });
  await owner.asHost((tx) =>
    tx.$queryRaw`select set_config('role', 'app', true)`.then(
      () => tx.$executeRaw`alter table workflows add column added text`,
    ),
  );
  expect(await round()).toEqual(expected);
  await Promise.all([owner.close(), database.close()]);
});
