import type { RouteResult, routes, SystemSettings } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Due = RouteResult<typeof routes.retention.due>;
type Acted = RouteResult<typeof routes.retention.act>;

let lab: Lab;
let ana: SignedIn;
let keeper: SignedIn;
let viewer: SignedIn;
let customer: SignedIn;
let stranger: SignedIn;
let policyId: string;
let workflowId: string;
let organizationId: string;

const due = async (query = '', as = ana) => (await lab.call<Due>('GET', `/retention/due${query}`, { as })).result;
const act = (action: string, ids: string[], as = ana, more: object = {}) =>
  lab.call<Acted>('POST', '/retention/act', { as, body: { action, ids, ...more } });
const ids = ({ items }: Due) => items.map(({ sessionId, part }) => `${sessionId} ${part}`);

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'stranger@example.com'));
  keeper = await lab.signIn(
    await lab.makePerson(subscriberId, 'keeper@example.com', ['retention.view', 'retention.manage']),
  );
  viewer = await lab.signIn(await lab.makePerson(subscriberId, 'viewer@example.com', ['retention.view']));
  const person = await lab.makePerson(subscriberId, 'customer@example.com', [
    'retention.view',
    'retention.manage',
    'retention.delete',
  ]);
  const { result: organization } = await lab.call<{ id: string }>('POST', '/organizations', {
    as: ana,
    body: { name: 'Baker' },
  });
  organizationId = organization.id;
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.user.update({ where: { id: person.id }, data: { isOrganizationRestricted: true } });
    await tx.userOrganization.create({ data: { userId: person.id, organizationId } });
  });
  customer = await lab.signIn(person);
}, 120_000);
afterAll(() => lab.stop());

test('a policy is a profile: made, chosen by a step, published with the workflow', async () => {
  const body = { name: 'Two weeks', settings: { daysSource: 14, daysFinal: 20 } };
  const made = await lab.call<{ id: string; settings: object }>('POST', '/profiles/retention', { as: ana, body });
  policyId = made.result.id;
  expect(made.result.settings).toEqual({
    daysSource: 14,
    daysFinal: 20,
    start: 'completed',
    noticeDays: 7,
    isLegalHold: false,
    keepsThumbnails: true,
    keepsRecord: true,
    archives: 'byPolicy',
    archivingPolicyId: '',
  });
  const wrong = await lab.call('POST', '/profiles/retention', {
    as: ana,
    body: { name: 'x', settings: { daysFinal: 4000 } },
  });
  expect(wrong.statusCode).toBe(422);
  const name = 'Kept';
  const workflow = await lab.call<{ id: string; draftRevision: number }>('POST', '/workflows', {
    as: ana,
    body: { name },
  });
  workflowId = workflow.result.id;
  const draft = {
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'keep', kind: 'Retention', settings: { profileId: policyId } },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: 'keep' },
      { id: 'b', from: 'keep', outcome: 'done', to: 'complete' },
    ],
  };
  const { draftRevision } = workflow.result;
  await lab.call('PUT', `/workflows/${workflowId}`, { as: ana, body: { name, draft, draftRevision } });
  expect((await lab.call('POST', `/workflows/${workflowId}/publish`, { as: ana })).statusCode).toBe(200);
  expect((await lab.call('DELETE', `/profiles/retention/${policyId}`, { as: ana })).statusCode).toBe(409);
});

