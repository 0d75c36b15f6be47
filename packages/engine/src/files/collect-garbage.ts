import { Prisma } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { linkPurpose } from '../effects/mail/contract.ts';
import type { ArchivePlace } from './archive-place.ts';
import { emptyDeleted, isCertificate } from './empty-deleted.ts';

/**
 * Bytes younger than this stay, referenced or not: a transaction that refers to them may not be committed yet. Storing
 * bytes that are there already makes their age start anew.
 */
const graceHours = 24;
/** Bytes of trials, so that what is not sent is gone a day after it came. No transaction takes as long. */
const graceHoursOfTrials = 1;
const batch = 100;

interface Blob {
  subscriberId: string;
  sha256: string;
}
interface Unused extends Blob {
  isOfTrial: boolean;
}

const start: Blob = { subscriberId: '', sha256: '' };

/** Works through batches until one is not full; `work` resolves to the size of its batch. */
async function throughAll(work: () => Promise<number>, stopped: AbortSignal | undefined): Promise<void> {
  while (!stopped?.aborted && (await work()) === batch);
}

/** Works through all that `find` finds, each batch behind the last of the one before: what must stay delays nothing. */
async function throughBlobs<B extends Blob>(
  find: (after: Blob) => Promise<B[]>,
  work: (blob: B) => Promise<unknown>,
  stopped: AbortSignal | undefined,
): Promise<void> {
  let after: Blob = start;
  await throughAll(async () => {
    const found = await find(after);
    for (const blob of found) {
      if (stopped?.aborted) break;
      await work(blob);
    }
    after = found.at(-1) ?? after;
    return found.length;
  }, stopped);
}

const behind = ({ subscriberId, sha256 }: Blob) =>
  Prisma.sql`(blob.subscriber_id, blob.sha256) > (${subscriberId}, ${sha256})`;

/**
 * Marks the files of deleted sessions as removed, except certificates of decisions; no step of those sessions runs any
 * more, because deleting ended them. Resolves to the number of sessions.
 */
const hideDeleted = async (deps: EngineDeps): Promise<number> => {
  const [row] = await deps.database.asHost(
    (tx) => tx.$queryRaw<{ sessions: number }[]>`
      with gone as (
        select subscriber_id, id from sessions session
         where deleted_at < clock_timestamp() - interval '1 minute' and emptied_at is null
           and exists (select 1 from files file
                        where file.subscriber_id = session.subscriber_id and file.session_id = session.id
                          and removed_at is null and not ${isCertificate})
         limit ${batch}),
      hidden as (
        update files file set removed_at = clock_timestamp() from gone
         where file.subscriber_id = gone.subscriber_id and file.session_id = gone.id and removed_at is null
           and not ${isCertificate})
      select count(*)::int as sessions from gone`,
  );
  return row?.sessions ?? 0;
};

const findUnused = (deps: EngineDeps, after: Blob): Promise<Unused[]> =>
  deps.database.asHost(
    (tx) => tx.$queryRaw<Unused[]>`
      select subscriber_id as "subscriberId", sha256, is_of_trial as "isOfTrial"
        from blobs blob
       cross join lateral (
         select exists (select 1 from files join sessions on sessions.subscriber_id = files.subscriber_id
                                                         and sessions.id = files.session_id and sessions.is_trial
                         where files.subscriber_id = blob.subscriber_id and files.sha256 = blob.sha256)) known (is_of_trial)
       where ${behind(after)}
         and removed_at is null and created_at < clock_timestamp() - make_interval(hours => ${graceHoursOfTrials}::int)
         and (is_of_trial or created_at < clock_timestamp() - make_interval(hours => ${graceHours}::int))
         and not exists (select 1 from files where files.subscriber_id = blob.subscriber_id
                            and files.sha256 = blob.sha256 and files.removed_at is null)
         and not exists (select 1 from organizations where organizations.subscriber_id = blob.subscriber_id
                            and blob.sha256 in (page_logo_sha256, email_logo_sha256))
         and not exists (select 1 from fonts where fonts.subscriber_id = blob.subscriber_id
                            and fonts.sha256 = blob.sha256)
       order by blob.subscriber_id, blob.sha256 limit ${batch}`,
  );

/**
 * Removes one blob. Its row is locked and checked again, and the store checks when the bytes were last put, so that bytes
 * survive when a file that uses them is being recorded. The row stays where removed files still refer to it.
 */
