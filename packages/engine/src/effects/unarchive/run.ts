import type { EngineDeps } from '../../deps.ts';
import { type ArchiveOptions, archiveOf, damaged, listBlobs, settle } from '../archiving.ts';
import type { EffectRun } from '../run.ts';

/** Copies the files back into the store and checks each against its hash. */
export const moveFromArchive = (deps: EngineDeps, options: ArchiveOptions): EffectRun<'unarchive'> => ({
  run: async (effect) => {
    const { subscriberId } = effect;
    const blobs = (await listBlobs(deps, effect)).filter(({ isOffloaded }) => isOffloaded);
    const archive = blobs.length > 0 ? await archiveOf(deps, subscriberId, options) : undefined;
    for (const blob of blobs) {
      const { sha256 } = blob;
      const bytes = await (await archive?.(blob))?.open({ subscriberId, sha256 });
      if (!bytes || (await deps.storage.put({ subscriberId, bytes })).sha256 !== sha256) throw damaged();
      await deps.database.withSubscriber(
        { subscriberId },
        (tx) => tx.$executeRaw`update blobs set offloaded_at = null where sha256 = ${sha256}`,
      );
    }
    return {
      commit: async (tx) => {
        await settle(tx, options.keys, effect, { state: 'Unarchived', from: 'Unarchiving', event: 'Unarchived' });
      },
    };
  },
  onDead: async (tx, effect) => {
    const to = { state: 'Archived', from: 'Unarchiving', event: 'ArchivingFailed' } as const;
    const file = await settle(tx, options.keys, effect, to);
    return file === undefined ? undefined : { file };
  },
});
