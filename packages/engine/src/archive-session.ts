import { createHash } from 'node:crypto';
import { nearestLocale, problem, type SessionEvent } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import { type Blob, openS3Storage, type Storage } from '@pdf2press/storage';
import { notifyHolders } from './deliver-mail.ts';
import type { EngineDeps } from './deps.ts';
import { type ClaimedEffect, EffectError, type EffectHandler, recordEffect } from './effects.ts';
import { writeEvents } from './events.ts';
import { queueMail } from './queue-mail.ts';
import type { InstanceKeys } from './secrets/instance-key.ts';
import { revealSecret } from './secrets/keep-secret.ts';
import { command, type SessionCommand } from './session-commands.ts';
import { lockSession } from './session-row.ts';
import { readSettings } from './settings.ts';

/** Where archives lie: bucket and keys are the subscriber's, the endpoint is the machine owner's to choose. */
export interface ArchiveOptions {
  keys: InstanceKeys;
  /** Undefined = Amazon's, by region. */
  endpoint: string | undefined;
  /** For files on their way. */
  cacheFolder: string;
}

// The endpoint may be made from these two, so they must not be able to name another host.
const regionText = /^[a-z0-9-]{1,40}$/;
const bucketText = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export interface ArchivingConfig {
  accessKey: string;
  bucketName: string;
  region: string;
  secretKey: string | null;
}

/** The archive of a configuration whose secret is opened; undefined when something is missing or cannot be. */
export function openArchive(
  { accessKey, bucketName, region, secretKey }: ArchivingConfig,
  {
    endpoint,
    cacheFolder,
    prefix = 'archive/',
  }: Pick<ArchiveOptions, 'endpoint' | 'cacheFolder'> & { prefix?: string },
): Storage | undefined {
  if (!regionText.test(region) || !bucketText.test(bucketName) || !accessKey || !secretKey) return undefined;
  return openS3Storage({
    ...(endpoint ? { endpoint } : {}),
    region,
    bucket: bucketName,
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    prefix,
    cacheFolder,
    cacheBytes: 0,
  });
}

/** The subscriber's archive as it is set now. @throws EffectError when it is not set up */
async function archiveOf(deps: EngineDeps, subscriberId: string, options: ArchiveOptions): Promise<Storage> {
  const config = await deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const { archivingSettings } = await readSettings(tx, subscriberId);
    const { secretKey: id, ...rest } = archivingSettings.config;
    const purpose = 'archiving.secretKey';
    return { ...rest, secretKey: id ? await revealSecret(tx, options.keys, { subscriberId, id, purpose }) : null };
  });
  const archive = openArchive(config, options);
  if (!archive) throw new EffectError('the archive is not set up', { isFinal: true });
  return archive;
}

const begin =
  (action: 'archive' | 'unarchive', state: 'Archiving' | 'Unarchiving') =>
  (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
    command(deps, context, ask, action, async (tx, session) => {
      const { archivingSettings } = await readSettings(tx, context.subscriberId);
      const { accessKey, bucketName, secretKey } = archivingSettings.config;
      if (!(accessKey && bucketName && secretKey) || (action === 'archive' && !archivingSettings.enabled))
        throw problem('archiving.notSetUp');
      await tx.$executeRaw`
        update sessions set archive_state = ${state}::archive_state, version = version + 1, updated_at = clock_timestamp()
         where id = ${session.id}`;
      const cause = `${action} ${session.id} ${session.version}`;
      await recordEffect(tx, { key: cause, kind: action, sessionId: session.id, payload: {} });
      await writeEvents(tx, [{ sessionId: session.id, runNo: session.runNo, kind: state, cause, actor: ask.by }]);
    });

/** Asks for a finished session's files to be moved to the archive. @throws ProblemError `archiving.notSetUp` too */
export const archiveSession = begin('archive', 'Archiving');
/** Asks for an archived session's files to be brought back. @throws ProblemError `archiving.notSetUp` too */
export const unarchiveSession = begin('unarchive', 'Unarchiving');

interface ArchivedBlob extends Blob {
  size: bigint;
  isOffloaded: boolean;
}

/** What archiving is about: the files as they came and as they were made. Pictures of them stay, they are small. */
const blobsOf = (tx: Transaction, subscriberId: string, sessionId: string): Promise<ArchivedBlob[]> =>
  tx.$queryRaw<ArchivedBlob[]>`
    select subscriber_id as "subscriberId", sha256, size, offloaded_at is not null as "isOffloaded" from blobs
     where subscriber_id = ${subscriberId} and sha256 in (
       select sha256 from files
        where session_id = ${sessionId} and removed_at is null and kind in ('OriginalFile', 'ProductionFile'))
     order by sha256 for update`;

async function hashOf(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of bytes) {
    signal.throwIfAborted();
    hash.update(part);
  }
  return hash.digest('hex');
}

const damaged = () => new EffectError('the archive gave back other bytes than it was given', {});

interface Moved {
  state: 'Archived' | 'Unarchived';
  from: 'Archiving' | 'Unarchiving';
  event: SessionEvent['kind'];
}

