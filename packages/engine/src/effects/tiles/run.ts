import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError, type PageList, problem, type SessionPage } from '@pdf2press/contract';
import { type SubscriberContext, storedAs, type Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import type { PayloadOf } from '../catalogue.ts';
import { storeDerived, withInputs } from '../derived-file.ts';
import { withEffectFolder } from '../effect-folder.ts';
import { type AskedEffect, askForEffect } from '../enqueue.ts';
import type { EffectRun } from '../run.ts';

/** Renders the tiles of one page into a folder: `<rgb|art|ink-N>/<dpi>/<x>_<y>.webp`. */
export type DrawTiles = (request: { pdf: string; page: number; workDir: string; signal: AbortSignal }) => Promise<{
  folder: string;
  page: SessionPage;
  /** All pages of the file. */
  list: PageList;
}>;

/** Lists all pages of a file without rendering one. */
export type ListPages = (request: { pdf: string; workDir: string; signal: AbortSignal }) => Promise<PageList>;

/** All tiles of a page are concatenated in one blob; `index` says where each is: name → [offset, length] in bytes. */
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

/** The tiles of a page; undefined when they are not rendered yet. */
export async function findPageTiles(tx: Transaction, fileId: string, page: number): Promise<PageTiles | undefined> {
  const file = await tx.file.findFirst({
    where: {
      page,
      removedAt: null,
      AND: [{ meta: { path: ['role'], equals: 'tiles' } }, { meta: { path: ['of'], equals: fileId } }],
    },
  });
  if (!file) return undefined;
  const { page: facts, index } = storedAs<TilesMeta>(file.meta);
  return {
    page: facts,
    tile: (name) => {
      const place = Object.hasOwn(index, name) ? index[name] : undefined;
      return place && { sha256: file.sha256, start: place[0], end: place[0] + place[1] - 1 };
    },
  };
}

/** The pages of a file whose tiles were tried and cannot be made. What the store could not give may still come. */
export const findUndrawable = async (
  tx: Transaction,
  { sessionId, fileId }: { sessionId: string; fileId: string },
): Promise<ReadonlySet<number>> => {
  const rows = await tx.$queryRaw<{ page: number }[]>`
    select (payload ->> 'page')::int as page from effects
     where session_id = ${sessionId} and kind = 'tiles' and state = 'Dead' and payload ->> 'fileId' = ${fileId}
       and last_error is distinct from 'STORAGE_UNAVAILABLE'`;
  return new Set(rows.map(({ page }) => page));
};

/**
 * Asks for the tiles of a page; asking again does nothing more. They are there when `findPageTiles` finds them. `dead` =
 * they cannot be rendered, with the fault's code.
 */
export const askForPage = (
  deps: EngineDeps,
  context: SubscriberContext,
  asked: PayloadOf<'tiles'>,
): Promise<AskedEffect> =>
  ask(deps, context, asked, {
    key: `tiles ${asked.fileId} ${asked.page}`,
    find: (tx) => findPageTiles(tx, asked.fileId, asked.page),
  });

const ask = (
  deps: EngineDeps,
  context: SubscriberContext,
  { fileId, page }: PayloadOf<'tiles'>,
  { key, find }: { key: string; find: (tx: Transaction) => Promise<object | null | undefined> },
): Promise<AskedEffect> =>
  deps.database.withSubscriber(context, async (tx) => {
    const file = await tx.file.findUnique({ where: { id: fileId } });
    if (!file || file.removedAt || page < 1) throw problem('resource.notFound');
    return askForEffect(tx, { kind: 'tiles', key, sessionId: file.sessionId, payload: { fileId, page } }, find);
  });

/**
 * Asks for the list of a file's pages, with the tiles of the first; asking again does nothing more. It is there when
 * `findPageList` finds it.
 */
export const askForPageList = (
  deps: EngineDeps,
  context: SubscriberContext,
  fileId: PayloadOf<'tiles'>['fileId'],
): Promise<AskedEffect> =>
  ask(deps, context, { fileId, page: 1 }, { key: `pages ${fileId}`, find: (tx) => findPageList(tx, fileId) });

/** What was written of a file's pages: its inspection or its page list, which both hold a `PageList` in JSON. */
export const findPageList = (tx: Transaction, fileId: string): Promise<{ sha256: string } | null> =>
  tx.file.findFirst({
    where: {
      removedAt: null,
      kind: 'Others',
      AND: { meta: { path: ['of'], equals: fileId } },
      OR: ['pages', 'inspection'].map((role) => ({ meta: { path: ['role'], equals: role } })),
    },
    select: { sha256: true },
  });

/** The tiles in a folder as one stream, and the position of each. */
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

async function* jsonOf(value: PageList) {
  yield Buffer.from(JSON.stringify(value));
}

/**
 * Renders pages that somebody looks at. Runs outside the workflow: it keeps no session open and cannot fail one. The list of
 * the file's pages is kept with the first page that is tried, also where that one cannot be rendered: the others can be.
 */
export function drawPages(
  deps: EngineDeps,
  { drawTiles, listPages, workFolder }: { drawTiles: DrawTiles; listPages: ListPages; workFolder: string },
): EffectRun<'tiles'> {
  return {
    run: (effect, signal) => {
      const { fileId, page } = effect.payload;
      return withEffectFolder(workFolder, effect, (workDir) =>
        withInputs(deps, effect, [fileId], async ([file]) => {
          const asked = { pdf: file.localPath, workDir, signal };
          const isListed = () =>
            deps.database.withSubscriber(effect, async (tx) => (await findPageList(tx, fileId)) !== null);
          const storeList = (list: PageList) =>
            storeDerived(deps, effect, file, jsonOf(list), {
              kind: 'Others',
              name: 'pages.json',
              mediaType: 'application/json',
              meta: { role: 'pages', of: fileId },
            });
          const drawn = await drawTiles({ ...asked, page }).catch(async (error: unknown) => {
            if (error instanceof FileFaultError && !(await isListed())) {
              const { commit } = await storeList(await listPages(asked));
              await deps.database.withSubscriber(effect, async (tx) => commit?.(tx));
            }
            throw error;
          });
          const { index, bytes } = await pack(drawn.folder);
          const meta: TilesMeta = { role: 'tiles', of: fileId, page: drawn.page, index };
          const tiles = await storeDerived(deps, effect, file, bytes, {
            kind: file.kind === 'OriginalFile' ? 'OriginalFileThumbnails' : 'ProductionFileThumbnails',
            name: `${page}.tiles`,
            mediaType: 'application/octet-stream',
            page,
            meta,
          });
          if (await isListed()) return tiles;
          const list = await storeList(drawn.list);
          return {
            commit: async (tx) => {
              await tiles.commit?.(tx);
              await list.commit?.(tx);
            },
          };
        }),
      );
    },
    onDead: async (_, { payload: { page } }) => ({ page: String(page) }),
  };
}
