import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyByEngine, diagnose, isSchemaMigrated } from './develop.ts';
import { deploy, MigrationError, status } from './migrate.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { migratedDatabase, startTestPostgres, type TestPostgres } from './testing.ts';

const migrations = readMigrations();
const names = migrations.map(({ name }) => name);
const sound = { editedMigrationNames: [], failedMigrationNames: [], history: null };

let server: TestPostgres;
let admin: pg.Client;

beforeAll(async () => {
  server = await startTestPostgres();
  admin = new pg.Client(server.url);
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await server.stop();
});

let count = 0;
async function emptyDatabase(template = 'template1'): Promise<string> {
  count += 1;
  await admin.query(`create database database_${count} template ${template} strategy file_copy`);
  return server.url.replace(/app$/, `database_${count}`);
}

/** With what `deploy` makes of an empty database: a copy, because all migrations take seconds. */
const deployedDatabase = () => emptyDatabase(migratedDatabase);

async function ask<T extends object = Record<string, unknown>>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Everything that migrations create, from the catalogs of Postgres: one line per object, without internal numbers. */
const schemaOf = (url: string) =>
  ask(
    url,
    `select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
       from information_schema.columns where table_schema = 'public'
     union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
       from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
     union all select 'policy ' || tablename || ' ' || policyname || ' ' || coalesce(qual, '') || ' ' || coalesce(with_check, '')
       from pg_policies where schemaname = 'public'
     union all select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
     union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     order by 1`,
  );

const historyOf = (url: string) =>
  ask(
    url,
    `select migration_name, checksum, logs, rolled_back_at, applied_steps_count, finished_at >= started_at as "isFinished"
       from _prisma_migrations order by migration_name`,
  );

const broken: Migration = {
  name: '29990101000000_broken',
  sql: 'create table half_made (id text);\n\ninsert into nowhere values (1);\n',
};

describe('a fresh database', () => {
  test('gets every migration, and a second run does nothing', async () => {
    const url = await emptyDatabase();
    expect(await status(url)).toEqual({ state: 'behind', pending: names, unknown: [] });
    expect(await deploy(url)).toEqual(names);
    expect(await deploy(url)).toEqual([]);
    expect(await status(url)).toEqual({ state: 'current', pending: [], unknown: [] });
    expect(await isSchemaMigrated(url)).toBe(true);
  });

  test('is migrated once when several processes start together', async () => {
    const url = await emptyDatabase();
    const applied = await Promise.all([deploy(url), deploy(url), deploy(url)]);
    expect(applied.filter((each) => each.length > 0)).toEqual([names]);
    expect(await ask(url, 'select migration_name from _prisma_migrations')).toHaveLength(names.length);
  });

  test('is as Prisma’s own engine makes it, history included', async () => {
    const [ours, theirs] = [await emptyDatabase(), await emptyDatabase()];
    await deploy(ours);
    expect(await applyByEngine(theirs, migrations)).toEqual(names);
    expect(await schemaOf(ours)).toEqual(await schemaOf(theirs));
    expect(await historyOf(ours)).toEqual(await historyOf(theirs));
    expect(await diagnose(ours)).toMatchObject(sound);
    expect(await applyByEngine(ours, migrations)).toEqual([]);
  });

  test('that another program uses is refused untouched', async () => {
    const url = await emptyDatabase();
    await ask(url, 'create table invoices (id text)');
    await expect(deploy(url)).rejects.toThrow(/not of pdf2press \(invoices, for one\)/);
    expect(await ask(url, `select relname from pg_class where relname = '_prisma_migrations'`)).toEqual([]);
  });
});

describe('a database of an earlier release', () => {
  // By day the first releases and the last; at night each. (This room knows no other that could say which time it is.)
  const all = names.slice(0, -1).map((name, index) => [index + 1, name] as const);
  const tried = process.env.NIGHT === '1' ? all : all.filter(([no]) => no % 16 === 1 || no >= all.length - 1);
  test.each(tried)('that ends with migration %i, %s, is brought up to date', async (length) => {
    const [fresh, old] = [await deployedDatabase(), await emptyDatabase()];
    // Earlier releases applied their migrations with Prisma's engine.
    await applyByEngine(old, migrations.slice(0, length));
    expect(await deploy(old)).toEqual(names.slice(length));
    expect(await schemaOf(old)).toEqual(await schemaOf(fresh));
    expect(await diagnose(old)).toMatchObject(sound);
    expect(await status(old)).toEqual({ state: 'current', pending: [], unknown: [] });
  });

  test('that a newer release used is told apart and left as it is', async () => {
    const url = await deployedDatabase();
    await deploy(url, [...migrations, { name: '29990101000000_newer', sql: 'create table newer (id text);' }]);
    expect(await deploy(url)).toEqual([]);
    expect(await status(url)).toEqual({ state: 'ahead', pending: [], unknown: ['29990101000000_newer'] });
  });
});

