import { type retentionParts, retentionWindowDays } from '@pdf2press/contract';
import { Prisma } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { writeEvents } from '../sessions/events.ts';
import { lockSession } from '../sessions/session-row.ts';
import { dueUntil } from './due-files.ts';

const batch = 500;

type Part = (typeof retentionParts)[number];

/**
 * What goes within the days of notice of its own policy, and was not written about: `(subscriber_id, session_id, part,
 * due_at, cause)`. Where the time was put off, the new date is a new cause. What is past its time goes, and is not announced.
 */
const unannounced = Prisma.sql`
  select due.subscriber_id, due.session_id, due.part, due.due_at, told.cause
    from (${dueUntil(Prisma.sql`clock_timestamp() + make_interval(days => ${retentionWindowDays}::int)`)}) due
    join sessions session on session.subscriber_id = due.subscriber_id and session.id = due.session_id
   cross join lateral (
     select due.session_id || ' goes ' || (extract(epoch from due.due_at) * 1000)::bigint as cause) told
   where not due.is_held and due.due_at > clock_timestamp()
     and due.due_at < clock_timestamp()
                      + coalesce((session.decisions #>> '{retention,noticeDays}')::int, 7) * interval '24 hours'
     and not exists (select 1 from session_events event
                      where event.subscriber_id = due.subscriber_id and event.cause_key = told.cause)`;

/** Announces what of one session goes, each date once. It is looked at again under its lock. */
const warnOf = (
  deps: EngineDeps,
  { subscriberId, sessionId }: { subscriberId: string; sessionId: string },
): Promise<boolean> =>
  deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (!session) return false;
    const found = await tx.$queryRaw<{ parts: Part[]; at: Date; cause: string; days: number }[]>`
      select array_agg(part order by part desc) as parts, due_at as at, cause,
             ceil(extract(epoch from due_at - clock_timestamp()) / 86400)::int as days
        from (${unannounced}) due where session_id = ${sessionId} group by due_at, cause order by due_at`;
    await writeEvents(
      tx,
      found.map(({ parts, at, days, cause }) => ({
        sessionId,
        runNo: session.runNo,
        kind: 'RetentionWarned',
        cause,
        data: { deletion: { parts, at: at.toISOString(), days } },
      })),
    );
    return found.length > 0;
  });

/**
 * Announces files that are soon deleted, as many days before as the policy of their session says, once for each date: in the
 * session's history, and by its communication profile. A transaction for each session. Resolves to the number of sessions.
 */
export async function warnOfDeletion(deps: EngineDeps, stopped?: AbortSignal): Promise<number> {
  let warned = 0;
  let after = { subscriberId: '', sessionId: '' };
  while (!stopped?.aborted) {
    const found = await deps.database.asHost(
      (tx) => tx.$queryRaw<{ subscriberId: string; sessionId: string }[]>`
        select distinct subscriber_id as "subscriberId", session_id as "sessionId" from (${unannounced}) due
         where (subscriber_id, session_id) > (${after.subscriberId}, ${after.sessionId}) order by 1, 2 limit ${batch}`,
    );
    for (const each of found) {
      if (stopped?.aborted) break;
      warned += (await warnOf(deps, each)) ? 1 : 0;
    }
    after = found.at(-1) ?? after;
    if (found.length < batch) break;
  }
  return warned;
}
