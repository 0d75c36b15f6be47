import { archivingWindowDays, ProblemError } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { archiveSession } from '../commands/archive-commands.ts';
import { type EngineDeps, system } from '../deps.ts';
import { isReachable } from '../files/archive-place.ts';
import { readSettings } from '../secrets/settings.ts';
import { isHeld } from '../sessions/session-row.ts';
import { policyBuckets, policyOfSession } from '../workflows/archiving-policy.ts';

const batch = 100;

/** When a session is archived by itself: as a step of it has decided, else by its policy. Null = never. */
const dueAt = Prisma.sql`
  case session.decisions #>> '{retention,archives}'
    when 'never' then null
    when 'atEnd' then session.finished_at
    else session.finished_at + make_interval(days => (policy.settings ->> 'afterDays')::int) end`;

/**
 * Sessions that are archived by themselves until a time, `(id)`: their time has come, they are not on legal hold and not
 * brought back for a while, and a file is still there. The overview and the archiving both read this. The transaction is the
 * subscriber's.
 */
const dueUntil = (time: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select session.id, session.finished_at from sessions session
    left join lateral (${policyOfSession(Prisma.sql`session`)}) policy on true
   cross join lateral (select ${dueAt} as at) due
   where session.subscriber_id = current_subscriber() and session.archive_state = 'Unarchived'
     and session.deleted_at is null and session.finished_at is not null and not session.is_trial
     and session.status not in ('InQueue', 'Processing', 'OnHold')
     and due.at <= ${time} and (session.archive_not_before is null or session.archive_not_before <= ${time})
     and not ${isHeld}
     and exists (select 1 from files file
                  where file.subscriber_id = session.subscriber_id and file.session_id = session.id
                    and file.removed_at is null and file.kind in ('OriginalFile', 'ProductionFile'))`;

/** Those who have the feature, and a policy or a session that a step wants archived. */
const findSubscribers = (deps: EngineDeps): Promise<{ subscriberId: string }[]> =>
  deps.database.asHost(
    (tx) => tx.$queryRaw<{ subscriberId: string }[]>`
      select subscriber.id as "subscriberId" from subscribers subscriber
        join features feature on feature.subscriber_id = subscriber.id and feature.feature_key = 'Archiving'
       where subscriber.is_active
         and (exists (select 1 from profiles profile
                       where profile.subscriber_id = subscriber.id and profile.kind = 'archiving'
                         and profile.deleted_at is null and profile.is_enabled)
           or exists (select 1 from sessions session
                       where session.subscriber_id = subscriber.id and session.archive_state = 'Unarchived'
                         and session.decisions @> '{"retention": {"archives": "atEnd"}}'))`,
  );

/** Starts archiving what policies and steps want archived by now. Resolves to the number of sessions. */
export async function archiveDue(deps: EngineDeps, stopped?: AbortSignal): Promise<number> {
  let begun = 0;
  for (const context of await findSubscribers(deps)) {
    let after = '';
    for (let found = batch; found === batch && !stopped?.aborted; ) {
      const due = await deps.database.withSubscriber(context, async (tx) => {
        const { archivingSettings } = await readSettings(tx, context.subscriberId);
        if (!archivingSettings.enabled) return [];
        return tx.$queryRaw<{ id: string }[]>`
          select id from (${dueUntil(Prisma.sql`clock_timestamp()`)}) due where id > ${after} order by id limit ${batch}`;
      });
      for (const { id } of due) {
        if (stopped?.aborted) break;
        begun += (await begin(deps, context, id)) ? 1 : 0;
      }
      found = due.length;
      after = due.at(-1)?.id ?? after;
    }
  }
  return begun;
}

/** False where somebody else was faster: it was restarted, deleted or archived meanwhile, or the archive switched off. */
async function begin(deps: EngineDeps, context: { subscriberId: string }, sessionId: string): Promise<boolean> {
  try {
    await archiveSession(deps, context, { sessionId, by: system });
    return true;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    deps.log?.({ level: 'info', event: 'archive.skipped', data: { session: sessionId }, error });
    return false;
  }
}

const inArchive = Prisma.sql`verified_at is not null and removed_at is null`;
const ofSession = Prisma.sql`
  select blob.verified_at, blob.offloaded_at from blobs blob
   where blob.subscriber_id = current_subscriber() and blob.sha256 in (
     select sha256 from files where files.subscriber_id = current_subscriber() and files.session_id = session.id
        and files.removed_at is null and files.kind in ('OriginalFile', 'ProductionFile'))`;

export interface ArchiveOverview {
  isSetUp: boolean;
  sessions: number;
  bytes: number;
  dueSoon: number;
  underWay: {
    sessionId: string;
    fileName: string;
    state: 'Archiving' | 'Unarchiving';
    done: number;
    files: number;
  }[];
  failed: { sessionId: string; fileName: string; direction: 'archive' | 'unarchive' }[];
}

/** What lies in the archive, what is on its way, what failed and was not tried again, and what goes next. */
export async function readArchiveOverview(tx: Transaction, subscriberId: string): Promise<ArchiveOverview> {
  const { archivingSettings } = await readSettings(tx, subscriberId);
  const { enabled, config } = archivingSettings;
  const buckets = await policyBuckets(tx);
  const isSetUp = enabled && buckets.every((own) => isReachable(own, config));
  const [sums] = await tx.$queryRaw<{ sessions: number; bytes: number; dueSoon: number }[]>`
    select (select count(*)::int from sessions where subscriber_id = current_subscriber() and archive_state = 'Archived'
               and deleted_at is null) as sessions,
           (select coalesce(sum(size), 0)::float8 from blobs
             where subscriber_id = current_subscriber() and ${inArchive}) as bytes,
           (select count(*)::int from (${dueUntil(
             Prisma.sql`clock_timestamp() + make_interval(days => ${archivingWindowDays}::int)`,
           )}) due) as "dueSoon"`;
  const underWay = await tx.$queryRaw<ArchiveOverview['underWay']>`
    select session.id as "sessionId", session.file_name as "fileName", session.archive_state::text as state,
           count(*)::int as files,
           (count(*) filter (where case session.archive_state when 'Archiving' then moved.verified_at is not null
                                   else moved.offloaded_at is null end))::int as done
      from sessions session left join lateral (${ofSession}) moved on true
     where session.subscriber_id = current_subscriber() and session.archive_state in ('Archiving', 'Unarchiving')
     group by session.id order by session.id limit 100`;
  const failed = await tx.$queryRaw<ArchiveOverview['failed']>`
    select session.id as "sessionId", session.file_name as "fileName", effect.kind as direction
      from effects effect
      join sessions session on session.subscriber_id = effect.subscriber_id and session.id = effect.session_id
     where effect.subscriber_id = current_subscriber() and effect.kind in ('archive', 'unarchive')
       and effect.state = 'Dead' and session.deleted_at is null
       and not exists (select 1 from effects later
                        where later.subscriber_id = current_subscriber() and later.session_id = effect.session_id
                          and later.kind = effect.kind and later.created_at > effect.created_at)
     order by effect.created_at desc limit 20`;
  return {
    isSetUp,
    sessions: sums?.sessions ?? 0,
    bytes: sums?.bytes ?? 0,
    dueSoon: sums?.dueSoon ?? 0,
    underWay,
    failed,
  };
}
