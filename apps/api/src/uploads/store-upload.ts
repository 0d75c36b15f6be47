import type { Stored } from '@pdf2press/storage';
import type { ApiDeps } from '../deps.ts';
import type { Sender } from './sender.ts';
import { pathOf } from './upload-files.ts';
import type { UploadRow } from './upload-rows.ts';
import { rehash } from './write-chunk.ts';

/** The hash of all bytes of the file. */
async function hashOfFile(deps: ApiDeps, { id, size }: Pick<UploadRow, 'id' | 'size'>): Promise<string> {
  const known = deps.uploads.hashes.get(id);
  const state = known?.offset === size ? known : await rehash(pathOf(deps, id), size);
  return state.hash.copy().digest('hex');
}

/** Moves the complete bytes of an upload into the store; repeated, also at the same moment, it answers the same. */
export function storeUpload(
  deps: ApiDeps,
  sender: Pick<Sender, 'subscriberId' | 'run'>,
  upload: Pick<UploadRow, 'id' | 'size'>,
): Promise<Stored> {
  const { storing } = deps.uploads;
  const underway = storing.get(upload.id);
  if (underway) return underway;
  const mine = storeNow(deps, sender, upload).finally(() => storing.delete(upload.id));
  storing.set(upload.id, mine);
  return mine;
}

/**
 * The hash of the bytes is written down before,
 * because the file is gone where an attempt before, or another at the same moment, has moved it.
 */
async function storeNow(
  deps: ApiDeps,
  { subscriberId, run }: Pick<Sender, 'subscriberId' | 'run'>,
  { id, size }: Pick<UploadRow, 'id' | 'size'>,
): Promise<Stored> {
  const written = async (): Promise<string | null> => {
    const [row] = await run(
      (tx) =>
        tx.$queryRaw<{ sha256: string | null }[]>`select metadata->>'sha256' as sha256 from uploads where id = ${id}`,
    );
    return row?.sha256 ?? null;
  };
  const before = await written();
  const sha256 =
    before ??
    (await hashOfFile(deps, { id, size }).catch(async (error: unknown) => {
      const meanwhile = await written();
      if (meanwhile === null) throw error;
      return meanwhile;
    }));
  if (before === null)
    await run(
      (tx) =>
        tx.$executeRaw`update uploads set metadata = metadata || jsonb_build_object('sha256', ${sha256}::text) where id = ${id}`,
    );
  try {
    return await deps.storage.adopt({ subscriberId, path: pathOf(deps, id), sha256, size });
  } catch (error) {
    if ((await deps.storage.sizeOf({ subscriberId, sha256 })) !== size) throw error;
    return { sha256, size };
  } finally {
    deps.uploads.hashes.delete(id);
  }
}