test('the list tells what goes when, by policy, and on each day; nobody sees what is not theirs', async () => {
  const policy = { id: policyId, name: 'Two weeks' };
  const retention = { daysSource: 14, daysFinal: 20, start: 'completed', isLegalHold: false, policy };
  const other = await lab.call<{ id: string }>('POST', '/workflows', { as: ana, body: { name: 'Also kept' } });
  await lab.deps.db.asHost(async (tx) => {
    await tx.$executeRaw`
      insert into sessions (id, subscriber_id, public_id, workflow_id, workflow_version_id, organization_id, source, source_ref, file_name)
      select 'ses_' || no, ${ana.subscriberId}, 'pub_' || no, case no when 3 then ${other.result.id} else ${workflowId} end,
             (select id from workflow_versions where workflow_id = ${workflowId} limit 1),
             case when no = 2 then ${organizationId} end, 'ManualInjected', 'ref_' || no, 'f' || no || '.pdf'
        from generate_series(1, 4) no`;
    // Originals become smaller, what was made of them larger.
    await tx.$executeRaw`
      insert into blobs (subscriber_id, sha256, size)
      select ${ana.subscriberId}, repeat(no::text, 64), 1 from generate_series(1, 4) no`;
    await tx.$executeRaw`
      insert into files (id, subscriber_id, session_id, sha256, run_no, kind, name, media_type, size)
      select 'fil_' || kind || no, ${ana.subscriberId}, 'ses_' || no, repeat(no::text, 64), 1, kind::file_kind, 'f.pdf', 'application/pdf',
             case kind when 'OriginalFile' then 50 - no * 10 else no * 100 end
        from generate_series(1, 4) no, unnest(array['OriginalFile', 'ProductionFile']) kind`;
    await tx.$executeRaw`
      update sessions set status = 'Completed', finished_at = now() - interval '10 days',
             decisions = jsonb_build_object('retention', ${JSON.stringify(retention)}::jsonb
                           || case when id = 'ses_4' then '{"policy": null}'::jsonb else '{}' end)
       where subscriber_id = ${ana.subscriberId}`;
  });
  const all = await due();
  expect(all.total).toBe(8);
  expect(ids(all).slice(0, 4)).toEqual(['ses_1 source', 'ses_2 source', 'ses_3 source', 'ses_4 source']);
  expect(all.items[0]).toMatchObject({ fileName: 'f1.pdf', workflow: 'Kept', policy, isHeld: false, bytes: 40 });
  expect(all.days.map(({ files }) => files)).toEqual([4, 4]);
  expect(ids(await due(`?policyId=${policyId}&pageSize=2&page=2`))).toEqual(['ses_3 source', 'ses_1 final']);
  expect(ids(await due('?policyId=own'))).toEqual(['ses_4 source', 'ses_4 final']);
  expect(ids(await due('?sessionId=ses_3', viewer))).toEqual(['ses_3 source', 'ses_3 final']);
  expect(ids(await due('', customer))).toEqual(['ses_2 source', 'ses_2 final']);
  expect((await due('', stranger)).total).toBe(0);
  expect(ids(await due('?search=F3'))).toEqual(['ses_3 source', 'ses_3 final']);
  expect((await due('?search=two%20weeks')).total).toBe(6);
  const { body: csv } = await lab.call('GET', `/retention/due/export.csv?policyId=${policyId}`, { as: customer });
  const lines = csv.slice(1).trim().split('\r\n');
  expect(lines[0]).toBe('sessionId,fileName,workflow,part,dueAt,sizeBytes,policyId,policy,isHeld');
  expect(lines.slice(1).map((line) => line.split(',').slice(0, 4))).toEqual([
    ['ses_2', 'f2.pdf', 'Kept', 'source'],
    ['ses_2', 'f2.pdf', 'Kept', 'final'],
  ]);
});

test.each([
  ['when', ['1 source', '2 source', '3 source', '4 source', '1 final', '2 final', '3 final', '4 final']],
  ['name', ['1 source', '1 final', '2 source', '2 final', '3 source', '3 final', '4 source', '4 final']],
  ['what', ['1 final', '2 final', '3 final', '4 final', '1 source', '2 source', '3 source', '4 source']],
  ['policy', ['4 source', '4 final', '1 source', '2 source', '3 source', '1 final', '2 final', '3 final']],
  ['workflow', ['3 source', '3 final', '1 source', '2 source', '4 source', '1 final', '2 final', '4 final']],
  ['size', ['4 source', '3 source', '2 source', '1 source', '1 final', '2 final', '3 final', '4 final']],
])('it is sorted by %s, both ways, page by page', async (sort, up) => {
  const value = {
    when: 'dueAt',
    name: 'fileName',
    what: 'part',
    policy: 'policy',
    workflow: 'workflow',
    size: 'bytes',
  };
  const whole = async (direction: string) => {
    const of = (page: number) => due(`?sort=${sort}&direction=${direction}&pageSize=5&page=${page}`);
    return [...(await of(1)).items, ...(await of(2)).items];
  };
  expect((await whole('asc')).map(({ sessionId, part }) => `${sessionId.slice(4)} ${part}`)).toEqual(up);
  const shown = (items: Due['items']) =>
    items.map((item) => item[value[sort as keyof typeof value] as keyof typeof item]);
  expect(shown(await whole('desc'))).toEqual(shown(await whole('asc')).reverse());
});