describe('a database with sessions on hold, from before waits were somebody’s', () => {
  const isBefore = ({ name }: Migration) => name < '20261123050400';

  /** Holds that are open, decided, and of sessions that ended otherwise, as the release before wrote them. */
  const seed = (id: string) => `
    insert into subscribers (id, name) values ('${id}', 'House');
    insert into workflows (id, subscriber_id, name, draft) values ('wfl_${id}', '${id}', 'W', '{}');
    insert into workflow_versions (id, subscriber_id, workflow_id, no, definition, profiles, hash)
      values ('wfv_${id}', '${id}', 'wfl_${id}', 1, '{}', '{}', '');
    insert into sessions (id, subscriber_id, workflow_id, workflow_version_id, source, source_name, file_name, file_size, public_id)
      select name || '_${id}', '${id}', 'wfl_${id}', 'wfv_${id}', 'ManualInjected', '', 'a.pdf', 1, name || '_${id}'
        from unnest(array['open', 'decided', 'ended', 'proof']) as name;
    insert into step_runs (id, subscriber_id, session_id, run_no, node_id, kind, kind_version, status)
      select 'stp_' || name || '_${id}', '${id}', name || '_${id}', 1, 'hold', 'Hold', 1,
             (case name when 'ended' then 'Canceled' when 'decided' then 'Succeeded' else 'Waiting' end)::step_status
        from unnest(array['open', 'decided', 'ended', 'proof']) as name;
    insert into waits (id, subscriber_id, session_id, step_run_id, kind, allowed, due_at, on_due, decided_at, decision)
      select 'wai_' || name || '_${id}', '${id}', name || '_${id}', 'stp_' || name || '_${id}',
             case name when 'proof' then 'proof' else 'hold' end, '{continue,cancel}', now() + interval '1 day', 'continue',
             case when name = 'decided' then now() end, case when name = 'decided' then 'continue' end
        from unnest(array['open', 'decided', 'ended', 'proof']) as name`;
  const waitsOf = (url: string) =>
    ask(url, `select id, allowed, due_at is not null as "hasTime", assignee_id as "assigneeId" from waits order by id`);
  const allFour = ['continue', 'cancel', 'replaceFile', 'reroute'];
  const expected = (id: string) => [
    { id: `wai_decided_${id}`, allowed: ['continue', 'cancel'], hasTime: false, assigneeId: null },
    { id: `wai_ended_${id}`, allowed: allFour, hasTime: false, assigneeId: null },
    { id: `wai_open_${id}`, allowed: allFour, hasTime: true, assigneeId: null },
    { id: `wai_proof_${id}`, allowed: ['continue', 'cancel'], hasTime: true, assigneeId: null },
  ];

  test.each(['a superuser', 'an account that row-level security holds for'])(
    'migrated by %s: open holds keep their answers and their time, of every subscriber',
    async (who) => {
      const url = await emptyDatabase();
      const name = new URL(url).pathname.slice(1);
      const isBound = who !== 'a superuser';
      const account = `owner_${name}`;
      let own = url;
      if (isBound) {
        // As a hosted Postgres gives it: neither superuser nor above row-level security; the roles of the wall are there.
        await admin.query(`create role ${account} login createrole password 'x' nosuperuser nobypassrls`);
        await admin.query(`grant pdf2press_app, pdf2press_host to ${account} with admin option`);
        await admin.query(`alter database ${name} owner to ${account}`);
        await ask(url, `alter schema public owner to ${account}`);
        const address = new URL(url);
        address.username = account;
        address.password = 'x';
        own = address.href;
      }
      await deploy(own, migrations.filter(isBefore));
      // The host's policy lets the rows of both subscribers in, as the running product writes them.
      await ask(url, `${seed('one')}; ${seed('two')}`);
      await deploy(own);
      expect(await waitsOf(url)).toEqual(
        [...expected('one'), ...expected('two')].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      );
      const forced = await ask(url, `select relforcerowsecurity as "isForced" from pg_class where relname = 'waits'`);
      expect(forced).toEqual([{ isForced: true }]);
    },
  );
});

