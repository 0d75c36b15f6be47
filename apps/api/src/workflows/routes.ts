import { problem, type RouteResult, routes, type WorkflowDefinition, type WorkflowSort } from '@pdf2press/contract';
import { actionSecretPurpose, publishWorkflow, workflowIssues } from '@pdf2press/engine';
import { keepSecret } from '@pdf2press/engine/secrets';
import { newId, Prisma, type Transaction, toJson } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Bind, ReadQuery } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { localeOf } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';
import { containsText, inOrder, type Order, sortedPage } from '../frame/sorted-page.ts';
import {
  isMadeFor,
  isOwnOrHouse,
  organizationOfChanged,
  organizationOfNew,
  organizationOrder,
} from '../organizations/made-for.ts';
import { demandNotFedElsewhere } from '../profiles/named-workflows.ts';
import { standingStatuses } from '../sessions/read-list.ts';
import { exportWorkflow, freeWorkflowName, importProfiles } from './carry.ts';
import { workflowColumns } from './csv.ts';
import { makeStarter } from './make-starter.ts';
import {
  demandNoIssues,
  draftOf,
  findWorkflow,
  inWords,
  readWorkflow,
  summariesOf,
  type WorkflowRow,
} from './read-workflow.ts';
import { usageOf } from './usage.ts';

/**
 * Workflow names are unique because lists to choose from show only the name, and hot folders are called by it: also among
 * workflows of organizations that the caller does not see.
 */
async function demandFreeName(deps: ApiDeps, { subscriberId }: Caller, name: string, except?: string): Promise<void> {
  const other = await deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.workflow.findFirst({
      where: {
        deletedAt: null,
        name: { equals: name, mode: 'insensitive' },
        ...(except ? { id: { not: except } } : {}),
      },
      select: { id: true },
    }),
  );
  if (other) throw problem('resource.nameTaken', { name }, 'name');
}

/** Where they stand on the canvas is nobody's call. */
const actionSteps = ({ steps }: WorkflowDefinition) =>
  JSON.stringify(steps.filter(({ kind }) => kind === 'Action').map(({ position: _, ...step }) => step));

/** Action steps, which call other systems, need a permission of their own. */
function demandActions(caller: Caller, before: WorkflowDefinition | undefined, after: WorkflowDefinition): void {
  if (actionSteps(after) !== (before ? actionSteps(before) : '[]')) demand(caller, 'workflows.actions.edit');
}

interface NewWorkflow {
  /** Null = the whole house. */
  organizationId: string | null;
  name: string;
  description: string;
  draft: WorkflowDefinition;
}

/** Its name must be free. */
async function insertWorkflow(
  tx: Transaction,
  caller: Caller,
  { organizationId, name, description, draft }: NewWorkflow,
): Promise<string> {
  demandActions(caller, undefined, draft);
  const id = newId('workflow');
  await tx.workflow.create({
    data: { id, organizationId, name, description, draft: toJson(draft), createdById: caller.userId },
  });
  return id;
}

/**
 * Publishes a draft as the next version and writes the audit row in the same transaction.
 * @throws InvalidRequestError 422 with every rule that the draft breaks, each with its step and setting
 */
async function publishDraft(
  tx: Transaction,
  request: FastifyRequest,
  { id, userId }: { id: string; userId: string | null },
): Promise<void> {
  const { issues, version } = await publishWorkflow(tx, id, userId ?? undefined);
  demandNoIssues(localeOf(request), issues);
  await audit(tx, request, { act: 'workflow.publish', object: id, after: { version: version?.no ?? null } });
}

/** What the list is sorted by. */
const orders: Readonly<Record<WorkflowSort, Order>> = {
  name: { by: Prisma.sql`listed.name` },
  organization: organizationOrder,
  sessions: {
    join: Prisma.sql`
      left join lateral (select count(*) as number from sessions
                          where sessions.workflow_id = listed.id and sessions.deleted_at is null and not sessions.is_trial
                        ) session on true`,
    by: Prisma.sql`session.number`,
  },
  updated: { by: Prisma.sql`listed.updated` },
};

const listedRows = (
  caller: Caller,
  { search, isEnabled, organizationId }: ReadQuery<typeof routes.workflows.list>,
): Prisma.Sql => Prisma.sql`
  select workflow.id, workflow.name, workflow.updated_at as updated, organization.name as organization
    from workflows workflow
    left join organizations organization on organization.id = workflow.organization_id
   where workflow.deleted_at is null and not workflow.is_trial
     and ${isOwnOrHouse(Prisma.sql`workflow.organization_id`, caller)}
     and ${isMadeFor(Prisma.sql`workflow.organization_id`, organizationId)}
     and ${isEnabled === undefined ? Prisma.sql`true` : Prisma.sql`workflow.is_enabled = ${isEnabled}`}
     and ${containsText([Prisma.sql`workflow.name`], search)}`;

