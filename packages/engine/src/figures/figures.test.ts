import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { collectGarbage } from '../files/collect-garbage.ts';
import { type Lab, openLab } from '../testing/lab.ts';
import { type FiguresQuery, readFigures, splitSpan } from './read-figures.ts';
import { keepFigures } from './sum-days.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let workflows: string[];
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  lab = await openLab(server);
  const other = await lab.deps.database.withSubscriber(lab, async (tx) => {
    for (const id of ['org_a', 'org_b'])
      await tx.$executeRaw`insert into organizations (id, name) values (${id}, ${id})`;
    const { id } = await tx.workflow.findFirstOrThrow({ select: { id: true } });
    await tx.$executeRaw`insert into workflows (id, name, draft) select 'wfl_b', 'B', draft from workflows where id = ${id}`;
    return id;
  });
  workflows = [other, 'wfl_b'];
  await fill(2_000);
});
afterEach(() => lab.close());

/** Sessions of the last 70 days with findings, steps and decided waits, spread by their number; every 50th is a trial. */
async function fill(last: number, first = 1): Promise<void> {
  await lab.sql.query(
    `insert into sessions (id, subscriber_id, public_id, workflow_id, workflow_version_id, organization_id, status, source,
                           source_ref, file_name, is_trial, created_at, updated_at)
     select 'ses_' || no, $1, 'pub_' || no, case when no % 3 = 0 then 'wfl_b' else $2 end,
            (select id from workflow_versions where subscriber_id = $1 limit 1),
            case no % 4 when 0 then 'org_a' when 1 then 'org_b' end,
            (array['Completed', 'Completed', 'CompletedWithWarnings', 'Failed', 'OnHold', 'CanceledByUser'])[1 + no % 6]::session_status,
            'ManualInjected', 'ref_' || no, 'f.pdf', no % 50 = 0, at, at
       from generate_series($4::int, $3::int) no
      cross join lateral (select now() - make_interval(secs => (no * 7919::bigint * 60 % (70 * 86400))) as at) placed`,
    [lab.subscriberId, workflows[0], last, first],
  );
  await lab.sql.query(
    `insert into step_runs (id, subscriber_id, session_id, run_no, node_id, kind, status, started_at, ended_at)
     select 'stp_' || session.id || kind, subscriber_id, session.id, 1, kind, kind, 'Succeeded', created_at,
            created_at + make_interval(secs => case kind when 'Hold' then 3600 else 2 end * (1 + length(session.id)))
       from sessions session cross join (values ('Preflight'), ('Hold')) kinds (kind) where session.id like 'ses\\_%'
        and (kind = 'Preflight' or status in ('Completed', 'Failed')) on conflict do nothing`,
  );
  await lab.sql.query(
    `insert into waits (id, subscriber_id, session_id, step_run_id, kind, allowed, created_at, decided_at, decision)
     select 'wai_' || id, subscriber_id, session_id, id, 'hold', '{}', started_at + interval '5 seconds',
            ended_at - interval '1 second', 'continue' from step_runs where kind = 'Hold' on conflict do nothing`,
  );
  await lab.sql.query(
    `insert into findings (id, subscriber_id, session_id, step_run_id, run_no, no, check_key, code, severity, data)
     select 'fnd_' || step.id || no, subscriber_id, session_id, id, 1, no, 'Bleed', case when no < 2 then 'missing' else 'narrow' end,
            case when no = 3 then 'Info' else 'Fail' end, '{}'
       from step_runs step cross join generate_series(0, 3) no where kind = 'Preflight' and right(session_id, 1) in ('1', '4', '7') on conflict do nothing`,
  );
}

const day = 86_400_000;
/** Parts that begin at midnight of a zone that many minutes east of Greenwich, and what they are compared with. */
function query(minutesEast: number, more: Partial<FiguresQuery> = {}): FiguresQuery {
  const start = Math.floor(Date.now() / day) * day - 40 * day - minutesEast * 60_000;
  const bounds = [0, 1, 2, 9, 16, 30, 41].map((days) => new Date(start + days * day));
  return {
    bounds,
    previous: { from: new Date(start - 20 * day), to: new Date(start - 3 * day) },
    isRestricted: false,
    ...more,
  };
}

const read = (asked: FiguresQuery, organizationIds?: string[]) =>
  lab.deps.database.withSubscriber(
    { subscriberId: lab.subscriberId, ...(organizationIds && { organizationIds }) },
    (tx) => readFigures(tx, asked),
  );

