import {
  type archiveRules,
  archivingProfileSchema,
  archivingSecretSchema,
  type FileKind,
  nearestLocale,
  type SessionEvent,
} from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { type Blob, openS3Storage, type Storage } from '@pdf2press/storage';
import { z } from 'zod';
import type { EngineDeps } from '../deps.ts';
import {
  type ArchiveKeys,
  type ArchivePlace,
  type ArchivingConfig,
  isWhole,
  namedBucket,
} from '../files/archive-place.ts';
import type { InstanceKeys } from '../secrets/instance-key.ts';
import { revealSecret } from '../secrets/keep-secret.ts';
import { readSettings } from '../secrets/settings.ts';
import { writeEvents } from '../sessions/events.ts';
import { lockSession } from '../sessions/session-row.ts';
import { archivingPolicyOf } from '../workflows/archiving-policy.ts';

import { queueMail } from './mail/queue-mail.ts';
import { type ClaimedEffect, EffectError } from './run.ts';

/** Where archives are stored: the subscriber sets buckets and keys, the machine's owner sets the endpoint. */
export interface ArchiveOptions {
  keys: InstanceKeys;
  /** Undefined = Amazon S3, by region. */
  endpoint: string | undefined;
  /** For files that are being transferred. */
  cacheFolder: string;
}

type StorageClass = z.output<typeof archiveRules.storageClass>;

/** The archive of a configuration whose secret is decrypted; undefined when something is missing or cannot be decrypted. */
export function openArchive(
  config: ArchivingConfig,
  {
    endpoint,
    cacheFolder,
    prefix = 'archive/',
    storageClass,
  }: Pick<ArchiveOptions, 'endpoint' | 'cacheFolder'> & { prefix?: string; storageClass?: StorageClass },
): Storage | undefined {
  const { accessKey, bucketName, region, secretKey } = config;
  if (!isWhole(config) || secretKey === null) return undefined;
  return openS3Storage({
    ...(endpoint ? { endpoint } : {}),
    region,
    bucket: bucketName,
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    prefix,
    ...(storageClass && { storageClass }),
    cacheFolder,
    cacheBytes: 0,
  });
}

/** The archive at a place. @throws EffectError when it is not set up; SecretError when its keys cannot be decrypted */
export type Archive = (place: ArchivePlace) => Promise<Storage>;

/** The stored secret of the settings' keys, and that of a policy's. */
const secretKeyPurpose = 'archiving.secretKey';
export const archivingKeysPurpose = 'archiving.keys';

/** What is encrypted of a policy's keys: both, so that a copy is opened by a pair that belongs together. */
const ownKeysSchema = archivingSecretSchema.extend({ accessKey: z.string() });

/** The subscriber's archive with keys as they are now: of a place's own secret, else of the settings. */
export async function archiveOf(
  deps: EngineDeps,
  subscriberId: string,
  options: ArchiveOptions,
  storageClass?: StorageClass,
): Promise<Archive> {
  const inside = <T>(read: (tx: Transaction) => Promise<T>) => deps.database.withSubscriber({ subscriberId }, read);
  const reveal = (tx: Transaction, id: string, purpose: string) =>
    revealSecret(tx, options.keys, { subscriberId, id, purpose });
  const settings = await inside(async (tx) => {
    const { secretKey: id, ...rest } = (await readSettings(tx, subscriberId)).archivingSettings.config;
    return { ...rest, secretKey: id ? await reveal(tx, id, secretKeyPurpose) : null };
  });
  const keysOf = async (keysId: string): Promise<ArchiveKeys> =>
    keysId === ''
      ? settings
      : ownKeysSchema.parse(JSON.parse(await inside((tx) => reveal(tx, keysId, archivingKeysPurpose))));
  const opened = new Map<string, Storage>();
  return async ({ prefix, keysId, ...own }) => {
    const bucket = namedBucket(own, settings);
    const key = JSON.stringify([bucket.bucketName, bucket.region, keysId, prefix]);
    const known = opened.get(key);
    if (known) return known;
    const storage = openArchive(
      { ...(await keysOf(keysId)), ...bucket },
      { ...options, prefix, ...(storageClass && { storageClass }) },
    );
    if (!storage) throw new EffectError('the archive is not set up', { isFinal: true });
    opened.set(key, storage);
    return storage;
  };
}