async function removeBlob(deps: EngineDeps, blob: Unused): Promise<boolean> {
  return deps.database.withSubscriber({ subscriberId: blob.subscriberId }, async (tx) => {
    await tx.$queryRaw`select 1 from blobs where sha256 = ${blob.sha256} for update`;
    const { sha256 } = blob;
    const needed =
      (await tx.file.count({ where: { sha256, removedAt: null } })) +
      (await tx.organization.count({ where: { OR: [{ pageLogoSha256: sha256 }, { emailLogoSha256: sha256 }] } })) +
      (await tx.font.count({ where: { sha256 } }));
    const hours = blob.isOfTrial ? graceHoursOfTrials : graceHours;
    const unlessPutSince = new Date(Date.now() - hours * 3_600_000);
    if (needed > 0 || !(await deps.storage.remove(blob, { unlessPutSince }))) return false;
    const [row] = await tx.$queryRaw<({ verifiedAt: Date | null } & ArchivePlace)[]>`
      update blobs set removed_at = clock_timestamp(), verified_at = null, offloaded_at = null
        from (select sha256, verified_at from blobs where sha256 = ${blob.sha256}) before
       where blobs.sha256 = before.sha256 returning before.verified_at as "verifiedAt", blobs.archive_prefix as prefix,
             blobs.archive_bucket as "bucketName", blobs.archive_region as region, blobs.archive_keys as "keysId"`;
    if (row?.verifiedAt) {
      const { verifiedAt, ...place } = row;
      const key = `archiveRemove ${blob.sha256} ${verifiedAt.toISOString()}`;
      await enqueueEffect(tx, { kind: 'archiveRemove', key, payload: { sha256: blob.sha256, ...place } });
    }
    return true;
  });
}

/** Bytes that only archived sessions use, a day after they were compared with their copy. */
const isArchivedOnly = Prisma.sql`
  verified_at < clock_timestamp() - make_interval(hours => ${graceHours}::int) and offloaded_at is null and removed_at is null
  and exists (select 1 from files where files.subscriber_id = blob.subscriber_id and files.sha256 = blob.sha256
                 and files.removed_at is null)
  and not exists (select 1 from files join sessions on sessions.id = files.session_id
                   where files.subscriber_id = blob.subscriber_id and files.sha256 = blob.sha256
                     and files.removed_at is null
                     and (sessions.archive_state <> 'Archived' or files.kind not in ('OriginalFile', 'ProductionFile')))
  and not exists (select 1 from fonts where fonts.subscriber_id = blob.subscriber_id and fonts.sha256 = blob.sha256)`;

const findArchived = (deps: EngineDeps, after: Blob): Promise<Blob[]> =>
  deps.database.asHost(
    (tx) => tx.$queryRaw<Blob[]>`
      select subscriber_id as "subscriberId", sha256 from blobs blob where ${behind(after)} and ${isArchivedOnly}
       order by blob.subscriber_id, blob.sha256 limit ${batch}`,
  );

/** Removes bytes from the local store that are in the archive; checked again under lock: a session may be coming back. */
const offload = (deps: EngineDeps, blob: Blob): Promise<void> =>
  deps.database.withSubscriber({ subscriberId: blob.subscriberId }, async (tx) => {
    await tx.$queryRaw`select 1 from blobs where sha256 = ${blob.sha256} for update`;
    const [row] = await tx.$queryRaw<unknown[]>`
      select 1 from blobs blob where sha256 = ${blob.sha256} and ${isArchivedOnly}`;
    const unlessPutSince = new Date(Date.now() - graceHours * 3_600_000);
    if (!row || !(await deps.storage.remove(blob, { unlessPutSince }))) return;
    await tx.$executeRaw`update blobs set offloaded_at = clock_timestamp() where sha256 = ${blob.sha256}`;
  });

/** Removes the stored links of messages that were given up; those of delivered messages are removed on delivery. */
const dropDeadLinks = (deps: EngineDeps): Promise<number> =>
  deps.database.asHost(
    (tx) => tx.$executeRaw`
      delete from secrets where purpose = ${linkPurpose} and created_at < clock_timestamp() - interval '7 days'`,
  );

/** Removes the rows of bytes that are gone and that no file names any more. */
const dropBlobRows = (deps: EngineDeps): Promise<number> =>
  deps.database.asHost(
    (tx) => tx.$executeRaw`
      delete from blobs using (
        select subscriber_id, sha256 from blobs blob
         where removed_at is not null
           and not exists (select 1 from files where files.subscriber_id = blob.subscriber_id
                              and files.sha256 = blob.sha256)
         limit ${batch} for update skip locked) gone
       where blobs.subscriber_id = gone.subscriber_id and blobs.sha256 = gone.sha256`,
  );

/**
 * Hides the files of deleted sessions, removes bytes that nothing uses, and what is left of sessions that were deleted
 * long ago: all there is, in batches, until it is stopped. Returns how many blobs were removed.
 */
export async function collectGarbage(deps: EngineDeps, stopped?: AbortSignal): Promise<number> {
  let removed = 0;
  await throughAll(() => hideDeleted(deps), stopped);
  await throughBlobs(
    (after) => findArchived(deps, after),
    (blob) => offload(deps, blob),
    stopped,
  );
  await dropDeadLinks(deps);
  await throughBlobs(
    (after) => findUnused(deps, after),
    async (blob) => {
      removed += (await removeBlob(deps, blob)) ? 1 : 0;
    },
    stopped,
  );
  await throughAll(() => emptyDeleted(deps, batch), stopped);
  await throughAll(() => dropBlobRows(deps), stopped);
  return removed;
}
