import { sampled } from '@pdf2press/config/by-day';
import { type Dashboard, dashboardPeriods } from '@pdf2press/contract';
import { keepFigures } from '@pdf2press/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let operator: SignedIn;
let customer: SignedIn;
let stranger: SignedIn;
let workflowId: string;
let organizationId: string;

const read = async (query = '', as = ana) => (await lab.call<Dashboard>('GET', `/dashboard${query}`, { as })).result;
const sum = (outcomes: object): number => Object.values(outcomes).reduce((all: number, n: number) => all + n, 0);

/** Sessions every five hours for two years and a bit, ended in turn. */
const count = 3_700;
const fill = () =>
  lab.deps.db.asHost(async (tx) => {
    await tx.$executeRaw`
      insert into sessions (id, subscriber_id, public_id, workflow_id, workflow_version_id, organization_id, status, source,
                            source_ref, file_name, created_at)
      select 'ses_' || no, ${ana.subscriberId}, 'pub_' || no, ${workflowId},
             (select id from workflow_versions where workflow_id = ${workflowId} limit 1),
             case when no % 4 = 0 then ${organizationId} end,
             (array['Completed', 'CompletedWithWarnings', 'Failed', 'CanceledByUser'])[1 + no % 4]::session_status,
             'ManualInjected', 'ref_' || no, 'f.pdf', clock_timestamp() - make_interval(hours => no * 5)
        from generate_series(0, ${count - 1}::int) no`;
  });

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'stranger@example.com'));
  operator = await lab.signIn(await lab.makePerson(subscriberId, 'op@example.com', ['dashboard.view']));
  const { result: organization } = await lab.call<{ id: string }>('POST', '/organizations', {
    as: ana,
    body: { name: '=Baker' },
  });
  organizationId = organization.id;
  const person = await lab.makePerson(subscriberId, 'customer@example.com', ['dashboard.view', 'storage.metrics.view']);
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.user.update({ where: { id: person.id }, data: { isOrganizationRestricted: true } });
    await tx.userOrganization.create({ data: { userId: person.id, organizationId } });
  });
  customer = await lab.signIn(person);
  const name = 'Flyers';
  const made = await lab.call<{ id: string; draftRevision: number }>('POST', '/workflows', { as: ana, body: { name } });
  workflowId = made.result.id;
  const draft = {
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
  };
  await lab.call('PUT', `/workflows/${workflowId}`, {
    as: ana,
    body: { name, draft, draftRevision: made.result.draftRevision },
  });
  expect((await lab.call('POST', `/workflows/${workflowId}/publish`, { as: ana })).statusCode).toBe(200);
}, 120_000);
afterAll(() => lab.stop());

test('a house without files is told so, with all of its parts', async () => {
  const empty = await read();
  expect([sum(empty.outcomes), empty.findings, empty.steps, empty.workflows]).toEqual([0, [], [], []]);
  expect(empty.parts.length).toBeGreaterThan(27);
  expect(empty.savings).toMatchObject({ averagePrepressTime: 0, files: 0, cost: 0 });
  await fill();
});

const zones = ['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Auckland', 'UTC'];
test.each(sampled(zones, 2))('every period in %s is what Postgres counts by its own calendar', async (timeZone) => {
  // Postgres divides time by itself; its weeks begin on Mondays.
  const { result: settings } = await lab.call<Record<string, unknown>>('GET', '/systemSettings', { as: ana });
  await lab.call('PUT', '/SystemSettings', { as: ana, body: { ...settings, culture: 'en-GB' } });
  await keepFigures(lab.deps.engine);
  for (const period of dashboardPeriods) {
    const unit = period.slice(4).toLowerCase();
    const told = await read(`?period=${period}&timeZone=${timeZone}`);
    const [plain] = await lab.deps.db.asHost(
      (tx) => tx.$queryRaw<{ n: number; parts: number; before: number }[]>`
          with own as (select date_trunc(${unit}, clock_timestamp() at time zone ${timeZone})
                              - case when ${period.startsWith('last')} then ('1 ' || case ${unit} when 'quarter' then 'month' else ${unit} end)::interval
                                     * case ${unit} when 'quarter' then 3 else 1 end else '0'::interval end as first)
          select count(*) filter (where date_trunc(${unit}, local) = first)::int as n,
                 count(distinct date_trunc(${told.unit}, local)) filter (where date_trunc(${unit}, local) = first)::int as parts,
                 count(*) filter (where created_at >= ${new Date(told.previous.from)} and created_at < ${new Date(told.previous.to)})::int as before
            from (select created_at, created_at at time zone ${timeZone} as local from sessions) placed, own group by first`,
    );
    expect([
      period,
      sum(told.outcomes),
      told.parts.filter(({ outcomes }) => sum(outcomes) > 0).length,
      sum(told.previous.outcomes),
    ]).toEqual([period, plain?.n, plain?.parts, plain?.before]);
    expect(told.parts.reduce((all, { outcomes }) => all + sum(outcomes), 0)).toBe(sum(told.outcomes));
  }
});

