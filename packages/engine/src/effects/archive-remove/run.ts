import type { EngineDeps } from '../../deps.ts';
import { type ArchiveOptions, archiveOf } from '../archiving.ts';
import type { EffectRun } from '../run.ts';

/** Removes the archived copy of the given bytes. */
export const removeFromArchive = (deps: EngineDeps, options: ArchiveOptions): EffectRun<'archiveRemove'> => ({
  run: async ({ subscriberId, payload }) => {
    const archive = await archiveOf(deps, subscriberId, options);
    await (await archive(payload)).remove({ subscriberId, sha256: payload.sha256 });
    return {};
  },
  onDead: async (_, { payload }) => ({ sha256: payload.sha256 }),
});
