import type { Storage } from '@pdf2press/storage';
import type { EngineDeps } from '../../deps.ts';
import { type ArchivedBlob, type ArchiveOptions, archiveOf, damaged, listBlobs, settle } from '../archiving.ts';
import { hashOf } from '../hash-of.ts';
import type { EffectRun } from '../run.ts';

/**
 * Copies one file to the archive, unless it is there already, and reads it back. Only then its row says that it is
 * archived.
 */
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

/** Copies the files, reads each copy back and compares it; only then is the session marked as archived. */
export const moveToArchive = (deps: EngineDeps, options: ArchiveOptions): EffectRun<'archive'> => ({
  run: async (effect, signal) => {
    const archive = await archiveOf(deps, effect.subscriberId, options);
    for (const blob of await listBlobs(deps, effect)) await copyAndCompare(deps, archive, blob, signal);
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