/** The same by plain counting of the rows as they were filled in, without anything that the product keeps. */
async function recount({ bounds, previous, workflowId, organizationId }: FiguresQuery) {
  const { rows } = await lab.sql.query(
    `select session.id, workflow_id, coalesce(organization_id, '') as organization_id, status, created_at
       from sessions session where not is_trial and ($1::text is null or workflow_id = $1)
        and ($2::text is null or coalesce(organization_id, '') = $2)`,
    [workflowId ?? null, organizationId ?? null],
  );
  const within = (from: Date | undefined, to: Date | undefined) =>
    rows.filter((row) => from && to && row.created_at >= from && row.created_at < to);
  const count = (of: typeof rows) => {
    const told: Record<string, number> = {};
    for (const { status } of of) told[status] = (told[status] ?? 0) + 1;
    return told;
  };
  const inside = within(bounds[0], bounds.at(-1));
  const by = (column: string) =>
    Object.fromEntries(
      [...new Set(inside.map((row) => row[column]))].map((id) => [
        id,
        count(inside.filter((row) => row[column] === id)),
      ]),
    );
  const found = inside.filter(({ id }) => ['1', '4', '7'].includes(id.slice(-1))).length;
  const held = inside.filter(({ id }) => ['0', '1', '3'].includes(String(Number(id.slice(4)) % 6)));
  const seconds = (of: typeof rows, each: number) => of.reduce((sum, { id }) => sum + each * (1 + id.length), 0);
  return {
    parts: bounds.slice(1).map((to, at) => count(within(bounds[at], to))),
    previous: count(within(previous.from, previous.to)),
    workflows: by('workflow_id'),
    organizations: by('organization_id'),
    findings: ['missing', 'narrow'].map((ruleKey) => ({
      severity: 'Fail',
      checkKey: 'Bleed',
      ruleKey,
      sessions: found,
    })),
    preflightMs: seconds(inside, 2) * 1000,
    heldMachineMs: held.length * 6_000,
    heldPeopleMs: (seconds(held, 3600) - 6 * held.length) * 1000,
  };
}

async function expectRight(asked: FiguresQuery): Promise<void> {
  const { steps, findings, workflows: byWorkflow, organizations, ...told } = await read(asked);
  const step = (wanted: string) => steps.find(({ kind }) => kind === wanted);
  expect({
    ...told,
    workflows: Object.fromEntries(byWorkflow),
    organizations: Object.fromEntries(organizations),
    findings: findings.toSorted((one, other) => one.ruleKey.localeCompare(other.ruleKey)),
    preflightMs: step('Preflight')?.machine.totalMs,
    heldMachineMs: step('Hold')?.machine.totalMs,
    heldPeopleMs: step('Hold')?.people?.totalMs,
  }).toEqual(await recount(asked));
}

const zones = [0, 60, -480, 345, 765, -720];
const summedDays = async () => Number((await lab.sql.query('select count(*) as n from summed_days')).rows[0].n);

test('the figures are those of a plain recount in every zone, before and after days are summed, for each filter', async () => {
  for (const zone of zones) await expectRight(query(zone));
  expect(await keepFigures(lab.deps)).toBeGreaterThan(60);
  expect(await summedDays()).toBeGreaterThan(60);
  for (const zone of zones) await expectRight(query(zone));
  await expectRight(query(60, { workflowId: 'wfl_b' }));
  await expectRight(query(60, { organizationId: 'org_a' }));
  await expectRight(query(60, { organizationId: '' }));
  await expectRight(query(345, { workflowId: 'wfl_b', organizationId: 'org_b' }));
  // What is summed is really what is read, and not the sessions once more.
  await lab.sql.query(`update day_sums set outcomes = '{"Completed": 7000}' where workflow_id = '*'`);
  const spoiled = await read(query(60));
  expect(spoiled.parts.at(-1)?.Completed).toBeGreaterThan(7000);
});

test('what changes after its day was summed counts at once, and the day is summed anew', async () => {
  await keepFigures(lab.deps);
  const change = `update sessions set status = 'InQueue', run_no = run_no + 1, updated_at = now() where id in (select id from sessions
     where not is_trial and status = 'Failed' and created_at < now() - interval '5 days' order by id limit 100)`;
  await lab.sql.query(change);
  await lab.sql.query(`update sessions set organization_id = null where organization_id = 'org_a' and id like '%8'`);
  for (const zone of zones) await expectRight(query(zone));
  expect(await keepFigures(lab.deps)).toBeGreaterThan(0);
  expect(Number((await lab.sql.query('select count(*) as n from day_changes')).rows[0].n)).toBe(0);
  expect(await keepFigures(lab.deps)).toBe(0);
  for (const zone of zones) await expectRight(query(zone));
  // Without the notes this test would fail.
  await lab.sql.query('alter table sessions disable trigger note_day_change');
  await lab.sql.query(change);
  await expect(expectRight(query(0))).rejects.toThrow();
});

test('a change that is not committed when its day is summed is not lost', async () => {
  await keepFigures(lab.deps);
  const { rows } = await lab.sql.query(
    `select id from sessions where not is_trial and status = 'Failed' and created_at between now() - interval '20 days' and now() - interval '10 days' limit 2`,
  );
  const [first, second] = rows.map(({ id }) => id as string);
  await lab.sql.query(`update sessions set status = 'InQueue', run_no = run_no + 1 where id = $1`, [first]);
  await lab.sql.query('begin');
  await lab.sql.query(`update sessions set status = 'InQueue', run_no = run_no + 1 where id = $1`, [second]);
  await keepFigures(lab.deps);
  await lab.sql.query('commit');
  await expectRight(query(0));
  expect(await keepFigures(lab.deps)).toBe(1);
  await expectRight(query(0));
});

