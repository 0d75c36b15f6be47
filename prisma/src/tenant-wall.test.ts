import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type Database, openClient, type Transaction, transact } from './database.ts';
import { isSchemaMigrated } from './develop.ts';
import { newId } from './ids.ts';
import { deploy, status } from './migrate.ts';
import { startTestPostgres, type TestPostgres } from './testing.ts';

let server: TestPostgres;
let sql: pg.Client;
let database: Database;
const a = newId('subscriber');
const b = newId('subscriber');
const workflowOfB = newId('workflow');

beforeAll(async () => {
  server = await startTestPostgres();
  // Two processes that start together migrate once.
  await Promise.all([deploy(server.url), deploy(server.url)]);
  sql = new pg.Client(server.url);
  await sql.connect();
  database = createDatabase(server.url, { patience: 100_000 });
  await database.asHost((tx) => tx.subscriber.createMany({ data: [a, b].map((id) => ({ id, name: id })) }));
  await database.withSubscriber({ subscriberId: b }, async (tx) => {
    await tx.workflow.create({ data: { id: workflowOfB, name: 'B', draft: {} } });
  });
});

afterAll(async () => {
  await database.close();
  await sql.end();
  await server.stop();
});

test('the migrations give the schema, and a second deploy does nothing', async () => {
  expect(await isSchemaMigrated(server.url)).toBe(true);
  expect(await deploy(server.url)).toEqual([]);
  expect(await status(server.url)).toEqual({ state: 'current', pending: [], unknown: [] });
});