/** A page of the workflows that the caller sees. */
async function listWorkflows(
  tx: Transaction,
  caller: Caller,
  query: ReadQuery<typeof routes.workflows.list>,
): Promise<RouteResult<typeof routes.workflows.list>> {
  const list = { rows: listedRows(caller, query), order: orders[query.sort] };
  const { ids, total } = await sortedPage(tx, list, query);
  const rows = inOrder(ids, await tx.workflow.findMany({ where: { id: { in: ids } } }));
  return { items: await summariesOf(tx, rows), total, page: query.page, pageSize: query.pageSize };
}

/**
 * Makes a workflow one organization's, or the whole house's, where nobody else's upload page offers it and nobody else's
 * mailbox or cloud storage leads to it.
 */
async function assignWorkflow(
  tx: Transaction,
  caller: Caller,
  { row, given }: { row: WorkflowRow; given: string | null },
): Promise<string | null> {
  const organizationId = await organizationOfChanged(tx, caller, { before: row.organizationId, given });
  if (organizationId === null) return null;
  // What is just being led to it is seen below, or refused.
  await tx.$queryRaw`select 1 from workflows where id = ${row.id} for update`;
  const offered = await tx.organizationWorkflow.findMany({
    where: { workflowId: row.id, organizationId: { not: organizationId } },
    select: { organization: { select: { name: true } } },
  });
  const names = offered.map(({ organization }) => organization.name).sort();
  if (names.length > 0) throw problem('organization.offeredElsewhere', { names: names.join(', ') }, 'organizationId');
  await demandNotFedElsewhere(tx, { workflowId: row.id, organizationId });
  return organizationId;
}