describe('a database with versions of workflows that say by a switch whether they take pictures', () => {
  const isBefore = ({ name }: Migration) => name < '20261123203000';
  const inject = (settings: object) => ({
    steps: [
      { id: 'in', kind: 'Inject', settings },
      { id: 'out', kind: 'Complete' },
    ],
  });
  const written = {
    off: inject({ imagesToPdf: false, drawThumbnails: false }),
    on: inject({ imagesToPdf: true }),
    unsaid: inject({ sources: [] }),
    newer: inject({ imagesToPdf: false, fileTypes: ['PDF', 'TIFF'] }),
    empty: {},
  };

  test('they take what they took when they were published, and stay immutable', async () => {
    const url = await emptyDatabase();
    await deploy(url, migrations.filter(isBefore));
    await ask(url, `insert into subscribers (id, name) values ('one', 'House')`);
    await ask(
      url,
      `insert into workflows (id, subscriber_id, name, draft) select name, 'one', name, draft
         from jsonb_each('${JSON.stringify(written)}') as given (name, draft);
       insert into workflow_versions (id, subscriber_id, workflow_id, no, definition, profiles, hash)
         select id, 'one', id, 1, draft, '{}', '' from workflows`,
    );
    await deploy(url);
    const read = {
      off: inject({ fileTypes: ['PDF'], drawThumbnails: false }),
      on: inject({}),
      unsaid: written.unsaid,
      newer: inject({ fileTypes: ['PDF', 'TIFF'] }),
      empty: {},
    };
    const rows = await ask(url, 'select id, definition, draft from workflow_versions join workflows using (id)');
    expect(Object.fromEntries(rows.map(({ id, definition }) => [id, definition]))).toEqual(read);
    expect(Object.fromEntries(rows.map(({ id, draft }) => [id, draft]))).toEqual(read);
    await expect(ask(url, `update workflow_versions set hash = 'x'`)).rejects.toThrow(/immutable/);
    const forced = `select count(*)::int as n from pg_class where relname in ('workflows', 'workflow_versions') and relforcerowsecurity`;
    expect(await ask(url, forced)).toEqual([{ n: 2 }]);
  });
});

describe('a migration that fails', () => {
  test('leaves nothing, names itself and its line, and is applied once it is mended', async () => {
    const url = await deployedDatabase();
    await expect(deploy(url, [...migrations, broken])).rejects.toThrow(
      /29990101000000_broken failed and was rolled back: relation "nowhere" does not exist \(line 3\)/,
    );
    // The migrations before it are complete; this one is neither applied nor recorded.
    expect(await status(url)).toEqual({ state: 'current', pending: [], unknown: [] });
    expect(await ask(url, `select relname from pg_class where relname = 'half_made'`)).toEqual([]);
    expect(await diagnose(url)).toMatchObject(sound);
    const mended = { ...broken, sql: 'create table half_made (id text);' };
    expect(await deploy(url, [...migrations, mended])).toEqual([broken.name]);
    expect(await ask(url, `select relname from pg_class where relname = 'half_made'`)).toHaveLength(1);
  });

  test('lets the next process that waits try again instead of hanging', async () => {
    const url = await emptyDatabase();
    const results = await Promise.allSettled([deploy(url, [broken]), deploy(url, [broken])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    for (const result of results) expect(result.status === 'rejected' && result.reason).toBeInstanceOf(MigrationError);
  });

  test('half-way, with a tool that does not roll back, stops every later start until it is marked', async () => {
    const url = await deployedDatabase();
    await expect(applyByEngine(url, [...migrations, broken])).rejects.toThrow();
    expect((await status(url, [...migrations, broken])).state).toBe('failed');
    expect(await diagnose(url, [...migrations, broken])).toMatchObject({ failedMigrationNames: [broken.name] });
    await expect(deploy(url, [...migrations, broken])).rejects.toThrow(/29990101000000_broken began .* did not finish/);
    await expect(deploy(url)).rejects.toThrow(/did not finish/);
    // The statement in prisma/README.md.
    const [statement] = /update _prisma_migrations[^;]+;/.exec(
      readFileSync(new URL('../README.md', import.meta.url), 'utf8'),
    ) as RegExpExecArray;
    await ask(url, statement.replace('NAME', broken.name));
    expect(await deploy(url)).toEqual([]);
    expect(await diagnose(url)).toMatchObject({ failedMigrationNames: [] });
  });
});

describe('the file of an applied migration', () => {
  test('that was changed is refused by name, before anything else is applied', async () => {
    const url = await emptyDatabase();
    await deploy(url, migrations.slice(0, 2));
    const changed = migrations.map((migration, index) =>
      index === 1 ? { ...migration, sql: `${migration.sql}\n-- one more line\n` } : migration,
    );
    await expect(deploy(url, changed)).rejects.toThrow(`The file of the migration ${names[1]} was changed`);
    expect((await status(url, changed)).state).toBe('changed');
    expect(await diagnose(url, changed)).toMatchObject({ editedMigrationNames: [names[1]] });
    expect((await status(url)).pending).toEqual(names.slice(2));
  });

  test('whose line ends alone were changed is the same file', async () => {
    const url = await deployedDatabase();
    const windows = migrations.map(({ name, sql }) => ({ name, sql: sql.replaceAll('\n', '\r\n') }));
    expect(await deploy(url, windows)).toEqual([]);
    expect(await status(url, windows)).toMatchObject({ state: 'current' });
    expect(await diagnose(url, windows)).toMatchObject({ editedMigrationNames: [] });
  });
});

test('no migration ends the transaction that it runs in', () => {
  for (const { name, sql } of migrations)
    expect(sql, name).not.toMatch(/^\s*(begin|start transaction|commit|rollback|end)\s*;|\bconcurrently\b/im);
});

test('a database that cannot be reached is told by the name of the setting', async () => {
  await expect(deploy('postgresql://app@127.0.0.1:1/app')).rejects.toThrow(/^DATABASE_URL cannot be used: /);
});