describe('every table', () => {
  test('forces row-level security and has its policy', async () => {
    const { rows } = await sql.query(`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
             array(select polname::text from pg_policy where polrelid = c.oid order by 1) as policies,
             exists (select 1 from pg_attribute where attrelid = c.oid and attname = 'subscriber_id') as tenant
        from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
         and c.relname <> '_prisma_migrations' order by 1`);
    expect(rows.length).toBeGreaterThan(30);
    for (const table of rows) {
      expect(table, table.name).toMatchObject({ forced: true });
      const isTenant = table.tenant || table.name === 'subscribers';
      expect(table.policies, table.name).toEqual(
        expect.arrayContaining(isTenant ? ['host', 'own_subscriber'] : ['host']),
      );
      if (!isTenant) expect(table.policies, table.name).toEqual(['host']);
    }
  });

  test('asks once for each statement, not for each row, whose rows these are', async () => {
    const perRow = async () => {
      const { rows } = await sql.query<{ name: string; rules: string; readers: string[] }>(`
        select polrelid::regclass || ' ' || polname as name,
               concat_ws(' ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as rules,
               array(select proname::text from pg_proc
                      where proname = 'current_setting' or prosrc like '%current\\_setting%') as readers
          from pg_policy order by 1`);
      return rows.flatMap(({ name, rules, readers }) => {
        const reader = `(?:${readers.join('|')})\\(\\)`;
        const once = new RegExp(`\\( SELECT \\(?${reader}(?: IS (?:NOT )?NULL\\))?(?: AS [^()]+)?\\)`, 'g');
        const rest = rules.replace(once, '');
        return readers.some((one) => rest.includes(`${one}(`)) ? [name] : [];
      });
    };
    expect(await perRow()).toEqual([]);
    await sql.query('begin');
    await sql.query('create policy slow on workflows using (subscriber_id = current_subscriber())');
    expect(await perRow()).toEqual(['workflows slow']);
    await sql.query('rollback');
  });

  test('points to tenant rows by (subscriber_id, id) only', async () => {
    const { rows } = await sql.query(`
      select conname as name, conrelid::regclass::text as "from", confrelid::regclass::text as "to",
             array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as columns
        from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
    expect(rows.length).toBeGreaterThan(40);
    for (const key of rows) expect(key.columns, `${key.from} ${key.name}`).toContain('subscriber_id');
  });
});

/** What one subscriber may try against another's row; each must show and change nothing. */
async function attack(tx: Transaction): Promise<void> {
  expect(await tx.workflow.findMany()).toEqual([]);
  expect(await tx.workflow.findFirst({ where: { id: workflowOfB } })).toBeNull();
  expect(await tx.workflow.findUnique({ where: { id: workflowOfB } })).toBeNull();
  expect(await tx.workflow.count()).toBe(0);
  expect(await tx.workflow.updateMany({ where: { id: workflowOfB }, data: { name: 'taken' } })).toEqual({ count: 0 });
  expect(await tx.workflow.deleteMany({})).toEqual({ count: 0 });
  expect((await tx.workflow.aggregate({ _count: true }))._count).toBe(0);
  expect(await tx.subscriber.findMany({ select: { id: true } })).toEqual([{ id: a }]);
}

/** Runs `work` and rolls back. */
const discarded = async (
  run: (work: (tx: Transaction) => Promise<never>) => Promise<never>,
  work: (tx: Transaction) => Promise<void>,
) => {
  class Discard extends Error {}
  await expect(
    run(async (tx) => {
      await work(tx);
      throw new Discard();
    }),
  ).rejects.toBeInstanceOf(Discard);
};

test('both halves together hold', async () => {
  await discarded((work) => database.withSubscriber({ subscriberId: a }, work), attack);
});

test('the database alone holds when the code half is off', async () => {
  const client = openClient(server.url);
  const run = <T>(work: (tx: Transaction) => Promise<T>) =>
    transact(client, { subscriberId: a }, work, { isGuarded: false });
  await discarded(run, attack);
  await expect(
    run((tx) => tx.workflow.create({ data: { id: newId('workflow'), subscriberId: b, name: 'x', draft: {} } })),
  ).rejects.toThrow(/row-level security/);
  // A reference to a row of another subscriber is refused by the composite key.
  await expect(
    run((tx) =>
      tx.workflowVersion.create({
        data: { id: newId('workflowVersion'), workflowId: workflowOfB, no: 1, definition: {}, profiles: {}, hash: '' },
      }),
    ),
  ).rejects.toThrow(/foreign key/i);
  // Without a subscriber no row is visible.
  expect(await transact(client, { subscriberId: '' }, (tx) => tx.workflow.count(), { isGuarded: false })).toBe(0);
  expect(await run((tx) => tx.$queryRaw`select count(*)::int as n from workflows`)).toEqual([{ n: 0 }]);
  await client.$disconnect();
});

test('the code alone holds when row-level security is off', async () => {
  await sql.query('create database bare');
  const url = server.url.replace(/app$/, 'bare');
  await deploy(url);
  const bare = new pg.Client(url);
  await bare.connect();
  const { rows } = await bare.query(
    `select relname from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
  );
  for (const { relname } of rows) {
    await bare.query(`alter table ${relname} no force row level security`);
    await bare.query(`alter table ${relname} disable row level security`);
  }
  const open = createDatabase(url);
  await open.asHost(async (tx) => {
    await tx.subscriber.createMany({ data: [a, b].map((id) => ({ id, name: id })) });
    await tx.workflow.create({ data: { id: workflowOfB, subscriberId: b, name: 'B', draft: {} } });
  });
  await discarded((work) => open.withSubscriber({ subscriberId: a }, work), attack);
  const asA = <T>(work: (tx: Transaction) => Promise<T>) => open.withSubscriber({ subscriberId: a }, work);
  await expect(
    asA((tx) => tx.workflow.create({ data: { id: 'x', subscriberId: b, name: 'x', draft: {} } })),
  ).rejects.toThrow(/another subscriberId/);
  await expect(asA((tx) => tx.workflow.findMany({ where: { subscriberId: b } }))).rejects.toThrow(
    /another subscriberId/,
  );
  // Control: without both mechanisms the same attack succeeds, so that the test can fail.
  const client = openClient(url);
  expect(await transact(client, { subscriberId: a }, (tx) => tx.workflow.count(), { isGuarded: false })).toBe(1);
  await client.$disconnect();
  await open.close();
  await bare.end();
});

test('what could slip past the code half is refused', async () => {
  const asA = <T>(work: (tx: Transaction) => Promise<T>) => database.withSubscriber({ subscriberId: a }, work);
  const unknown = undefined as unknown as string;
  await expect(asA((tx) => tx.user.findFirst({ where: { email: unknown } }))).rejects.toThrow(
    'undefined in where.email',
  );
  await expect(asA((tx) => tx.user.findMany({ where: { OR: [{ email: { in: [unknown] } }] } }))).rejects.toThrow(
    /undefined/,
  );
  await expect(
    asA((tx) =>
      tx.user.create({
        data: { id: 'x', userName: 'x', email: 'x@x', createdApiKeys: { connect: { id: 'x' } } } as never,
      }),
    ),
  ).rejects.toThrow(/connect in/);
  await expect(
    asA(async (tx) => (tx as unknown as { $queryRawUnsafe(s: string): unknown }).$queryRawUnsafe('select 1')),
  ).rejects.toThrow(/not open/);
});

test('a throw rolls everything back', async () => {
  const id = newId('workflow');
  await expect(
    database.withSubscriber({ subscriberId: a }, async (tx) => {
      await tx.workflow.create({ data: { id, name: 'gone', draft: {} } });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await database.withSubscriber({ subscriberId: a }, (tx) => tx.workflow.count())).toBe(0);
});

test('many transactions of both subscribers at once never mix', async () => {
  const counts = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      database.withSubscriber({ subscriberId: index % 3 === 0 ? b : a }, (tx) => tx.workflow.count()),
    ),
  );
  expect(counts).toEqual(counts.map((_, index) => (index % 3 === 0 ? 1 : 0)));
});

test('a person of some organizations sees only their sessions', async () => {
  const organizations = [newId('organization'), newId('organization')] as const;
  const workflowId = newId('workflow');
  const workflowVersionId = newId('workflowVersion');
  await database.withSubscriber({ subscriberId: a }, async (tx) => {
    await tx.organization.createMany({ data: organizations.map((id) => ({ id, name: id })) });
    await tx.workflow.create({ data: { id: workflowId, name: 'W', draft: {} } });
    await tx.workflowVersion.create({
      data: { id: workflowVersionId, workflowId, no: 1, definition: {}, profiles: {}, hash: '' },
    });
    for (const organizationId of [...organizations, null]) {
      const id = newId('session');
      await tx.session.create({
        data: {
          id,
          publicId: id,
          workflowId,
          workflowVersionId,
          organizationId,
          source: 'ManualInjected',
          fileName: 'a.pdf',
        },
      });
      await tx.stepRun.create({ data: { id: newId('stepRun'), sessionId: id, runNo: 1, nodeId: 'n', kind: 'Inject' } });
    }
  });
  const count = (organizationIds?: string[]) =>
    database.withSubscriber({ subscriberId: a, ...(organizationIds ? { organizationIds } : {}) }, async (tx) => [
      await tx.session.count(),
      await tx.stepRun.count(),
    ]);
  expect(await count()).toEqual([3, 3]);
  expect(await count([organizations[0]])).toEqual([1, 1]);
  expect(await count([...organizations])).toEqual([2, 2]);
  expect(await count([])).toEqual([0, 0]);
});

test('a person of some organizations sees and changes what is made for these and for the house, and runs what they ran', async () => {
  const [mine, theirs] = [newId('organization'), newId('organization')];
  const made = { house: null, mine, theirs, ran: theirs };
  const names = Object.keys(made) as (keyof typeof made)[];
  const idOf = (kind: string, name: string) => `${kind}_made_${name}`;
  await database.withSubscriber({ subscriberId: a }, async (tx) => {
    await tx.organization.createMany({ data: [mine, theirs].map((id) => ({ id, name: id })) });
    for (const name of names) {
      const [workflowId, profileId] = [idOf('wfl', name), idOf('prf', name)];
      const of = { name: `made ${name}`, organizationId: made[name] };
      await tx.workflow.create({ data: { id: workflowId, draft: {}, ...of } });
      await tx.workflowVersion.create({
        data: { id: idOf('wfv', name), workflowId, no: 1, definition: {}, profiles: {}, hash: '' },
      });
      await tx.profile.create({ data: { id: profileId, kind: 'fix', ...of } });
      await tx.profileVersion.create({ data: { id: idOf('prv', name), profileId, no: 1, settings: {} } });
    }
    const session = { source: 'ManualInjected', fileName: 'a.pdf', organizationId: mine } as const;
    const ran = { workflowId: idOf('wfl', 'ran'), workflowVersionId: idOf('wfv', 'ran') };
    await tx.session.create({ data: { id: 'ses_made', publicId: 'ses_made', ...ran, ...session } });
  });
  const asMember = <T>(work: (tx: Transaction) => Promise<T>) =>
    database.withSubscriber({ subscriberId: a, organizationIds: [mine] }, work);
  const where = { id: { contains: '_made_' } };
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id.slice(id.lastIndexOf('_') + 1)).sort();
  const seen = await asMember(async (tx) => [
    ids(await tx.workflow.findMany({ where })),
    ids(await tx.workflowVersion.findMany({ where })),
    ids(await tx.profile.findMany({ where })),
    ids(await tx.profileVersion.findMany({ where })),
  ]);
  expect(seen).toEqual([
    ['house', 'mine', 'ran'],
    ['house', 'mine', 'ran'],
    ['house', 'mine'],
    ['house', 'mine'],
  ]);
  const change = { where, data: { description: 'changed' } };
  expect(
    await asMember(async (tx) => [await tx.workflow.updateMany(change), await tx.profile.updateMany(change)]),
  ).toEqual([{ count: 2 }, { count: 2 }]);
  expect(await asMember((tx) => tx.profileVersion.deleteMany({ where }))).toEqual({ count: 2 });
  for (const organizationId of [null, theirs]) {
    const row = { name: 'x', organizationId };
    await expect(
      asMember((tx) => tx.workflow.create({ data: { id: newId('workflow'), draft: {}, ...row } })),
    ).rejects.toThrow(/row-level security/);
    await expect(
      asMember((tx) => tx.profile.create({ data: { id: newId('profile'), kind: 'fix', ...row } })),
    ).rejects.toThrow(/row-level security/);
    if (organizationId)
      await expect(
        asMember((tx) => tx.profile.updateMany({ where: { id: idOf('prf', 'mine') }, data: { organizationId } })),
      ).rejects.toThrow(/row-level security/);
  }
});

test('the index of words finds sessions of the company that asks, and of no other', async () => {
  const make = async (subscriberId: string, fileName: string) => {
    const workflowId = newId('workflow');
    const version = newId('workflowVersion');
    const id = newId('session');
    await database.withSubscriber({ subscriberId }, async (tx) => {
      await tx.workflow.create({ data: { id: workflowId, name: 'W', draft: {} } });
      await tx.workflowVersion.create({
        data: { id: version, workflowId, no: 1, definition: {}, profiles: {}, hash: '' },
      });
      await tx.session.create({
        data: {
          ...{ id, publicId: id, workflowId, workflowVersionId: version, source: 'ManualInjected', sourceName: 'x' },
          ...{ fileName, status: 'Completed', createdBy: {} },
        },
      });
    });
    return id;
  };
  const [ofA, ofB] = [await make(a, 'needle-a.pdf'), await make(b, 'needle-b.pdf')];
  const found = (subscriberId: string, words: string) =>
    database.withSubscriber({ subscriberId }, async (tx) => {
      const [row] = await tx.$queryRaw<{ ids: string[] }[]>`select found_sessions(${words}, 10) as ids`;
      return row?.ids;
    });
  expect(await found(a, 'NEEDLE')).toEqual([ofA]);
  expect(await found(b, 'needle')).toEqual([ofB]);
  expect(await found(a, ofA.slice(0, -4))).toEqual([ofA]);
  expect(await found(a, ofB)).toEqual([]);
  // Nobody's.
  await sql.query('begin');
  await sql.query('set local role pdf2press_app');
  expect((await sql.query(`select found_sessions('needle', 10) as ids`)).rows).toEqual([{ ids: [] }]);
  await sql.query('rollback');
});

test('the audit chain shows a changed and a missing row', async () => {
  const act = (name: string) =>
    database.withSubscriber({ subscriberId: a }, (tx) =>
      tx.auditEntry.create({ data: { actor: { kind: 'system' }, act: name, object: 'x' } }),
    );
  await Promise.all(['one', 'two', 'three', 'four'].map(act));
  const breaks = async () => (await sql.query('select no from audit_breaks order by no')).rows.map((row) => row.no);
  expect(await breaks()).toEqual([]);
  await expect(
    database.withSubscriber({ subscriberId: a }, (tx) => tx.auditEntry.updateMany({ data: { act: 'other' } })),
  ).rejects.toThrow(/permission denied/);
  await sql.query(`update audit_entries set act = 'other' where no = 2`);
  expect(await breaks()).toEqual([2]);
  await sql.query('delete from audit_entries where no = 2');
  expect(await breaks()).toEqual([3]);
});