test('what was saved follows from completed files and the settings, and only who may see it does', async () => {
  const { result: settings } = await lab.call<Record<string, unknown>>('GET', '/systemSettings', { as: ana });
  await lab.call('PUT', '/SystemSettings', {
    as: ana,
    body: { ...settings, roiSettings: { averagePrepressTime: 12, laborCostPerHour: 40 } },
  });
  const { savings, outcomes } = await read('?period=lastYear');
  const files = (outcomes.Completed ?? 0) + (outcomes.CompletedWithWarnings ?? 0);
  expect(files).toBeGreaterThan(800);
  expect(savings).toMatchObject({ files, minutes: files * 12, estimatedPrepressLaborCost: 8, cost: files * 8 });
  await lab.call('PUT', '/SystemSettings', { as: ana, body: { ...settings, estimatedPrepressLaborCost: 5.5 } });
  expect((await read('?period=lastYear')).savings).toMatchObject({
    averagePrepressTime: 0,
    minutes: 0,
    estimatedPrepressLaborCost: 5.5,
    cost: files * 5.5,
  });
  const plain = await read('?period=lastYear', operator);
  expect(plain).toMatchObject({ savings: null, storage: null, outcomes });
  expect(plain.needsYou.proofs).toBeNull();
});

test('a workflow, an organization, a member of it and another house each see what is theirs', async () => {
  const all = await read('?period=lastYear');
  expect(all.workflows).toEqual([
    { id: workflowId, name: 'Flyers', files: sum(all.outcomes), failed: all.outcomes.Failed },
  ]);
  const { organizations } = all;
  expect(organizations[0]).toMatchObject({ id: '', name: null, failed: all.outcomes.Failed });
  const baker = await read(`?period=lastYear&organizationId=${organizationId}&workflowId=${workflowId}`);
  expect(sum(baker.outcomes)).toBe(organizations[1]?.files);
  expect(baker.outcomes).toEqual({ Completed: organizations[1]?.files });
  const member = await read('?period=lastYear', customer);
  expect([member.outcomes, member.storage, member.choices.organizations]).toEqual([
    baker.outcomes,
    null,
    [{ id: organizationId, name: '=Baker' }],
  ]);
  const foreign = await read(`?period=lastYear&workflowId=${workflowId}`, stranger);
  expect([sum(foreign.outcomes), foreign.choices.workflows.some(({ id }) => id === workflowId)]).toEqual([0, false]);
  expect((await lab.call('GET', '/dashboard?timeZone=Mars/Olympus', { as: ana })).statusCode).toBe(400);
  expect(
    (
      await lab.call('GET', '/dashboard', {
        as: await lab.signIn(await lab.makePerson(ana.subscriberId, 'x@example.com', [])),
      })
    ).statusCode,
  ).toBe(403);
});

test('the failed of the last days and the held are told as they are now', async () => {
  const before = (await read()).needsYou;
  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`update sessions set deleted_at = clock_timestamp() where id = (
      select id from sessions where status = 'Failed' order by created_at desc limit 1)`,
  );
  const after = await read();
  expect(before.failed).toBeGreaterThan(5);
  expect(after.needsYou).toEqual({ ...before, failed: before.failed - 1 });
});

test('the CSV has the same figures, and no cell is a formula', async () => {
  const { body, headers, statusCode } = await lab.call('GET', '/dashboard/export.csv?period=lastYear', { as: ana });
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  const lines = body.replace('\ufeff', '').trim().split('\r\n');
  const told = await read('?period=lastYear');
  expect(lines[0]).toBe('part,name,measure,value');
  expect(lines).toContain(`period,${told.from},Completed,${told.outcomes.Completed}`);
  expect(lines).toContain(`organizations,"'=Baker",files,${told.organizations[1]?.files}`);
  expect(lines).toContain(`savings,,cost,${told.savings?.cost}`);
});
