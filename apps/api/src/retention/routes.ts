import { type AuditAct, type Permission, type RetentionAction, routes } from '@pdf2press/contract';
import {
  archiveSession,
  countDueFiles,
  keepLonger,
  readDueFiles,
  removeFilesNow,
  setLegalHold,
} from '@pdf2press/engine';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { actorOf, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { localeOf, problemsOf, wireError } from '../frame/errors.ts';
import { pageWindow } from '../frame/rows.ts';
import { dueFileColumns } from './csv.ts';

type Ask = Parameters<typeof removeFilesNow>[2];
type Act = (deps: ApiDeps['engine'], context: ReturnType<typeof contextOf>, ask: Ask, days: number) => Promise<void>;

const acts: Record<RetentionAction, { permission: Permission; act: AuditAct; run: Act }> = {
  extend: {
    permission: 'retention.manage',
    act: 'retention.extend',
    run: (deps, context, ask, days) => keepLonger(deps, context, { ...ask, days }),
  },
  hold: {
    permission: 'retention.manage',
    act: 'retention.hold',
    run: (deps, context, ask) => setLegalHold(deps, context, { ...ask, isHeld: true }),
  },
  release: {
    permission: 'retention.manage',
    act: 'retention.release',
    run: (deps, context, ask) => setLegalHold(deps, context, { ...ask, isHeld: false }),
  },
  archiveNow: {
    permission: 'sessions.archive',
    act: 'session.archive',
    run: (deps, context, ask) => archiveSession(deps, context, ask),
  },
  deleteNow: {
    permission: 'retention.delete',
    act: 'retention.deleteNow',
    run: (deps, context, ask) => removeFilesNow(deps, context, ask),
  },
};

export function bindRetention(bind: Bind, deps: ApiDeps): void {
  const { retention } = routes;

  bind(retention.due, ({ caller, query }) =>
    asCaller(deps, caller, async (tx) => {
      const { page, pageSize, ...asked } = query;
      const days = await countDueFiles(tx, asked);
      const items = await readDueFiles(tx, asked, pageWindow(query));
      return { items, total: days.reduce((sum, { files }) => sum + files, 0), page, pageSize, days };
    }),
  );

  bind(retention.export, ({ caller, query, reply }) =>
    sendList(reply, {
      name: 'due-files',
      columns: dueFileColumns,
      read: (page) => asCaller(deps, caller, (tx) => readDueFiles(tx, query, pageWindow(page))),
    }),
  );

  bind(retention.act, async ({ caller, request, body }) => {
    const { action, ids, days } = body;
    const { permission, act, run } = acts[action];
    demand(caller, permission);
    const results: { id: string; success: boolean; error?: { code: string; message: string } }[] = [];
    for (const id of new Set(ids)) {
      const ask: Ask = {
        sessionId: id,
        by: actorOf(caller),
        alongside: (tx) =>
          audit(tx, request, {
            act,
            object: id,
            ...(action === 'extend' && { after: { days } }),
          }),
      };
      try {
        await run(deps.engine, contextOf(caller), ask, days);
        results.push({ id, success: true });
      } catch (error) {
        const [first] = problemsOf(error) ?? [];
        if (!first) throw error;
        results.push({ id, success: false, error: wireError(localeOf(request), first) });
      }
    }
    return results;
  });
}