test('keeping longer, holding, releasing and deleting at once, each with its right and in the audit', async () => {
  expect((await act('hold', ['ses_1'], viewer)).statusCode).toBe(403);
  expect((await act('deleteNow', ['ses_1'], keeper)).statusCode).toBe(403);
  expect((await act('hold', ['ses_1', 'ses_2'], customer)).result).toMatchObject([
    { id: 'ses_1', success: false, error: { code: 'resource.notFound' } },
    { id: 'ses_2', success: true },
  ]);
  expect((await act('hold', ['ses_2'], stranger)).result).toMatchObject([{ success: false }]);
  expect(ids(await due('?held=true'))).toEqual(['ses_2 source', 'ses_2 final']);
  expect((await act('deleteNow', ['ses_2', 'ses_3'])).result).toMatchObject([
    { id: 'ses_2', success: false, error: { code: 'session.legalHold' } },
    { id: 'ses_3', success: true },
  ]);
  expect((await lab.call('DELETE', '/sessions/ses_2', { as: ana })).statusCode).toBe(409);
  expect((await act('release', ['ses_2'], keeper)).result).toMatchObject([{ success: true }]);
  expect((await act('extend', ['ses_1'], keeper, { days: 100 })).result).toMatchObject([{ success: true }]);
  expect(ids(await due())).toEqual(['ses_2 source', 'ses_4 source', 'ses_2 final', 'ses_4 final']);
  const audited = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.auditEntry.findMany({ where: { act: { startsWith: 'retention.' } }, orderBy: { seq: 'asc' } }),
  );
  expect(audited.map((entry) => `${entry.act} ${entry.object}`)).toEqual([
    'retention.hold ses_2',
    'retention.deleteNow ses_3',
    'retention.release ses_2',
    'retention.extend ses_1',
  ]);
});

test('archiving at once needs its own right, takes neither what runs nor what is on legal hold, and is in the audit', async () => {
  expect((await act('archiveNow', ['ses_4'], keeper)).statusCode).toBe(403);
  expect((await act('archiveNow', ['ses_4'])).result).toMatchObject([
    { success: false, error: { code: 'archiving.notSetUp' } },
  ]);
  const { result } = await lab.call<SystemSettings>('GET', '/SystemSettings', { as: ana });
  const config = { accessKey: 'key', bucketName: 'archive', region: 'eu', secretKey: 'secret' };
  const archivingSettings = { ...result.archivingSettings, enabled: true, config };
  await lab.call('PUT', '/SystemSettings', { as: ana, body: { ...result, archivingSettings } });
  await act('hold', ['ses_2']);
  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`
      insert into sessions (id, subscriber_id, public_id, workflow_id, workflow_version_id, source, source_ref, file_name)
      select 'ses_5', subscriber_id, 'pub_5', workflow_id, workflow_version_id, source, 'ref_5', 'f5.pdf'
        from sessions where id = 'ses_4'`,
  );
  expect((await act('archiveNow', ['ses_2', 'ses_4', 'ses_5'])).result).toMatchObject([
    { id: 'ses_2', success: false, error: { code: 'session.legalHold' } },
    { id: 'ses_4', success: true },
    { id: 'ses_5', success: false, error: { code: 'session.actionNotAllowed' } },
  ]);
  expect((await act('archiveNow', ['ses_1'], stranger)).result).toMatchObject([
    { success: false, error: { code: 'resource.notFound' } },
  ]);
  // What is on its way to the archive is not deleted meanwhile.
  expect(ids(await due())).toEqual([]);
  const audited = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.auditEntry.findMany({ where: { act: 'session.archive' } }),
  );
  expect(audited.map(({ object }) => object)).toEqual(['ses_4']);
});
