import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { problem, type SessionPage } from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction } from '@pdf2press/prisma';
import { writeBlobs } from './blob-rows.ts';
import type { EngineDeps } from './deps.ts';
import { withEffectFolder } from './effect-folder.ts';
import { type EffectHandler, recordEffect } from './effects.ts';

/** Draws the rasters of one page into a folder: `<rgb|ink-N>/<dpi>/<x>_<y>.webp`. */
export type DrawTiles = (request: { pdf: string; page: number; workDir: string; signal: AbortSignal }) => Promise<{
  folder: string;
  page: SessionPage;
}>;

/** All tiles of a page lie in one blob, one after the other; `index` says where: name → [offset, length]. */
interface TilesMeta {
  role: 'tiles';
  of: string;
  page: SessionPage;
  index: Record<string, [number, number]>;
}

export interface PageTiles {
  page: SessionPage;
  /** Where the bytes of `rgb/72/0_1.webp` are; undefined when there is no such tile. */
  tile(name: string): { sha256: string; start: number; end: number } | undefined;
}

/** The rasters of a page, once drawn. */
export async function findPageTiles(tx: Transaction, fileId: string, page: number): Promise<PageTiles | undefined> {
  const file = await tx.file.findFirst({
    where: {
      page,
      removedAt: null,
      AND: [{ meta: { path: ['role'], equals: 'tiles' } }, { meta: { path: ['of'], equals: fileId } }],
    },
  });
  if (!file) return undefined;
  const { page: facts, index } = file.meta as unknown as TilesMeta;
  return {
    page: facts,
    tile: (name) => {
      const place = Object.hasOwn(index, name) ? index[name] : undefined;
      return place && { sha256: file.sha256, start: place[0], end: place[0] + place[1] - 1 };
    },
  };
}

export interface PageRequest {
  fileId: string;
  /** From 1. */
  page: number;
}

/**
 * Asks for the rasters of a page; asking again does nothing more. They are there when `findPageTiles` finds them.
 * `dead` = they cannot be drawn, with the fault's code.
 */
export const askForPage = (
  deps: EngineDeps,
  context: SubscriberContext,
  { fileId, page }: PageRequest,
): Promise<{ state: 'asked' | 'dead'; code: string | null }> =>
  deps.database.withSubscriber(context, async (tx) => {
    const file = await tx.file.findUnique({ where: { id: fileId } });
    if (!file || file.removedAt || page < 1) throw problem('resource.notFound');
    const key = `tiles ${fileId} ${page}`;
    await recordEffect(tx, { key, kind: 'tiles', sessionId: file.sessionId, payload: { fileId, page } });
    const effect = await tx.effect.findFirstOrThrow({ where: { key }, select: { state: true, lastError: true } });
    return { state: effect.state === 'Dead' ? 'dead' : 'asked', code: effect.lastError };
  });

/** The tiles below a folder as one stream, and where each is. */
async function pack(folder: string): Promise<{ index: TilesMeta['index']; bytes: AsyncIterable<Uint8Array> }> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.webp')).sort();
  const index: TilesMeta['index'] = {};
  let offset = 0;
  for (const name of names) {
    const { size } = await stat(path.join(folder, name));
    index[name.split(path.sep).join('/')] = [offset, size];
    offset += size;
  }
  async function* bytes() {
    for (const name of names) yield* createReadStream(path.join(folder, name));
  }
  return { index, bytes: bytes() };
}

/** Draws pages that somebody looks at. Beside the workflow: it keeps no session open and cannot fail one. */
export function drawPages(
  deps: EngineDeps,
  { drawTiles, workFolder }: { drawTiles: DrawTiles; workFolder: string },
): EffectHandler {
  return {
    leaseMs: 180_000,
    isRepeatable: true,
    patienceMs: 3_600_000,
    run: async (effect, signal) => {
      const { subscriberId } = effect;
      const { fileId, page } = effect.payload as unknown as PageRequest;
      const file = await deps.database.withSubscriber({ subscriberId }, (tx) =>
        tx.file.findUniqueOrThrow({ where: { id: fileId } }),
      );
      return withEffectFolder(workFolder, effect, async (workDir) => {
        const drawn = await deps.storage.withLocalPath({ subscriberId, sha256: file.sha256 }, (pdf) =>
          drawTiles({ pdf, page, workDir, signal }),
        );
        const { index, bytes } = await pack(drawn.folder);
        const { sha256, size } = await deps.storage.put({ subscriberId, bytes });
        const meta: TilesMeta = { role: 'tiles', of: fileId, page: drawn.page, index };
        return {
          commit: async (tx) => {
            await writeBlobs(tx, [{ sha256, size }]);
            await tx.file.create({
              data: {
                id: newId('file'),
                sessionId: file.sessionId,
                stepRunId: file.stepRunId,
                sha256,
                size,
                runNo: file.runNo,
                kind: file.kind === 'OriginalFile' ? 'OriginalFileThumbnails' : 'ProductionFileThumbnails',
                name: `${page}.tiles`,
                mediaType: 'application/octet-stream',
                page,
                meta: meta as unknown as object,
              },
              select: { id: true },
            });
          },
        };
      });
    },
  };
}