/** A file's bytes, and where their copy lies or is to lie. */
export interface ArchivedBlob extends Blob, ArchivePlace {
  size: bigint;
  isOffloaded: boolean;
  /** A copy lies in the archive already. */
  isArchived: boolean;
}

const kindsOf: Readonly<Record<z.output<typeof archiveRules.files>, readonly FileKind[]>> = {
  both: ['OriginalFile', 'ProductionFile'],
  originals: ['OriginalFile'],
  finals: ['ProductionFile'],
};

/** The files that are archived: originals and produced files. Page images stay in the store, because they are small. */
const blobsOf = (
  tx: Transaction,
  { subscriberId, sessionId, kinds }: { subscriberId: string; sessionId: string; kinds: readonly FileKind[] },
): Promise<ArchivedBlob[]> =>
  tx.$queryRaw<ArchivedBlob[]>`
    select subscriber_id as "subscriberId", sha256, size, offloaded_at is not null as "isOffloaded",
           verified_at is not null as "isArchived", archive_prefix as prefix,
           archive_bucket as "bucketName", archive_region as region, archive_keys as "keysId"
      from blobs
     where subscriber_id = ${subscriberId} and removed_at is null and sha256 in (
       select sha256 from files
        where session_id = ${sessionId} and removed_at is null and kind::text = any (${[...kinds]}::text[]))
     order by sha256 for update`;

export const damaged = () => new EffectError('the archive gave back other bytes than it was given', {});

interface Moved {
  state: 'Archived' | 'Unarchived';
  from: 'Archiving' | 'Unarchiving';
  event: SessionEvent['kind'];
}

const forGood = 36_500;

/**
 * For how many days the session is not archived by itself, after this: while it is back, or until what failed is put right.
 * Without a policy, as a policy says unless it is changed: a step may want the session archived.
 */
function restOf(event: Moved['event'], { daysBack } = archivingProfileSchema.parse({})): number | null {
  if (event === 'ArchivingFailed') return 1;
  if (event !== 'Unarchived') return null;
  return daysBack === 0 ? forGood : daysBack;
}

/**
 * Ends archiving or unarchiving and sends the message that the settings ask for. Resolves to the file's name, or to
 * undefined when the session was no longer waiting for it.
 */
export async function settle(
  tx: Transaction,
  keys: InstanceKeys,
  effect: ClaimedEffect<'archive' | 'unarchive'>,
  { state, from, event }: Moved,
): Promise<string | undefined> {
  const session = await lockSession(tx, effect.sessionId ?? '');
  if (session?.archiveState !== from) return undefined;
  const { fileName } = await tx.session.findUniqueOrThrow({ where: { id: session.id }, select: { fileName: true } });
  const rest = restOf(event, await archivingPolicyOf(tx, session.id));
  await tx.$executeRaw`
    update sessions set archive_state = ${state}::archive_state, version = version + 1, updated_at = clock_timestamp(),
                        archive_not_before = clock_timestamp() + make_interval(days => ${rest}::int)
     where id = ${session.id}`;
  await writeEvents(tx, [
    { sessionId: session.id, runNo: session.runNo, kind: event, cause: `${effect.key} ${event}` },
  ]);
  const { subscriberId } = effect;
  const { archivingSettings, culture } = await readSettings(tx, subscriberId);
  const { enableNotification, emailRecipient } = archivingSettings;
  if (!enableNotification || !emailRecipient || event === 'Unarchived') return fileName;
  await queueMail(tx, keys, {
    reader: { subscriberId, email: emailRecipient, firstName: '', lastName: '', locale: nearestLocale(culture) },
    template: event === 'Archived' ? 'sessionArchived' : 'archivingFailed',
    params: { file: fileName },
    cause: effect.key,
    sessionId: session.id,
  });
  return fileName;
}

/** The files of the session that an effect archives or brings back. */
export const listBlobs = (
  deps: EngineDeps,
  { subscriberId, sessionId }: ClaimedEffect<'archive' | 'unarchive'>,
  files: keyof typeof kindsOf = 'both',
): Promise<ArchivedBlob[]> =>
  deps.database.withSubscriber({ subscriberId }, (tx) =>
    blobsOf(tx, { subscriberId, sessionId: sessionId ?? '', kinds: kindsOf[files] }),
  );
