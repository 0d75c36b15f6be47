import { newId, type SubscriberContext } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { receiveFile } from './receive-file.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
const organizations = { one: '', two: '', three: '' };
beforeAll(async () => {
  server = await startTestPostgres();
  lab = await openLab(server);
  const { subscriberId } = lab;
  for (const name of ['one', 'two', 'three'] as const) {
    organizations[name] = newId('organization');
    await lab.deps.database.withSubscriber({ subscriberId }, (tx) =>
      tx.organization.create({ data: { id: organizations[name], name, uploadSlug: name } }),
    );
  }
});
afterAll(async () => {
  await lab.close();
  await server.stop();
});
beforeEach(async () => {
  await lab.sql.query('update workflows set organization_id = null');
  await lab.sql.query('delete from organization_workflows');
});

interface Hand {
  own?: readonly string[];
  sourceOrganizationId?: string;
  organizationId?: string;
}

async function hand({ own, ...named }: Hand = {}) {
  const { subscriberId, workflowId } = lab;
  const context: SubscriberContext = { subscriberId, ...(own && { organizationIds: own }) };
  const { sessionId } = await receiveFile(lab.deps, {
    context,
    workflowId,
    source: 'ManualInjected',
    fileName: 'a.pdf',
    bytes: (async function* once() {
      yield Buffer.from('a');
    })(),
    ingest: { kind: 'test' },
    createdBy: tester,
    ...named,
  });
  const { rows } = await lab.sql.query(
    'select organization_id as id, organization_decided_by::text as by from sessions where id = $1',
    [sessionId],
  );
  return rows[0];
}

const offer = (...ids: string[]) =>
  lab.deps.database.withSubscriber({ subscriberId: lab.subscriberId }, (tx) =>
    tx.organizationWorkflow.createMany({
      data: ids.map((organizationId) => ({ organizationId, workflowId: lab.workflowId })),
    }),
  );

test('the workflow’s organization takes precedence over the source’s, and the source’s over the one that is named', async () => {
  const { one, two, three } = organizations;
  expect(await hand()).toEqual({ id: null, by: null });
  expect(await hand({ organizationId: three })).toEqual({ id: three, by: 'Caller' });
  expect(await hand({ organizationId: three, sourceOrganizationId: two })).toEqual({ id: two, by: 'Source' });
  await offer(one);
  expect(await hand({ organizationId: three, sourceOrganizationId: two })).toEqual({ id: one, by: 'Workflow' });
  await offer(two);
  expect(await hand({ organizationId: three }), 'a workflow of several decides nothing').toEqual({
    id: three,
    by: 'Caller',
  });
  await lab.sql.query('update workflows set organization_id = $1 where id = $2', [two, lab.workflowId]);
  expect(await hand({ organizationId: three })).toEqual({ id: two, by: 'Workflow' });
});

test('a caller of some organizations must name one of them; no default is chosen when there are several', async () => {
  const { one, two, three } = organizations;
  const own = [one, two];
  expect(await hand({ own, organizationId: two })).toEqual({ id: two, by: 'Caller' });
  expect(await hand({ own: [two] }), 'the only one needs no naming').toEqual({ id: two, by: 'Caller' });
  await expect(hand({ own })).rejects.toThrow('organization.required');
  await expect(hand({ own, organizationId: three })).rejects.toThrow('organization.notYours');
  await expect(hand({ organizationId: 'org_none' })).rejects.toThrow('organization.notYours');
  await expect(hand({ own: [] })).rejects.toThrow('organization');
  await offer(three);
  await expect(hand({ own, organizationId: one }), 'the workflow is another organization’s').rejects.toThrow(
    'organization.notYours',
  );
});
