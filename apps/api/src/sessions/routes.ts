import { Readable } from 'node:stream';
import { problem, routes, type SessionAction } from '@pdf2press/contract';
import {
  archiveSession,
  deleteSession,
  readEvents,
  restartSession,
  resumeSession,
  type SessionCommand,
  stopSession,
  unarchiveSession,
} from '@pdf2press/engine';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf, problemsOf, wireError } from '../frame/errors.ts';
import { found, pageWindow } from '../frame/rows.ts';
import { createSession } from './create.ts';
import { csvHead, csvLine } from './csv.ts';
import { attachment, sendFile } from './download.ts';
import { streamEvents } from './live.ts';
import { readPages, sendThumbnail, sendTile } from './pages.ts';
import { readFixes } from './read-fixes.ts';
import { listItemsOf, permissionOf, readRows, whereOf } from './read-list.ts';
import { readReport } from './read-report.ts';
import { readSession } from './read-session.ts';

type Command = (deps: ApiDeps, caller: Caller, ask: Omit<SessionCommand, 'by'>) => Promise<void>;

const command =
  (run: typeof stopSession): Command =>
  (deps, caller, ask) =>
    run(deps.engine, contextOf(caller), { ...ask, by: actorOf(caller) });

const commands: Record<SessionAction, Command> = {
  stop: command(stopSession),
  resume: command(resumeSession),
  restart: command(restartSession),
  delete: command(deleteSession),
  archive: command(archiveSession),
  unarchive: command(unarchiveSession),
};

const exportBatch = 2000;
const exportRows = 100_000;

export function bindSessions(bind: Bind, deps: ApiDeps): void {
  const { sessions } = routes;

  bind(sessions.list, async ({ caller, query }) => {
    const { status, ...others } = query;
    // Counting takes as long as finding the rows of a search, so that they go side by side.
    const [groups, items] = await Promise.all([
      // One count by status serves the filter's numbers and the total: the list is counted once.
      asCaller(deps, caller, (tx) =>
        tx.session.groupBy({ by: ['status'], where: whereOf(others), _count: { _all: true } }),
      ),
      asCaller(deps, caller, async (tx) => {
        const rows = await readRows(tx, { where: whereOf(query), ...query, ...pageWindow(query) });
        return listItemsOf(tx, caller, rows);
      }),
    ]);
    const counted = groups.filter((group) => !status || status.includes(group.status));
    return {
      items,
      total: counted.reduce((sum, group) => sum + group._count._all, 0),
      page: query.page,
      pageSize: query.pageSize,
      statusCounts: Object.fromEntries(groups.map((group) => [group.status, group._count._all])),
    };
  });

  bind(sessions.create, ({ caller, request }) => createSession(deps, caller, request));

  const read = (caller: Caller, request: Parameters<typeof localeOf>[0], id: string) =>
    asCaller(deps, caller, (tx) => readSession(tx, caller, localeOf(request), id));

  bind(sessions.fixes, ({ caller, request, params }) => readFixes(deps, caller, localeOf(request), params.id));

  bind(sessions.get, ({ caller, request, params }) => read(caller, request, params.id));

  for (const action of ['stop', 'resume', 'restart'] as const)
    bind(sessions[action], async ({ caller, request, params, body }) => {
      await commands[action](deps, caller, {
        sessionId: params.id,
        ...(body.version === undefined ? {} : { version: body.version }),
      });
      return read(caller, request, params.id);
    });

  const remove = async (caller: Caller, request: Parameters<typeof audit>[1], id: string) => {
    await commands.delete(deps, caller, { sessionId: id });
    await asCaller(deps, caller, (tx) => audit(tx, request, { act: 'session.delete', object: id }));
  };

  bind(sessions.remove, async ({ caller, request, params }) => {
    await remove(caller, request, params.id);
    return {};
  });

  bind(sessions.bulk, async ({ caller, request, body }) => {
    demand(caller, permissionOf(body.action));
    const isArchiving = body.action === 'archive' || body.action === 'unarchive';
    if (isArchiving && !caller.features.has('Archiving')) throw problem('access.featureNotInPlan');
    const results: { id: string; success: boolean; error?: { code: string; message: string } }[] = [];
    for (const id of new Set(body.ids)) {
      try {
        if (body.action === 'delete') await remove(caller, request, id);
        else await commands[body.action](deps, caller, { sessionId: id });
        results.push({ id, success: true });
      } catch (error) {
        const [first] = problemsOf(error) ?? [];
        if (!first) throw error;
        results.push({ id, success: false, error: wireError(localeOf(request), first) });
      }
    }
    return results;
  });

  bind(sessions.events, async ({ caller, params }) => {
    await asCaller(deps, caller, async (tx) =>
      found(await tx.session.findFirst({ where: { id: params.id }, select: { id: true } })),
    );
    return readEvents(deps.db, contextOf(caller), { sessionId: params.id, after: 0, limit: 5000 });
  });

  bind(sessions.live, async ({ caller, request, reply, query }) => {
    const { sessionId } = query;
    if (sessionId)
      await asCaller(deps, caller, async (tx) =>
        found(await tx.session.findFirst({ where: { id: sessionId }, select: { id: true } })),
      );
    await streamEvents(deps, { caller, request, reply, sessionId });
  });

  bind(sessions.export, async ({ caller, reply, query }) => {
    async function* lines() {
      yield csvHead;
      for (let skip = 0; skip < exportRows; skip += exportBatch) {
        const items = await asCaller(deps, caller, async (tx) => {
          const rows = await readRows(tx, { where: whereOf(query), ...query, skip, take: exportBatch });
          return listItemsOf(tx, caller, rows);
        });
        yield items.map(csvLine).join('');
        if (items.length < exportBatch) return;
      }
    }
    whereOf(query); // a filter that cannot be read is told before the first byte
    const day = new Date().toISOString().slice(0, 10);
    reply.headers({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': attachment(`sessions-${day}.csv`),
      'Cache-Control': 'no-store',
    });
    return Readable.from(lines());
  });

  bind(sessions.file, ({ caller, request, reply, params }) => sendFile(deps, { caller, request, reply, ...params }));

  bind(sessions.pages, ({ caller, params, query }) => readPages(deps, caller, params.id, query.version));

  bind(sessions.report, ({ caller, request, params }) =>
    readReport(deps, caller, { ...params, locale: localeOf(request) }),
  );

  bind(sessions.tile, ({ caller, request, reply, params, query }) => {
    const { id, page, version, layer, dpi, tile } = params;
    return sendTile(deps, { caller, request, reply, id, page, version, name: `${layer}/${dpi}/${tile}`, v: query.v });
  });

  bind(sessions.thumbnail, ({ caller, request, reply, params, query }) =>
    sendThumbnail(deps, { caller, request, reply, ...params, ...query }),
  );
}
