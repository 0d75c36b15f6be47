import { newId, type Prisma, toJson } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { writeBlobs } from '../files/blob-rows.ts';
import type { ClaimedEffect, EffectDone } from './run.ts';

type StoredFile = Prisma.FileGetPayload<true>;
type Input = StoredFile & { localPath: string };

/** Reads the rows of stored files and lends their bytes as local files while `work` runs; in the order of the ids. */
export async function withInputs<const Ids extends readonly string[], T>(
  { database, storage }: EngineDeps,
  { subscriberId }: Pick<ClaimedEffect, 'subscriberId'>,
  ids: Ids,
  work: (inputs: { readonly [At in keyof Ids]: Input }) => Promise<T>,
): Promise<T> {
  const files = await database.withSubscriber({ subscriberId }, async (tx) => {
    const rows: StoredFile[] = [];
    for (const id of ids) rows.push(await tx.file.findUniqueOrThrow({ where: { id } }));
    return rows;
  });
  const lend = (at: number, inputs: readonly Input[]): Promise<T> => {
    const file = files[at];
    // One input per id, which TypeScript cannot count.
    if (!file) return work(inputs as { readonly [At in keyof Ids]: Input });
    return storage.withLocalPath({ subscriberId, sha256: file.sha256 }, (localPath) =>
      lend(at + 1, [...inputs, { ...file, localPath }]),
    );
  };
  return lend(0, []);
}

/** Stores what was made from a file; its row belongs to the session, step and run of that file. */
export async function storeDerived(
  { storage }: EngineDeps,
  { subscriberId }: Pick<ClaimedEffect, 'subscriberId'>,
  { sessionId, stepRunId, runNo }: StoredFile,
  bytes: AsyncIterable<Uint8Array>,
  { meta, ...facts }: Pick<StoredFile, 'kind' | 'name' | 'mediaType'> & { page?: number; meta: object },
): Promise<EffectDone> {
  const { sha256, size } = await storage.put({ subscriberId, bytes });
  return {
    commit: async (tx) => {
      await writeBlobs(tx, [{ sha256, size }]);
      await tx.file.create({
        data: { id: newId('file'), sessionId, stepRunId, runNo, sha256, size, ...facts, meta: toJson(meta) },
        select: { id: true },
      });
    },
  };
}
