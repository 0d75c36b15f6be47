import type { EngineDeps } from '../../deps.ts';
import {
  type Archive,
  type ArchivedBlob,
  type ArchiveOptions,
  archiveOf,
  damaged,
  listBlobs,
  settle,
} from '../archiving.ts';
import { hashOf } from '../hash-of.ts';
import type { EffectRun } from '../run.ts';

/**
 * Copies one file to the archive, unless it is there already, and reads it back. Only then its row says that it is
 * archived, and where.
 */
async function copyAndCompare(
  deps: EngineDeps,
  archive: Archive,
  copy: ArchivedBlob,
  signal: AbortSignal,
): Promise<void> {
  const { subscriberId, sha256, size, isOffloaded, prefix, bucketName, region, keysId } = copy;
  const blob = { subscriberId, sha256 };
  if (isOffloaded) return;
  const place = await archive(copy);
  if ((await place.sizeOf(blob)) !== Number(size))
    await place.put({ subscriberId, bytes: await deps.storage.open(blob) });
  if ((await hashOf(await place.open(blob), signal)) !== sha256) {
    await place.remove(blob);
    throw damaged();
  }
  await deps.database.withSubscriber(
    { subscriberId },
    (tx) => tx.$executeRaw`
      update blobs set verified_at = clock_timestamp(), archive_prefix = ${prefix}, archive_bucket = ${bucketName},
                       archive_region = ${region}, archive_keys = ${keysId}
       where sha256 = ${sha256}`,
  );
}

/** Copies the files, reads each copy back and compares it; only then is the session marked as archived. */
export const moveToArchive = (deps: EngineDeps, options: ArchiveOptions): EffectRun<'archive'> => ({
  run: async (effect, signal) => {
    const { files, storageClass, ...place } = effect.payload;
    const archive = await archiveOf(deps, effect.subscriberId, options, storageClass);
    for (const blob of await listBlobs(deps, effect, files)) {
      // Equal bytes of another session lie there already: one copy is enough, where it is.
      await copyAndCompare(deps, archive, blob.isArchived ? blob : { ...blob, ...place }, signal);
    }
    return {
      commit: async (tx) => {
        await settle(tx, options.keys, effect, { state: 'Archived', from: 'Archiving', event: 'Archived' });
      },
    };
  },
  onDead: async (tx, effect) => {
    const to = { state: 'Unarchived', from: 'Archiving', event: 'ArchivingFailed' } as const;
    const file = await settle(tx, options.keys, effect, to);
    return file === undefined ? undefined : { file };
  },
});
