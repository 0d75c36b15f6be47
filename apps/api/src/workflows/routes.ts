import { problem, routes, type WorkflowDefinition } from '@pdf2press/contract';
import { actionSecretPurpose, publishWorkflow, workflowIssues } from '@pdf2press/engine';
import { keepSecret } from '@pdf2press/engine/secrets';
import { newId, type Transaction, toJson } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { found, pageWindow } from '../frame/rows.ts';
import { standingStatuses } from '../sessions/read-list.ts';
import { exportWorkflow, freeWorkflowName, importProfiles } from './carry.ts';
import { makeStarter } from './make-starter.ts';
import { demandNoIssues, draftOf, findWorkflow, inWords, readWorkflow, summariesOf } from './read-workflow.ts';
import { usageOf } from './usage.ts';

/** Workflow names are unique because lists to choose from show only the name. */
async function demandFreeName(tx: Transaction, name: string, except?: string): Promise<void> {
  const other = await tx.workflow.findFirst({
    where: { deletedAt: null, name: { equals: name, mode: 'insensitive' }, ...(except ? { id: { not: except } } : {}) },
  });
  if (other) throw problem('resource.nameTaken', { name }, 'name');
}

const actionSteps = ({ steps }: WorkflowDefinition) => JSON.stringify(steps.filter(({ kind }) => kind === 'Action'));

/** Action steps, which call other systems, need a permission of their own. */
function demandActions(caller: Caller, before: WorkflowDefinition | undefined, after: WorkflowDefinition): void {
  if (actionSteps(after) !== (before ? actionSteps(before) : '[]')) demand(caller, 'workflows.actions.edit');
}

interface NewWorkflow {
  name: string;
  description: string;
  draft: WorkflowDefinition;
}

async function insertWorkflow(
  tx: Transaction,
  caller: Caller,
  { name, description, draft }: NewWorkflow,
): Promise<string> {
  await demandFreeName(tx, name);
  demandActions(caller, undefined, draft);
  const id = newId('workflow');
  await tx.workflow.create({ data: { id, name, description, draft: toJson(draft), createdById: caller.userId } });
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

/** Long because it is a list: one handler per route of the contract. */
export function bindWorkflows(bind: Bind, deps: ApiDeps): void {
  const { workflows } = routes;

  bind(workflows.list, ({ caller, query }) =>
    asCaller(deps, caller, async (tx) => {
      const where = {
        deletedAt: null,
        isTrial: false,
        ...(query.isEnabled === undefined ? {} : { isEnabled: query.isEnabled }),
        ...(query.search ? { name: { contains: query.search, mode: 'insensitive' as const } } : {}),
      };
      const rows = await tx.workflow.findMany({
        where,
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
        ...pageWindow(query),
      });
      const total = await tx.workflow.count({ where });
      return { items: await summariesOf(tx, rows), total, page: query.page, pageSize: query.pageSize };
    }),
  );

  bind(workflows.get, ({ caller, request, params }) =>
    asCaller(deps, caller, (tx) => readWorkflow(tx, params.id, localeOf(request))),
  );

  bind(workflows.create, ({ caller, request, body }) =>
    asCaller(deps, caller, async (tx) => {
      const draft = await makeStarter(tx, caller, body.template, localeOf(request));
      const id = await insertWorkflow(tx, caller, { ...body, draft });
      await audit(tx, request, { act: 'workflow.create', object: id, after: { name: body.name } });
      if (body.isPublished) {
        demand(caller, 'workflows.edit');
        await publishDraft(tx, request, { id, userId: caller.userId });
      }
      return readWorkflow(tx, id, localeOf(request));
    }),
  );

  bind(workflows.saveDraft, ({ caller, request, params, body }) =>
    asCaller(deps, caller, async (tx) => {
      const before = found(await findWorkflow(tx, params.id));
      demandActions(caller, draftOf(before), body.draft);
      await demandFreeName(tx, body.name, params.id);
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
      return readWorkflow(tx, params.id, localeOf(request));
    }),
  );

  bind(workflows.publish, ({ caller, request, params }) =>
    asCaller(deps, caller, async (tx) => {
      found(await findWorkflow(tx, params.id));
      await publishDraft(tx, request, { id: params.id, userId: caller.userId });
      return readWorkflow(tx, params.id, localeOf(request));
    }),
  );

  bind(workflows.versions, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => {
      found(await findWorkflow(tx, params.id));
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
      found(await findWorkflow(tx, params.id));
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
      const { issues } = await workflowIssues(tx, body.name, body.definition);
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
      found(await findWorkflow(tx, params.id));
      await tx.workflow.update({ where: { id: params.id }, data: body, select: { id: true } });
      await audit(tx, request, { act: 'workflow.enable', object: params.id, after: body });
      return readWorkflow(tx, params.id, localeOf(request));
    }),
  );

  bind(workflows.copy, ({ caller, request, params, body }) =>
    asCaller(deps, caller, async (tx) => {
      const source = found(await findWorkflow(tx, params.id));
      const { description } = source;
      const id = await insertWorkflow(tx, caller, { name: body.name, description, draft: draftOf(source) });
      await audit(tx, request, { act: 'workflow.copy', object: id, after: { from: params.id, name: body.name } });
      return readWorkflow(tx, id, localeOf(request));
    }),
  );

  bind(workflows.usage, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) => usageOf(tx, found(await findWorkflow(tx, params.id)))),
  );

  bind(workflows.remove, ({ caller, request, params }) =>
    asCaller(deps, caller, async (tx) => {
      const row = found(await findWorkflow(tx, params.id));
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
    asCaller(deps, caller, async (tx) => exportWorkflow(tx, found(await findWorkflow(tx, params.id)))),
  );

  bind(workflows.import, ({ caller, request, body }) =>
    asCaller(deps, caller, async (tx) => {
      const draft = await importProfiles(tx, deps, caller, body);
      const name = await freeWorkflowName(tx, body.name);
      const id = await insertWorkflow(tx, caller, { name, description: body.description, draft });
      await audit(tx, request, { act: 'workflow.import', object: id, after: { name } });
      return readWorkflow(tx, id, localeOf(request));
    }),
  );
}
