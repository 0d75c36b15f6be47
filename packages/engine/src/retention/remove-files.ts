import { isFinal, problem } from '@pdf2press/contract';
import { Prisma, type SubscriberContext, type Transaction } from '@pdf2press/prisma';
import { markDeleted, type SessionCommand } from '../commands/session-commands.ts';
import { type Actor, type EngineDeps, system } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { isCertificate } from '../files/empty-deleted.ts';
import { writeEvents } from '../sessions/events.ts';
import { lockSession, type SessionRow } from '../sessions/session-row.ts';
import { dueUntil, partOf } from './due-files.ts';

const batch = 500;

type Part = 'source' | 'final';

/**
 * Marks files of a locked session as removed, except certificates of decisions, which always stay; the collector takes
 * their bytes when nothing else uses them. Where the policy keeps no record and both parts have gone, the session is
 * deleted.
 */
async function removeParts(tx: Transaction, session: SessionRow, parts: readonly Part[], by: Actor): Promise<void> {
  const [source, final] = [parts.includes('source'), parts.includes('final')];
  await tx.$executeRaw`
    update files file set removed_at = clock_timestamp()
      from (select coalesce((decisions #>> '{retention,keepsThumbnails}')::boolean, true) as keeps_thumbnails
              from sessions where id = ${session.id}) policy
     where file.session_id = ${session.id} and file.removed_at is null and not ${isCertificate}
       and ${partOf} = any (${[...parts]}::text[])
       and not (keeps_thumbnails and coalesce(file.meta ->> 'role', '') = 'thumbnail')`;
  const [gone] = await tx.$queryRaw<{ isRecordKept: boolean; isAllGone: boolean }[]>`
    update sessions
       set source_gone_at = case when ${source} then coalesce(source_gone_at, clock_timestamp()) else source_gone_at end,
           final_gone_at = case when ${final} then coalesce(final_gone_at, clock_timestamp()) else final_gone_at end
     where id = ${session.id}
    returning coalesce((decisions #>> '{retention,keepsRecord}')::boolean, true) as "isRecordKept",
              source_gone_at is not null and final_gone_at is not null as "isAllGone"`;
  const cause = `${session.id} run ${session.runNo} ${[...parts].sort().join(' ')} removed ${session.version}`;
  await writeEvents(tx, [
    { sessionId: session.id, runNo: session.runNo, kind: 'FilesRemoved', cause, actor: by, data: { parts } },
  ]);
  if (gone?.isAllGone && !gone.isRecordKept) await markDeleted(tx, session, by);
}

/** Removes what is due of one session, which is looked at again under its lock: since then it may be held or kept longer. */
const removeDue = (
  deps: EngineDeps,
  { subscriberId, sessionId }: { subscriberId: string; sessionId: string },
): Promise<boolean> =>
  deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (!session || session.isHeld) return false;
    const due = await tx.$queryRaw<{ part: Part }[]>`
      select part from (${dueUntil(Prisma.sql`clock_timestamp()`)}) due where session_id = ${sessionId} and not is_held`;
    if (due.length === 0) return false;
    await removeParts(
      tx,
      session,
      due.map(({ part }) => part),
      system,
    );
    failpoint('insideCommit');
    return true;
  });

/**
 * Removes all files whose time is over, a transaction for each session, so that it goes on where it was ended. Resolves to
 * the number of sessions.
 */
export async function removeDueFiles(deps: EngineDeps, stopped?: AbortSignal): Promise<number> {
  let removed = 0;
  let after = { subscriberId: '', sessionId: '' };
  while (!stopped?.aborted) {
    const found = await deps.database.asHost(
      (tx) => tx.$queryRaw<{ subscriberId: string; sessionId: string }[]>`
        select distinct subscriber_id as "subscriberId", session_id as "sessionId"
          from (${dueUntil(Prisma.sql`clock_timestamp()`)}) due
         where not is_held and (subscriber_id, session_id) > (${after.subscriberId}, ${after.sessionId})
         order by 1, 2 limit ${batch}`,
    );
    for (const each of found) {
      if (stopped?.aborted) break;
      removed += (await removeDue(deps, each)) ? 1 : 0;
      failpoint('afterCommit');
    }
    after = found.at(-1) ?? after;
    if (found.length < batch) break;
  }
  return removed;
}

type Ask = Omit<SessionCommand, 'version'>;

/** Runs work on a locked session that people have. @throws ProblemError `resource.notFound`, `session.deleted` */
const onSession = (
  deps: EngineDeps,
  context: SubscriberContext,
  { sessionId, alongside }: Ask,
  work: (tx: Transaction, session: SessionRow) => Promise<void>,
): Promise<void> =>
  deps.database.withSubscriber(context, async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (!session || session.isTrial) throw problem('resource.notFound');
    if (session.isDeleted) throw problem('session.deleted');
    await work(tx, session);
    await alongside?.(tx);
  });

/** Puts a session on legal hold, or releases it from its own or its policy's. */
export const setLegalHold = (
  deps: EngineDeps,
  context: SubscriberContext,
  ask: Ask & { isHeld: boolean },
): Promise<void> =>
  onSession(deps, context, ask, async (tx, session) => {
    if (session.isHeld === ask.isHeld) return;
    await tx.$executeRaw`
      update sessions set legal_hold = ${ask.isHeld}, version = version + 1 where id = ${session.id}`;
    const kind = ask.isHeld ? 'LegalHoldSet' : 'LegalHoldReleased';
    const cause = `${session.id} ${kind} ${session.version}`;
    await writeEvents(tx, [{ sessionId: session.id, runNo: session.runNo, kind, cause, actor: ask.by }]);
  });

/** Keeps the files of a session so many days longer than their next date, or than now where they have none. */
export const keepLonger = (deps: EngineDeps, context: SubscriberContext, ask: Ask & { days: number }): Promise<void> =>
  onSession(deps, context, ask, async (tx, session) => {
    const [kept] = await tx.$queryRaw<{ until: Date }[]>`
      update sessions
         set kept_until = greatest(clock_timestamp(), least(source_due_at, final_due_at)) + ${ask.days}::int * interval '24 hours',
             version = version + 1
       where id = ${session.id} returning kept_until as until`;
    const cause = `${session.id} kept longer ${session.version}`;
    const data = { until: kept?.until.toISOString() };
    await writeEvents(tx, [
      { sessionId: session.id, runNo: session.runNo, kind: 'RetentionExtended', cause, actor: ask.by, data },
    ]);
  });

/**
 * Removes all files of a session that has ended, whatever their time.
 * @throws ProblemError `session.legalHold`, `session.actionNotAllowed` while it runs, waits or is on its way to the archive
 */
export const removeFilesNow = (deps: EngineDeps, context: SubscriberContext, ask: Ask): Promise<void> =>
  onSession(deps, context, ask, async (tx, session) => {
    if (session.isHeld) throw problem('session.legalHold');
    if (!isFinal(session.status) || !['Unarchived', 'Archived'].includes(session.archiveState))
      throw problem('session.actionNotAllowed', { status: session.status });
    await removeParts(tx, session, ['source', 'final'], ask.by);
  });
