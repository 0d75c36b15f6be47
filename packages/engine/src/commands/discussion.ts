import { problem } from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction, toJson } from '@pdf2press/prisma';
import type { Actor, EngineDeps } from '../deps.ts';
import { assigneeNames } from '../sessions/assignees.ts';
import { writeEvents } from '../sessions/events.ts';
import { endNotices, tell } from '../sessions/notices.ts';
import { lockSession, type SessionRow } from '../sessions/session-row.ts';

interface About {
  sessionId: string;
  by: Actor;
}

/** A session that people may talk about, locked, so that events keep the order of what happened. */
async function discussed(tx: Transaction, sessionId: string): Promise<SessionRow> {
  const session = await lockSession(tx, sessionId);
  if (!session || session.isTrial) throw problem('resource.notFound');
  if (session.isDeleted) throw problem('session.deleted');
  return session;
}

/** @throws ProblemError `request.invalid` for an id that is neither a person nor a role */
async function namesOf(tx: Transaction, ids: readonly string[], field: string): Promise<ReadonlyMap<string, string>> {
  const names = await assigneeNames(tx, ids);
  if (ids.some((id) => !names.has(id))) throw problem('request.invalid', {}, field);
  return names;
}

/**
 * Writes a comment on a session and notifies whom it mentions, as far as they may see the session. The session's history
 * says that there is a comment, and not what it says: customers may read the history.
 * @returns id of the comment
 * @throws ProblemError `resource.notFound`, `session.deleted`, `request.invalid`
 */
export const commentOn = (
  deps: EngineDeps,
  context: SubscriberContext,
  { sessionId, by, text, mentions }: About & { text: string; mentions: readonly string[] },
): Promise<string> =>
  deps.database.withSubscriber(context, async (tx) => {
    const session = await discussed(tx, sessionId);
    const ids = [...new Set(mentions)];
    await namesOf(tx, ids, 'mentions');
    const id = newId('sessionComment');
    await tx.sessionComment.create({
      data: { id, sessionId, author: toJson(by), text, mentions: ids },
    });
    if (ids.length > 0) await tell(tx, { kind: 'session.mentioned', sessionId, to: { ids }, by });
    await writeEvents(tx, [
      {
        sessionId,
        runNo: session.runNo,
        kind: 'Commented',
        cause: `${id} written`,
        actor: by,
        data: {},
      },
    ]);
    return id;
  });

/**
 * Makes a session somebody's: a person's, everybody's with a role, or nobody's. Those whose it becomes are notified, those
 * whose it was are not reminded of it any more.
 * @throws ProblemError `resource.notFound`, `session.deleted`, `request.invalid`
 */
export const assignSession = (
  deps: EngineDeps,
  context: SubscriberContext,
  { sessionId, by, assigneeId }: About & { assigneeId: string | null },
): Promise<void> =>
  deps.database.withSubscriber(context, async (tx) => {
    const session = await discussed(tx, sessionId);
    const names = await namesOf(tx, assigneeId === null ? [] : [assigneeId], 'assigneeId');
    const changed = await tx.$executeRaw`
      update sessions set assignee_id = ${assigneeId}, version = version + 1, updated_at = clock_timestamp()
       where id = ${sessionId} and assignee_id is distinct from ${assigneeId}`;
    if (changed === 0) return;
    await endNotices(tx, sessionId, ['session.assigned']);
    if (assigneeId !== null)
      await tell(tx, {
        kind: 'session.assigned',
        sessionId,
        to: { ids: [assigneeId] },
        by,
      });
    await writeEvents(tx, [
      {
        sessionId,
        runNo: session.runNo,
        kind: 'Assigned',
        cause: `${sessionId} assigned ${session.version}`,
        actor: by,
        data: { name: assigneeId === null ? null : names.get(assigneeId) },
      },
    ]);
  });
