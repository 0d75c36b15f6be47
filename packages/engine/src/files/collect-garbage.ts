import { Prisma } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { linkPurpose } from '../effects/mail/contract.ts';

/**
 * Bytes younger than this stay, referenced or not: a transaction that refers to them may not be committed yet. Storing
 * bytes that are there already makes their age start anew.
 */
const graceHours = 24;
const batch = 200;

interface Unused {
  subscriberId: string;
  sha256: string;
}

/** Marks the files of deleted sessions as removed; no step of those sessions runs any more, because deleting ended them. */
const hideDeleted = (deps: EngineDeps): Promise<number> =>
  deps.database.asHost(
    (tx) => tx.$executeRaw`
      update files set removed_at = clock_timestamp()
       where removed_at is null and session_id in (
         select id from sessions where deleted_at < clock_timestamp() - interval '1 minute' limit ${batch})`,
  );

const findUnused = (deps: EngineDeps): Promise<Unused[]> =>
  deps.database.asHost(
    (tx) => tx.$queryRaw<Unused[]>`
      select subscriber_id as "subscriberId", sha256 from blobs blob
       where removed_at is null and created_at < clock_timestamp() - make_interval(hours => ${graceHours}::int)
         and not exists (select 1 from files where files.subscriber_id = blob.subscriber_id
                            and files.sha256 = blob.sha256 and files.removed_at is null)
         and not exists (select 1 from organizations where organizations.subscriber_id = blob.subscriber_id
                            and blob.sha256 in (page_logo_sha256, email_logo_sha256))
       limit ${batch}`,
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
      (await tx.organization.count({ where: { OR: [{ pageLogoSha256: sha256 }, { emailLogoSha256: sha256 }] } }));
    const unlessPutSince = new Date(Date.now() - graceHours * 3_600_000);
    if (needed > 0 || !(await deps.storage.remove(blob, { unlessPutSince }))) return false;
    const [row] = await tx.$queryRaw<{ verifiedAt: Date | null }[]>`
      update blobs set removed_at = clock_timestamp(), verified_at = null, offloaded_at = null
        from (select sha256, verified_at from blobs where sha256 = ${blob.sha256}) before
       where blobs.sha256 = before.sha256 returning before.verified_at as "verifiedAt"`;
    if (row?.verifiedAt) {
      const key = `archiveRemove ${blob.sha256} ${row.verifiedAt.toISOString()}`;
      await enqueueEffect(tx, { kind: 'archiveRemove', key, payload: { sha256: blob.sha256 } });
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
                     and (sessions.archive_state <> 'Archived' or files.kind not in ('OriginalFile', 'ProductionFile')))`;

/**
 * Removes bytes from the local store that are in the archive; checked again under lock, because a session may be coming
 * back.
 */
async function offloadArchived(deps: EngineDeps): Promise<void> {
  const found = await deps.database.asHost(
    (tx) => tx.$queryRaw<Unused[]>`
      select subscriber_id as "subscriberId", sha256 from blobs blob where ${isArchivedOnly} limit ${batch}`,
  );
  for (const blob of found)
    await deps.database.withSubscriber({ subscriberId: blob.subscriberId }, async (tx) => {
      await tx.$queryRaw`select 1 from blobs where sha256 = ${blob.sha256} for update`;
      const [row] = await tx.$queryRaw<unknown[]>`
        select 1 from blobs blob where sha256 = ${blob.sha256} and ${isArchivedOnly}`;
      const unlessPutSince = new Date(Date.now() - graceHours * 3_600_000);
      if (!row || !(await deps.storage.remove(blob, { unlessPutSince }))) return;
      await tx.$executeRaw`update blobs set offloaded_at = clock_timestamp() where sha256 = ${blob.sha256}`;
    });
}

/** Removes the stored links of messages that were given up; those of delivered messages are removed on delivery. */
const dropDeadLinks = (deps: EngineDeps): Promise<number> =>
  deps.database.asHost(
    (tx) => tx.$executeRaw`
      delete from secrets where purpose = ${linkPurpose} and created_at < clock_timestamp() - interval '7 days'`,
  );

/** Hides the files of deleted sessions and removes bytes that nothing uses; returns how many blobs were removed. */
export async function collectGarbage(deps: EngineDeps): Promise<number> {
  await hideDeleted(deps);
  await offloadArchived(deps);
  await dropDeadLinks(deps);
  let removed = 0;
  for (const blob of await findUnused(deps)) removed += (await removeBlob(deps, blob)) ? 1 : 0;
  return removed;
}