test('deleted sessions count as before, also when nothing but a row is left of them', async () => {
  await keepFigures(lab.deps);
  await lab.sql.query(`update sessions set deleted_at = now() - interval '31 days' where id like '%1' or id like '%3'`);
  await collectGarbage(lab.deps);
  expect(
    Number((await lab.sql.query('select count(*) as n from sessions where emptied_at is not null')).rows[0].n),
  ).toBe(400);
  expect(Number((await lab.sql.query(`select count(*) as n from findings where session_id like '%1'`)).rows[0].n)).toBe(
    0,
  );
  for (const zone of zones) await expectRight(query(zone));
  // All days counted anew from what is left.
  await lab.sql.query('truncate summed_days, day_sums');
  for (const zone of zones) await expectRight(query(zone));
  await keepFigures(lab.deps);
  for (const zone of zones) await expectRight(query(zone));
});

test('people of some organizations read the sums of these, and another subscriber nothing', async () => {
  for (const isSummed of [false, true]) {
    if (isSummed) await keepFigures(lab.deps);
    const [mine, all] = [
      await read(query(60, { isRestricted: true }), ['org_a', 'org_b']),
      await Promise.all(['org_a', 'org_b'].map((organizationId) => read(query(60, { organizationId })))),
    ];
    const [a, b] = all;
    expect([...mine.organizations.keys()].sort()).toEqual(['org_a', 'org_b']);
    expect(mine.previous.Completed).toBe((a?.previous.Completed ?? 0) + (b?.previous.Completed ?? 0));
    expect(mine.steps.find(({ kind }) => kind === 'Preflight')?.machine.count).toBe(
      [a, b].reduce((sum, one) => sum + (one?.steps.find(({ kind }) => kind === 'Preflight')?.machine.count ?? 0), 0),
    );
    // Whoever asks for another organization's is told nothing.
    const foreign = await read(query(60, { isRestricted: true, organizationId: 'org_b' }), ['org_a']);
    expect([foreign.parts.every((part) => Object.keys(part).length === 0), foreign.steps]).toEqual([true, []]);
  }
  const stranger = await lab.addSubscriber();
  const none = await lab.deps.database.withSubscriber(stranger, (tx) => readFigures(tx, query(0)));
  expect([none.workflows.size, none.findings.length, Object.keys(none.previous).length]).toEqual([0, 0, 0]);
});

test('the store is measured once an hour, the last measurement of a day stays', async () => {
  const bytes = async () =>
    (await lab.sql.query('select bytes::int from storage_days order by day')).rows.map((row) => row.bytes);
  await lab.hand();
  await keepFigures(lab.deps);
  const [first] = await bytes();
  expect(first).toBeGreaterThan(0);
  await lab.hand();
  await keepFigures(lab.deps);
  expect(await bytes()).toEqual([first]);
  await lab.sql.query(`update storage_days set measured_at = measured_at - interval '61 minutes'`);
  await keepFigures(lab.deps);
  const [second = 0] = await bytes();
  expect(second).toBeGreaterThan(first);
  await lab.sql.query(`update storage_days set day = day - 1, measured_at = measured_at - interval '2 hours'`);
  await keepFigures(lab.deps);
  expect(await bytes()).toEqual([second, second]);
});

test('what is not summed is found by an index, however many sessions there are @night', async () => {
  await fill(40_000, 2_001);
  await lab.sql.query('vacuum analyze sessions');
  const plan = await lab.deps.database.withSubscriber(
    lab,
    (tx) => tx.$queryRaw<{ 'QUERY PLAN': string }[]>`
      explain select status, count(*) from sessions
       where not is_trial and (created_at >= now() - interval '3 days' and created_at < now() - interval '1 day') group by 1`,
  );
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Only Scan using sessions_figures/);
});

test('a span is divided into whole summed days and the rest, each moment once', () => {
  const at = (text: string) => new Date(`2026-03-${text}Z`);
  const summed = new Set(['2026-03-02', '2026-03-03', '2026-03-05']);
  expect(splitSpan({ from: at('01T12:00'), to: at('06T06:00') }, summed)).toEqual({
    days: ['2026-03-02', '2026-03-03', '2026-03-05'],
    rest: [
      { from: at('01T12:00'), to: at('02T00:00') },
      { from: at('04T00:00'), to: at('05T00:00') },
      { from: at('06T00:00'), to: at('06T06:00') },
    ],
  });
  expect(splitSpan({ from: at('02T01:00'), to: at('02T23:00') }, summed)).toEqual({
    days: [],
    rest: [{ from: at('02T01:00'), to: at('02T23:00') }],
  });
});
