import { actionPermissions, isHoldAnswer, problem, routes, sessionExportColumns } from '@pdf2press/contract';
import { evaluateSession, overwriteVariables, readEvents, rerouteSession } from '@pdf2press/engine';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { localeOf, problemsOf, wireError } from '../frame/errors.ts';
import { found, pageWindow } from '../frame/rows.ts';
import { ofTrial } from '../trials/read-trial.ts';
import { findWorkflow } from '../workflows/read-workflow.ts';
import { commandSession, replaceSessionFile } from './commands.ts';
import { createSession } from './create.ts';
import { createMany, createNamed } from './create-named.ts';
import { sessionColumns } from './csv.ts';
import { sendFile } from './download.ts';
import { streamEvents } from './live.ts';
import { readPages, sendThumbnail, sendTile } from './pages.ts';
import { countFindings, readFindings } from './read-findings.ts';
import { readFixes } from './read-fixes.ts';
import { demandAction } from './read-holds.ts';
import { countMine, countProofs, listItemsOf, readOnce, readRows, whereOf } from './read-list.ts';
import { readReport } from './read-report.ts';
import { readSession } from './read-session.ts';
import { sendResult, sendResults } from './results.ts';
import { unlockSession } from './unlock.ts';

/** Tells somebody who draws a workflow who else does. */
async function streamDraft(
  deps: ApiDeps,
  {
    workflowId,
    ...stream
  }: Pick<Parameters<typeof streamEvents>[1], 'caller' | 'request' | 'reply'> & { workflowId: string },
): Promise<void> {
  const { caller } = stream;
  demand(caller, 'workflows.edit');
  await asCaller(deps, caller, async (tx) => found(await findWorkflow(tx, caller, workflowId)));
  const { kind, id, name, subscriberId } = caller;
  // A program has nothing open.
  const seat = kind === 'user' ? { seat: deps.events.presence.join({ subscriberId, workflowId, id, name }) } : {};
  await streamEvents(deps, { ...stream, of: null, ...seat });
}