/** Long because it is a list: one handler per route of the contract. */
export function bindWorkflows(bind: Bind, deps: ApiDeps): void {
  const { workflows } = routes;

  bind(workflows.list, ({ caller, query }) => asCaller(deps, caller, (tx) => listWorkflows(tx, caller, query)));
  bind(workflows.exportList, ({ caller, reply, query }) =>
    sendList(reply, {
      name: 'workflows',
      columns: workflowColumns,
      read: async (page) =>
        (await asCaller(deps, caller, (tx) => listWorkflows(tx, caller, { ...query, ...page }))).items,
    }),
  );

  bind(workflows.get, ({ caller, request, params }) =>
    asCaller(deps, caller, (tx) => readWorkflow(tx, caller, params.id, localeOf(request))),
  );

  bind(workflows.create, async ({ caller, request, body }) => {
    await demandFreeName(deps, caller, body.name);
    return asCaller(deps, caller, async (tx) => {
      const organizationId = await organizationOfNew(tx, caller, body.organizationId);
      const draft = await makeStarter(tx, caller, { key: body.template, locale: localeOf(request), organizationId });
      const id = await insertWorkflow(tx, caller, { ...body, organizationId, draft });
      await audit(tx, request, { act: 'workflow.create', object: id, after: { name: body.name, organizationId } });
      if (body.isPublished) {
        demand(caller, 'workflows.edit');
        await publishDraft(tx, request, { id, userId: caller.userId });
      }
      return readWorkflow(tx, caller, id, localeOf(request));
    });
  });

  bind(workflows.saveDraft, async ({ caller, request, params, body }) => {
    await demandFreeName(deps, caller, body.name, params.id);
    return asCaller(deps, caller, async (tx) => {
      const before = found(await findWorkflow(tx, caller, params.id));
      demandActions(caller, draftOf(before), body.draft);
      const { count } = await tx.workflow.updateMany({
        where: { id: params.id, draftVersion: body.draftRevision, deletedAt: null },
        data: {
          name: body.name,
          description: body.description,
          draft: toJson(body.draft),
          draftVersion: { increment: 1 },
          updatedAt: new Date(),
        },
      });
      if (count === 0) throw problem('resource.conflict');
      return readWorkflow(tx, caller, params.id, localeOf(request));
    });
  });

  bind(workflows.publish, ({ caller, request, params }) =>
    asCaller(deps, caller, async (tx) => {
      found(await findWorkflow(tx, caller, params.id));
      await publishDraft(tx, request, { id: params.id, userId: caller.userId });
      return readWorkflow(tx, caller, params.id, localeOf(request));
    }),
  );

  bind(workflows.versions, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => {
      found(await findWorkflow(tx, caller, params.id));
      const rows = await tx.workflowVersion.findMany({
        // Drafts that are tried are numbered below 0.
        where: { workflowId: params.id, no: { gt: 0 } },
        select: {
          no: true,
          createdAt: true,
          publishedBy: { select: { firstName: true, lastName: true } },
          _count: { select: { sessions: true } },
        },
        orderBy: { no: 'desc' },
      });
      return rows.map((row) => ({
        version: row.no,
        publishedAt: row.createdAt.toISOString(),
        publishedBy: row.publishedBy ? `${row.publishedBy.firstName} ${row.publishedBy.lastName}`.trim() : '',
        sessionCount: row._count.sessions,
      }));
    }),
  );

  bind(workflows.version, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => {
      // Also for a deleted workflow, because its sessions are kept and show the graph they ran.
      const row = found(await tx.workflowVersion.findFirst({ where: { workflowId: params.id, no: params.version } }));
      return { version: row.no, definition: draftOf({ draft: row.definition }) };
    }),
  );

  bind(workflows.standing, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => {
      found(await findWorkflow(tx, caller, params.id));
      const rows = await tx.stepRun.groupBy({
        by: ['nodeId'],
        where: {
          status: { in: [...standingStatuses] },
          session: { workflowId: params.id, deletedAt: null, isTrial: false },
        },
        _count: { _all: true },
        _min: { readyAt: true },
      });
      return rows.flatMap(({ nodeId, _count, _min }) =>
        _min.readyAt ? [{ stepId: nodeId, sessions: _count._all, oldestAt: _min.readyAt.toISOString() }] : [],
      );
    }),
  );

  bind(workflows.validate, ({ caller, request, body }) =>
    asCaller(deps, caller, async (tx) => {
      const { issues } = await workflowIssues(tx, body, body.definition);
      return inWords(localeOf(request), issues);
    }),
  );

  bind(workflows.keepSecret, ({ caller, request, body }) =>
    asCaller(deps, caller, async (tx) => {
      const { subscriberId } = caller;
      const id = await keepSecret(tx, deps.keys, { subscriberId, purpose: actionSecretPurpose, text: body.text });
      await audit(tx, request, { act: 'workflow.keepSecret', object: id });
      return { id };
    }),
  );

  bind(workflows.setEnabled, ({ caller, request, params, body }) =>
    asCaller(deps, caller, async (tx) => {
      found(await findWorkflow(tx, caller, params.id));
      await tx.workflow.update({ where: { id: params.id }, data: body, select: { id: true } });
      await audit(tx, request, { act: 'workflow.enable', object: params.id, after: body });
      return readWorkflow(tx, caller, params.id, localeOf(request));
    }),
  );

  bind(workflows.assign, ({ caller, request, params, body }) =>
    asCaller(deps, caller, async (tx) => {
      const row = found(await findWorkflow(tx, caller, params.id));
      const organizationId = await assignWorkflow(tx, caller, { row, given: body.organizationId });
      await tx.workflow.update({ where: { id: params.id }, data: { organizationId }, select: { id: true } });
      await audit(tx, request, {
        act: 'workflow.assign',
        object: params.id,
        before: { organizationId: row.organizationId },
        after: { organizationId },
      });
      return readWorkflow(tx, caller, params.id, localeOf(request));
    }),
  );

  bind(workflows.copy, async ({ caller, request, params, body }) => {
    const { name } = body;
    await demandFreeName(deps, caller, name);
    return asCaller(deps, caller, async (tx) => {
      const source = found(await findWorkflow(tx, caller, params.id));
      const { description } = source;
      const given = body.organizationId === undefined ? (source.organizationId ?? undefined) : body.organizationId;
      const organizationId = await organizationOfNew(tx, caller, given);
      const id = await insertWorkflow(tx, caller, { organizationId, name, description, draft: draftOf(source) });
      await audit(tx, request, { act: 'workflow.copy', object: id, after: { from: params.id, name, organizationId } });
      return readWorkflow(tx, caller, id, localeOf(request));
    });
  });

  bind(workflows.usage, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => usageOf(tx, found(await findWorkflow(tx, caller, params.id)))),
  );

  bind(workflows.remove, ({ caller, request, params }) =>
    asCaller(deps, caller, async (tx) => {
      const row = found(await findWorkflow(tx, caller, params.id));
      await tx.organizationWorkflow.deleteMany({ where: { workflowId: params.id } });
      await tx.workflow.update({
        where: { id: params.id },
        data: { deletedAt: new Date(), isEnabled: false },
        select: { id: true },
      });
      await audit(tx, request, { act: 'workflow.delete', object: params.id, before: { name: row.name } });
      return {};
    }),
  );

  bind(workflows.export, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => exportWorkflow(tx, found(await findWorkflow(tx, caller, params.id)))),
  );

  bind(workflows.import, async ({ caller, request, query, body }) => {
    const name = await freeWorkflowName(deps, caller, body.name);
    return asCaller(deps, caller, async (tx) => {
      const organizationId = await organizationOfNew(tx, caller, query.organizationId);
      const draft = await importProfiles(tx, deps, caller, { document: body, organizationId });
      const id = await insertWorkflow(tx, caller, { organizationId, name, description: body.description, draft });
      await audit(tx, request, { act: 'workflow.import', object: id, after: { name, organizationId } });
      return readWorkflow(tx, caller, id, localeOf(request));
    });
  });
}