/** Ends what `begin` began, and tells whom the settings name. */
async function settle(
  tx: Transaction,
  keys: InstanceKeys,
  effect: ClaimedEffect,
  { state, from, event }: Moved,
): Promise<void> {
  const session = await lockSession(tx, effect.sessionId ?? '');
  if (session?.archiveState !== from) return;
  await tx.$executeRaw`
    update sessions set archive_state = ${state}::archive_state, version = version + 1, updated_at = clock_timestamp()
     where id = ${session.id}`;
  await writeEvents(tx, [
    { sessionId: session.id, runNo: session.runNo, kind: event, cause: `${effect.key} ${event}` },
  ]);
  const { subscriberId } = effect;
  const { archivingSettings, culture } = await readSettings(tx, subscriberId);
  const { fileName } = await tx.session.findUniqueOrThrow({ where: { id: session.id }, select: { fileName: true } });
  if (event === 'ArchivingFailed')
    await notifyHolders(tx, 'settings.archiving.manage', { kind: 'archiving.failed', data: { file: fileName } });
  const { enableNotification, emailRecipient } = archivingSettings;
  if (!enableNotification || !emailRecipient || event === 'Unarchived') return;
  await queueMail(tx, keys, {
    reader: { subscriberId, email: emailRecipient, firstName: '', lastName: '', locale: nearestLocale(culture) },
    template: event === 'Archived' ? 'sessionArchived' : 'archivingFailed',
    params: { file: fileName },
    cause: effect.key,
    sessionId: session.id,
  });
}

const leaseMs = 15 * 60_000;
const patienceMs = 24 * 3_600_000;

/** Copies one file to the archive, unless it lies there, and reads it back. Only then does its row say so. */
async function copyAndCompare(
  deps: EngineDeps,
  archive: Storage,
  { subscriberId, sha256, size, isOffloaded }: ArchivedBlob,
  signal: AbortSignal,
): Promise<void> {
  const blob = { subscriberId, sha256 };
  if (isOffloaded) return;
  if ((await archive.sizeOf(blob)) !== Number(size))
    await archive.put({ subscriberId, bytes: await deps.storage.open(blob) });
  if ((await hashOf(await archive.open(blob), signal)) !== sha256) {
    await archive.remove(blob);
    throw damaged();
  }
  await deps.database.withSubscriber(
    { subscriberId },
    (tx) => tx.$executeRaw`update blobs set verified_at = clock_timestamp() where sha256 = ${sha256}`,
  );
}

const listBlobs = (deps: EngineDeps, { subscriberId, sessionId }: ClaimedEffect): Promise<ArchivedBlob[]> =>
  deps.database.withSubscriber({ subscriberId }, (tx) => blobsOf(tx, subscriberId, sessionId ?? ''));

const moveOut = (deps: EngineDeps, options: ArchiveOptions): EffectHandler => ({
  leaseMs,
  patienceMs,
  isRepeatable: true,
  run: async (effect, signal) => {
    const archive = await archiveOf(deps, effect.subscriberId, options);
    for (const blob of await listBlobs(deps, effect)) await copyAndCompare(deps, archive, blob, signal);
    return {
      commit: (tx) => settle(tx, options.keys, effect, { state: 'Archived', from: 'Archiving', event: 'Archived' }),
    };
  },
  onDead: (tx, effect) =>
    settle(tx, options.keys, effect, { state: 'Unarchived', from: 'Archiving', event: 'ArchivingFailed' }),
});

const moveBack = (deps: EngineDeps, options: ArchiveOptions): EffectHandler => ({
  leaseMs,
  patienceMs,
  isRepeatable: true,
  run: async (effect) => {
    const { subscriberId } = effect;
    const blobs = (await listBlobs(deps, effect)).filter(({ isOffloaded }) => isOffloaded);
    const archive = blobs.length > 0 ? await archiveOf(deps, subscriberId, options) : undefined;
    for (const { sha256 } of blobs) {
      const bytes = await archive?.open({ subscriberId, sha256 });
      if (!bytes || (await deps.storage.put({ subscriberId, bytes })).sha256 !== sha256) throw damaged();
      await deps.database.withSubscriber(
        { subscriberId },
        (tx) => tx.$executeRaw`update blobs set offloaded_at = null where sha256 = ${sha256}`,
      );
    }
    return {
      commit: (tx) =>
        settle(tx, options.keys, effect, { state: 'Unarchived', from: 'Unarchiving', event: 'Unarchived' }),
    };
  },
  onDead: (tx, effect) =>
    settle(tx, options.keys, effect, { state: 'Archived', from: 'Unarchiving', event: 'ArchivingFailed' }),
});

/** Removes from the archive what nothing shows any more; recorded by the collection of garbage. */
const removeCopy = (deps: EngineDeps, options: ArchiveOptions): EffectHandler => ({
  leaseMs,
  patienceMs: 30 * 24 * 3_600_000,
  isRepeatable: true,
  run: async ({ subscriberId, payload }) => {
    const archive = await archiveOf(deps, subscriberId, options);
    await archive.remove({ subscriberId, sha256: String(payload.sha256) });
    return {};
  },
});

/** The worker's part of archiving (P14): copied, read back and compared before the state says so, either way. */
export const archiveHandlers = (deps: EngineDeps, options: ArchiveOptions) => ({
  archive: moveOut(deps, options),
  unarchive: moveBack(deps, options),
  archiveRemove: removeCopy(deps, options),
});

/** @throws ProblemError `session.archived` when the bytes of a file lie in the archive only */
export async function demandHere(tx: Transaction, sha256: string): Promise<void> {
  const away = await tx.blob.count({ where: { sha256, offloadedAt: { not: null } } });
  if (away > 0) throw problem('session.archived');
}
