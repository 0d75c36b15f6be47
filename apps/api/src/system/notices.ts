import { contractMessages, noticeSeverities, routes, sentence } from '@pdf2press/contract';
import { noticeKinds, showNotice } from '@pdf2press/engine';
import type { Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';
import { personId } from '../me/routes.ts';

const { system } = routes;

/** Where a person's muted kinds stand among the preferences that the server keeps. */
const preference = 'mutedNotices';

const ownOf = ({ userId }: Caller) => ({ OR: [{ userId }, { userId: null }] });

async function mutedOf(tx: Transaction, { userId }: Caller): Promise<readonly string[]> {
  const person = userId ? await tx.user.findFirst({ where: { id: userId }, select: { preferences: true } }) : null;
  const kept = (person?.preferences as Record<string, unknown> | null)?.[preference];
  return Array.isArray(kept) ? kept.map(String) : [];
}

/** The kinds that the caller may be told of, in the order of the catalogue. */
const kindsOf = (caller: Caller) =>
  noticeKinds.filter(({ to }) => {
    if (to === 'all') return true;
    if (to === 'house') return caller.hostPermissions.has('notifications.system.manage');
    return to.some((permission) => caller.permissions.has(permission));
  });

const listKinds = (request: FastifyRequest, caller: Caller, muted: readonly string[]) =>
  kindsOf(caller).map(({ kind }) => ({
    kind,
    label: sentence(contractMessages, localeOf(request), `noticeKind.${kind}`),
    isMuted: muted.includes(kind),
  }));

const severityOf = (text: string) => noticeSeverities.find((severity) => severity === text) ?? 'Info';

/** What people are told at the bell: reading it, having read it, and not being told of a kind any more. */
export function bindNotices(bind: Bind, deps: ApiDeps): void {
  bind(system.notifications, async ({ caller, request }) => {
    const locale = localeOf(request);
    const { rows, muted } = await asCaller(deps, caller, async (tx) => ({
      rows: await tx.notification.findMany({ where: ownOf(caller), orderBy: { createdAt: 'desc' }, take: 200 }),
      muted: await mutedOf(tx, caller),
    }));
    return rows
      .map((row) => {
        const params = (row.data ?? {}) as Record<string, unknown>;
        return {
          id: row.id,
          code: row.kind,
          severity: severityOf(row.severity),
          params,
          ...showNotice(locale, row.kind, params),
          at: row.createdAt.toISOString(),
          endedAt: row.endedAt?.toISOString() ?? null,
          isRead: row.readAt !== null,
        };
      })
      .filter(({ kind }) => !muted.includes(kind))
      .slice(0, 100);
  });

  bind(system.noticeKinds, async ({ caller, request }) =>
    listKinds(request, caller, await asCaller(deps, caller, (tx) => mutedOf(tx, caller))),
  );

  bind(system.muteNotices, async ({ caller, request, body }) => {
    const id = personId(caller);
    const known = new Set(kindsOf(caller).map(({ kind }) => kind));
    const muted = body.muted.filter((kind) => known.has(kind));
    await asCaller(
      deps,
      caller,
      (tx) => tx.$executeRaw`
        update users set preferences = preferences || jsonb_build_object(${preference}::text, ${muted}::text[])
         where subscriber_id = current_subscriber() and id = ${id}`,
    );
    return listKinds(request, caller, muted);
  });

  bind(system.markNotificationsRead, async ({ caller }) => {
    await asCaller(deps, caller, (tx) =>
      tx.notification.updateMany({ where: { readAt: null, ...ownOf(caller) }, data: { readAt: new Date() } }),
    );
    return {};
  });

  bind(system.markNotificationRead, async ({ caller, params }) => {
    const { count } = await asCaller(deps, caller, (tx) =>
      tx.notification.updateMany({ where: { id: params.id, ...ownOf(caller) }, data: { readAt: new Date() } }),
    );
    found(count === 1 ? true : null);
    return {};
  });
}
