import { contractMessages, noticeSeverities, routes, sentence } from '@pdf2press/contract';
import { goesByHook, mailedPreference, mutedPreference, noticeKinds, showNotice } from '@pdf2press/engine';
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

const ownOf = ({ userId }: Caller) => ({ OR: [{ userId }, { userId: null }] });

/** What a person has chosen, among the preferences that the server keeps. */
interface Choice {
  muted: readonly string[];
  mailed: readonly string[];
}

async function choiceOf(tx: Transaction, { userId }: Caller): Promise<Choice> {
  const person = userId ? await tx.user.findFirst({ where: { id: userId }, select: { preferences: true } }) : null;
  const listed = (key: string): readonly string[] => {
    const kept = (person?.preferences as Record<string, unknown> | null)?.[key];
    return Array.isArray(kept) ? kept.map(String) : [];
  };
  return { muted: listed(mutedPreference), mailed: listed(mailedPreference) };
}

/** The kinds that the caller may be told of, in the order of the catalogue. */
const kindsOf = (caller: Caller) =>
  noticeKinds.filter(({ to }) => {
    if (to === 'all') return true;
    if (to === 'house') return caller.hostPermissions.has('notifications.system.manage');
    return to.some((permission) => caller.permissions.has(permission));
  });

const listKinds = (request: FastifyRequest, caller: Caller, { muted, mailed }: Choice) =>
  kindsOf(caller).map(({ kind }) => ({
    kind,
    label: sentence(contractMessages, localeOf(request), `noticeKind.${kind}`),
    isMuted: muted.includes(kind),
    isMailed: mailed.includes(kind),
    goesByHook: goesByHook(kind),
  }));

const severityOf = (text: string) => noticeSeverities.find((severity) => severity === text) ?? 'Info';

/** What people are told at the bell: reading it, having read it, and not being told of a kind any more. */
export function bindNotices(bind: Bind, deps: ApiDeps): void {
  bind(system.notifications, async ({ caller, request }) => {
    const locale = localeOf(request);
    const { rows, choice } = await asCaller(deps, caller, async (tx) => ({
      rows: await tx.notification.findMany({ where: ownOf(caller), orderBy: { createdAt: 'desc' }, take: 200 }),
      choice: await choiceOf(tx, caller),
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
      .filter(({ kind }) => !choice.muted.includes(kind))
      .slice(0, 100);
  });

  bind(system.noticeKinds, async ({ caller, request }) =>
    listKinds(request, caller, await asCaller(deps, caller, (tx) => choiceOf(tx, caller))),
  );

  bind(system.muteNotices, async ({ caller, request, body }) => {
    const id = personId(caller);
    const known = new Set(kindsOf(caller).map(({ kind }) => kind));
    const muted = body.muted.filter((kind) => known.has(kind));
    const choice = await asCaller(deps, caller, async (tx) => {
      const mailed = body.mailed?.filter((kind) => known.has(kind)) ?? (await choiceOf(tx, caller)).mailed;
      await tx.$executeRaw`
        update users set preferences = preferences || jsonb_build_object(
                 ${mutedPreference}::text, ${muted}::text[], ${mailedPreference}::text, ${mailed}::text[])
         where subscriber_id = current_subscriber() and id = ${id}`;
      return { muted, mailed };
    });
    return listKinds(request, caller, choice);
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