/** Long because it is a list: one handler per route of the contract. */
export function bindSessions(bind: Bind, deps: ApiDeps): void {
  const { sessions } = routes;

  bind(sessions.list, async ({ caller, query }) => {
    const { status, ...others } = query;
    const every = await asCaller(deps, caller, async (tx) => readOnce(tx, await whereOf(tx, caller, others), query));
    const where = status ? { AND: [every, { status: { in: status } }] } : every;
    // Counting takes longer than finding the rows, so both run in parallel.
    const [groups, items, waiting] = await Promise.all([
      // One count by status gives the filter's numbers and the total.
      asCaller(deps, caller, (tx) => tx.session.groupBy({ by: ['status'], where: every, _count: { _all: true } })),
      asCaller(deps, caller, async (tx) => {
        const rows = await readRows(tx, { ...query, where, ...pageWindow(query) });
        return listItemsOf(tx, caller, rows);
      }),
      asCaller(deps, caller, async (tx) => ({
        waitingForMe: await countMine(tx, caller),
        proofs: await countProofs(tx, caller),
      })),
    ]);
    const counted = groups.filter((group) => !status || status.includes(group.status));
    return {
      items,
      total: counted.reduce((sum, group) => sum + group._count._all, 0),
      page: query.page,
      pageSize: query.pageSize,
      statusCounts: Object.fromEntries(groups.map((group) => [group.status, group._count._all])),
      ...waiting,
    };
  });

  bind(sessions.create, async ({ caller, request, reply }) => {
    if (request.isMultipart()) return createSession(deps, caller, request);
    const created = await createNamed(deps, caller, request);
    if (created.id === null) reply.code(202);
    return created;
  });

  bind(sessions.createMany, ({ caller, request, body }) => createMany(deps, caller, request, body.items));

  const read = (caller: Caller, request: Parameters<typeof localeOf>[0], id: string) =>
    asCaller(deps, caller, (tx) => readSession(tx, caller, localeOf(request), id));

  bind(sessions.findings, ({ caller, request, params, query }) =>
    asCaller(deps, caller, (tx) => readFindings(tx, caller, localeOf(request), { id: params.id, ...query })),
  );

  bind(sessions.findingCounts, ({ caller, request, params, query }) =>
    asCaller(deps, caller, (tx) => countFindings(tx, localeOf(request), { id: params.id, ...query })),
  );

  bind(sessions.fixes, ({ caller, request, params }) => readFixes(deps, caller, localeOf(request), params.id));

  bind(sessions.get, ({ caller, request, params }) => read(caller, request, params.id));

  for (const action of ['stop', 'resume', 'restart', 'cancel'] as const)
    bind(sessions[action], async ({ caller, request, params, body }) => {
      const { version } = body;
      const ask = { sessionId: params.id, ...(version !== undefined && { version }) };
      await commandSession(deps, { caller, request, action, ask });
      return read(caller, request, params.id);
    });

  bind(sessions.continue, async ({ caller, request, params, body }) => {
    const { version, variables } = body;
    const ask = { sessionId: params.id, variables, ...(version !== undefined && { version }) };
    await commandSession(deps, { caller, request, action: 'continue', ask });
    return read(caller, request, params.id);
  });

  bind(sessions.replaceFile, async ({ caller, request, params }) => {
    await replaceSessionFile(deps, { caller, request, id: params.id });
    return read(caller, request, params.id);
  });

  bind(sessions.unlock, async ({ caller, request, params, body }) => {
    await unlockSession(deps, { caller, request, id: params.id, body });
    return read(caller, request, params.id);
  });

  bind(sessions.reroute, async ({ caller, request, params, body }) => {
    await demandAction(deps, caller, { action: 'reroute', sessionId: params.id });
    const { version, ...rest } = body;
    await rerouteSession(deps.engine, contextOf(caller), {
      sessionId: params.id,
      by: actorOf(caller),
      ...rest,
      ...(version !== undefined && { version }),
      alongside: (tx, to) =>
        audit(tx, request, { act: 'session.reroute', object: params.id, after: { to, workflowId: body.workflowId } }),
    });
    return read(caller, request, params.id);
  });

  bind(sessions.overwriteVariables, async ({ caller, request, params, body }) => {
    const { version, variables } = body;
    await overwriteVariables(deps.engine, contextOf(caller), {
      sessionId: params.id,
      by: actorOf(caller),
      variables,
      ...(version !== undefined && { version }),
      alongside: (tx) => audit(tx, request, { act: 'session.overwriteVariables', object: params.id, after: variables }),
    });
    return read(caller, request, params.id);
  });

  bind(sessions.remove, async ({ caller, request, params }) => {
    await commandSession(deps, { caller, request, action: 'delete', ask: { sessionId: params.id } });
    return {};
  });

  bind(sessions.bulk, async ({ caller, request, body }) => {
    if (!isHoldAnswer(body.action)) demand(caller, actionPermissions[body.action]);
    const isArchiving = body.action === 'archive' || body.action === 'unarchive';
    if (isArchiving && !caller.features.has('Archiving')) throw problem('access.featureNotInPlan');
    const results: { id: string; success: boolean; error?: { code: string; message: string } }[] = [];
    for (const id of new Set(body.ids)) {
      try {
        await commandSession(deps, { caller, request, action: body.action, ask: { sessionId: id } });
        results.push({ id, success: true });
      } catch (error) {
        const [first] = problemsOf(error) ?? [];
        if (!first) throw error;
        results.push({ id, success: false, error: wireError(localeOf(request), first) });
      }
    }
    return results;
  });

  bind(sessions.evaluate, ({ caller, params, body }) => {
    const { stepId, ...rest } = body;
    const question = { sessionId: params.id, ...rest, ...(stepId !== undefined && { stepId }) };
    return evaluateSession(deps.engine, contextOf(caller), question);
  });

  bind(sessions.events, async ({ caller, params }) => {
    await asCaller(deps, caller, async (tx) =>
      found(await tx.session.findFirst({ where: { id: params.id }, select: { id: true } })),
    );
    return readEvents(deps.db, contextOf(caller), { sessionId: params.id, after: 0, limit: 5000 });
  });

  bind(sessions.live, async ({ caller, request, reply, query }) => {
    const { sessionId, trialId, workflowId } = query;
    if (workflowId !== undefined) return streamDraft(deps, { caller, request, reply, workflowId });
    demand(caller, trialId && !sessionId ? 'workflows.edit' : 'sessions.view');
    const id = sessionId ?? trialId;
    if (id !== undefined)
      await asCaller(deps, caller, async (tx) =>
        found(await tx.session.findFirst({ where: sessionId ? { id } : ofTrial(id), select: { id: true } })),
      );
    await streamEvents(deps, { caller, request, reply, of: query });
  });

  bind(sessions.export, async ({ caller, reply, query }) => {
    const { columns, ...filter } = query;
    const names = columns ? sessionExportColumns.filter((name) => columns.includes(name)) : sessionExportColumns;
    // Sessions that arrive during the export would move rows from one batch into the next.
    const asked = await asCaller(deps, caller, (tx) => whereOf(tx, caller, filter));
    const where = { AND: [asked, { createdAt: { lte: new Date() } }] };
    return sendList(reply, {
      name: 'sessions',
      columns: Object.fromEntries(names.map((name) => [name, sessionColumns[name]])),
      read: (page) =>
        asCaller(deps, caller, async (tx) =>
          listItemsOf(tx, caller, await readRows(tx, { ...filter, where, ...pageWindow(page) })),
        ),
    });
  });

  bind(sessions.file, ({ caller, request, reply, params }) => sendFile(deps, { caller, request, reply, ...params }));

  bind(sessions.pages, ({ caller, params, query }) => readPages(deps, contextOf(caller), params.id, query.version));
  bind(sessions.result, ({ caller, request, reply, params }) =>
    sendResult(deps, { caller, request, reply }, params.id),
  );

  bind(sessions.results, ({ caller, request, reply, query }) =>
    sendResults(deps, { caller, request, reply }, query.ids),
  );

  bind(sessions.report, ({ caller, request, params }) =>
    readReport(deps, caller, { ...params, locale: localeOf(request) }),
  );

  bind(sessions.tile, ({ caller, request, reply, params, query }) => {
    const { id, page, version, layer, dpi, tile } = params;
    return sendTile(deps, {
      context: contextOf(caller),
      request,
      reply,
      id,
      page,
      version,
      name: `${layer}/${dpi}/${tile}`,
      v: query.v,
    });
  });

  bind(sessions.thumbnail, ({ caller, request, reply, params, query }) =>
    sendThumbnail(deps, { context: contextOf(caller), request, reply, ...params, ...query }),
  );
}
