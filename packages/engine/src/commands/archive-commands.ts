import { archivingProfileSchema, problem } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { isReachable, namedBucket, type OpenedBucket } from '../files/archive-place.ts';
import { readSettings } from '../secrets/settings.ts';
import { writeEvents } from '../sessions/events.ts';
import type { SessionRow } from '../sessions/session-row.ts';
import { archivingPolicyOf, filledPrefix } from '../workflows/archiving-policy.ts';
import { command, type SessionCommand } from './session-commands.ts';

/**
 * Locks in how and where the session is archived: by its policy, else by the defaults. Bucket and region are
 * written down also where they are those of the settings, so that the copy is found when the settings name another; keys only
 * by the secret that holds them, which may be replaced meanwhile.
 * @throws ProblemError `archiving.notSetUp`
 */
async function rulesFor(tx: Transaction, subscriberId: string, sessionId: string) {
  const { enabled, config } = (await readSettings(tx, subscriberId)).archivingSettings;
  const { workflow } = await tx.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { workflow: { select: { name: true } } },
  });
  const policy = (await archivingPolicyOf(tx, sessionId)) ?? { ...archivingProfileSchema.parse({}), keysId: '' };
  if (!enabled || !isReachable(policy, config)) throw problem('archiving.notSetUp');
  const { files, storageClass, keysId } = policy;
  const prefix = filledPrefix(policy.prefix, { workflow: workflow.name, now: new Date() });
  return { files, storageClass, prefix, keysId, ...namedBucket(policy, config) };
}

/** Bucket and keys of the settings are needed only for copies that name none. @throws ProblemError `archiving.notSetUp` */
async function demandCopies(tx: Transaction, subscriberId: string, sessionId: string): Promise<void> {
  const { config } = (await readSettings(tx, subscriberId)).archivingSettings;
  const buckets = await tx.$queryRaw<OpenedBucket[]>`
    select distinct archive_bucket as "bucketName", archive_region as region, archive_keys as "keysId" from blobs
     where offloaded_at is not null
       and sha256 in (select sha256 from files where session_id = ${sessionId} and removed_at is null)`;
  if (!buckets.every((own) => isReachable(own, config))) throw problem('archiving.notSetUp');
}

async function begin(
  tx: Transaction,
  session: SessionRow,
  { state, by }: { state: 'Archiving' | 'Unarchiving'; by: SessionCommand['by'] },
): Promise<string> {
  await tx.$executeRaw`
    update sessions set archive_state = ${state}::archive_state, version = version + 1, updated_at = clock_timestamp()
     where id = ${session.id}`;
  const cause = `${state === 'Archiving' ? 'archive' : 'unarchive'} ${session.id} ${session.version}`;
  await writeEvents(tx, [{ sessionId: session.id, runNo: session.runNo, kind: state, cause, actor: by }]);
  return cause;
}

/**
 * Starts moving the files of a finished session to the archive. @throws ProblemError `session.legalHold`,
 * `archiving.notSetUp` and those of `command`
 */
export const archiveSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'archive', async (tx, session) => {
    if (session.isHeld) throw problem('session.legalHold');
    const payload = await rulesFor(tx, context.subscriberId, session.id);
    const key = await begin(tx, session, { state: 'Archiving', by: ask.by });
    await enqueueEffect(tx, { kind: 'archive', key, sessionId: session.id, payload });
  });

/**
 * Starts bringing the files of an archived session back. @throws ProblemError `archiving.notSetUp` and those of `command`
 */
export const unarchiveSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'unarchive', async (tx, session) => {
    await demandCopies(tx, context.subscriberId, session.id);
    const key = await begin(tx, session, { state: 'Unarchiving', by: ask.by });
    await enqueueEffect(tx, { kind: 'unarchive', key, sessionId: session.id, payload: {} });
  });
