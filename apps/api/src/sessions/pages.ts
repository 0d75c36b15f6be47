import { text } from 'node:stream/consumers';
import {
  fileFaultSchema,
  type PageList,
  pageListSchema,
  problem,
  type RouteResult,
  type routes,
  type SessionPage,
} from '@pdf2press/contract';
import { askForPage, askForPageList, demandHere, findPageList, findPageTiles, findUndrawable } from '@pdf2press/engine';
import { type SubscriberContext, storedAs, type Transaction } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { found } from '../frame/rows.ts';

type SessionPages = RouteResult<typeof routes.sessions.pages>;

interface PageFile {
  id: string;
  sha256: string;
}

/**
 * The PDF to show: `original`, `production` for the newest that this run's steps made, or the file with this id. Of files
 * with the same bytes, as after a rename, the first: what was drawn belongs to it. @throws ProblemError
 */
async function fileOf(tx: Transaction, sessionId: string, version: string): Promise<PageFile> {
  const session = found(
    await tx.session.findFirst({ where: { id: sessionId }, select: { deletedAt: true, runNo: true } }),
  );
  if (session.deletedAt) throw problem('session.deleted');
  const where =
    version === 'original'
      ? { kind: 'OriginalFile' as const }
      : version === 'production'
        ? { kind: 'ProductionFile' as const, runNo: session.runNo }
        : { id: version };
  const isShown = {
    sessionId,
    removedAt: null,
    mediaType: 'application/pdf',
    kind: { in: ['OriginalFile' as const, 'ProductionFile' as const] },
  };
  const { sha256 } = found(
    await tx.file.findFirst({
      where: { ...isShown, ...where },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      select: { sha256: true },
    }),
  );
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  return tx.file.findFirstOrThrow({ where: { ...isShown, sha256 }, orderBy, select: { id: true, sha256: true } });
}

const byRole = (role: string, of: string) => ({
  AND: [{ meta: { path: ['role'], equals: role } }, { meta: { path: ['of'], equals: of } }],
});

// The pages of given bytes never change, and a viewer asks for them often.
const inspections = new Map<string, Promise<PageList>>();
const keptInspections = 50;

function readPageList(deps: ApiDeps, blob: { subscriberId: string; sha256: string }): Promise<PageList> {
  const key = `${blob.subscriberId} ${blob.sha256}`;
  const known = inspections.get(key);
  if (known) return known;
  if (inspections.size >= keptInspections) inspections.delete(inspections.keys().next().value ?? '');
  const reading = deps.storage.open(blob).then(async (stream) => pageListSchema.parse(JSON.parse(await text(stream))));
  inspections.set(key, reading);
  reading.catch(() => inspections.delete(key));
  return reading;
}

/** The resolutions in which a page will be rendered; the same calculation as in the renderer. */
function levelsOf(widthPt: number, heightPt: number): SessionPage['levels'] {
  const at = (dpi: number) => ({
    dpi,
    width: Math.max(1, Math.floor((widthPt * dpi) / 72 + 0.5)),
    height: Math.max(1, Math.floor((heightPt * dpi) / 72 + 0.5)),
    tile: 512,
  });
  const bounded = [36, 72, 150, 300].map(at).filter(({ width, height }) => width * height <= 45_000_000);
  return bounded.length > 0
    ? bounded
    : [at(Math.max(1, Math.floor(72 * Math.sqrt(45_000_000 / (widthPt * heightPt)))))];
}

/** A page that is not rendered yet: its sizes are known, its inks only after rendering. */
function undrawn(page: PageList['pages'][number]): SessionPage {
  const { effective: boxes, rotate, userUnit } = page;
  const [width, height] = [boxes.crop[2] - boxes.crop[0], boxes.crop[3] - boxes.crop[1]];
  const [widthPt, heightPt] = (rotate % 180 === 0 ? [width, height] : [height, width]).map(
    (side) => side * userUnit,
  ) as [number, number];
  return {
    page: page.number,
    label: page.label || null,
    widthPt,
    heightPt,
    rotate,
    userUnit,
    boxes,
    inks: [],
    levels: levelsOf(widthPt, heightPt),
    isReady: false,
  };
}

/** Pages of a session's file. @throws ProblemError `page.notReady` until the file was inspected */
export async function readPages(
  deps: ApiDeps,
  context: SubscriberContext,
  id: string,
  version: string,
): Promise<SessionPages> {
  const { file, list, drawn, undrawable } = await deps.db.withSubscriber(context, async (tx) => {
    const file = await fileOf(tx, id, version);
    const list = await findPageList(tx, file.id);
    const drawn = await tx.file.findMany({
      where: { sessionId: id, removedAt: null, ...byRole('tiles', file.id) },
      select: { page: true, meta: true },
    });
    const undrawable = await findUndrawable(tx, { sessionId: id, fileId: file.id });
    return { file, list, drawn, undrawable };
  });
  const ready = new Map(drawn.map(({ page, meta }) => [page, storedAs<{ page: SessionPage }>(meta).page]));
  if (!list) {
    await asked(deps, context, file, () => askForPageList(deps.engine, context, file.id));
    throw problem('page.notReady');
  }
  const { binding, pages } = await readPageList(deps, { subscriberId: context.subscriberId, sha256: list.sha256 });
  return {
    version,
    sha256: file.sha256,
    binding,
    pages: pages.map((page) => {
      const made = ready.get(page.number);
      if (made) return made;
      return { ...undrawn(page), ...(undrawable.has(page.number) && { isUndrawable: true as const }) };
    }),
  };
}

/** Asks for a page to be rendered. @throws ProblemError as `asked`, and `resource.notFound` past the last page */
async function demandPage(deps: ApiDeps, context: SubscriberContext, file: PageFile, page: number): Promise<void> {
  const list = await deps.db.withSubscriber(context, (tx) => findPageList(tx, file.id));
  const known = list && (await readPageList(deps, { subscriberId: context.subscriberId, sha256: list.sha256 }));
  if (known && page > known.pages.length) throw problem('resource.notFound');
  await asked(deps, context, file, () => askForPage(deps.engine, context, { fileId: file.id, page }));
}

/** Asks for work on a file. @throws ProblemError `session.archived`, `page.notDrawable`, `service.unavailable` */
async function asked(
  deps: ApiDeps,
  context: SubscriberContext,
  file: PageFile,
  ask: () => ReturnType<typeof askForPage>,
): Promise<void> {
  await deps.db.withSubscriber(context, (tx) => demandHere(tx, file.sha256));
  const { state, code } = await ask();
  if (state !== 'dead') return;
  if (code === 'STORAGE_UNAVAILABLE') throw problem('service.unavailable');
  throw problem('page.notDrawable', { fault: fileFaultSchema.catch('INTERNAL').parse(code) });
}

interface Picture {
  sha256: string;
  /** Both ends included; absent = the whole blob. */
  range?: { start: number; end: number };
  mediaType: string;
}

/** Images derived from given bytes never change: cached for a year by the browser, and by no cache in between. */
export async function sendPicture(
  deps: ApiDeps,
  {
    context,
    request,
    reply,
    picture,
    isFixed,
  }: { context: SubscriberContext; request: FastifyRequest; reply: FastifyReply; picture: Picture; isFixed: boolean },
): Promise<unknown> {
  const { sha256, range, mediaType } = picture;
  const etag = `"${sha256.slice(0, 32)}${range ? `-${range.start}` : ''}"`;
  reply.headers({
    'Content-Type': mediaType,
    'Cache-Control': isFixed ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ETag: etag,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (range) reply.header('Content-Length', range.end - range.start + 1);
  return reply.send(await deps.storage.open({ subscriberId: context.subscriberId, sha256 }, range));
}

interface Ask {
  context: SubscriberContext;
  request: FastifyRequest;
  reply: FastifyReply;
  id: string;
  page: number;
  version: string;
  /** Hash of the file; a client that sends it may cache the answer without a time limit. */
  v?: string | undefined;
}

/** One tile, or 202 `page.notReady` while the worker renders the page. */
export async function sendTile(deps: ApiDeps, ask: Ask & { name: string }): Promise<unknown> {
  const { context, id, version, page, name } = ask;
  const { file, tiles } = await deps.db.withSubscriber(context, async (tx) => {
    const file = await fileOf(tx, id, version);
    return { file, tiles: await findPageTiles(tx, file.id, page) };
  });
  if (!tiles) {
    await demandPage(deps, context, file, page);
    throw problem('page.notReady');
  }
  const { sha256, ...range } = found(tiles.tile(name));
  const isFixed = ask.v === file.sha256;
  return sendPicture(deps, { ...ask, picture: { sha256, range, mediaType: 'image/webp' }, isFixed });
}

/** A thumbnail of a page: rendered with the file for the first fifty, made from the coarsest tiles for the others. */
export async function sendThumbnail(deps: ApiDeps, ask: Ask): Promise<unknown> {
  const { context, id, version, page } = ask;
  const { file, small, tiles } = await deps.db.withSubscriber(context, async (tx) => {
    const file = await fileOf(tx, id, version);
    const small = await tx.file.findFirst({
      where: { sessionId: id, page, removedAt: null, ...byRole('thumbnail', file.id) },
      orderBy: { createdAt: 'desc' },
    });
    return { file, small, tiles: small ? undefined : await findPageTiles(tx, file.id, page) };
  });
  const isFixed = ask.v === file.sha256;
  if (small)
    return sendPicture(deps, { ...ask, picture: { sha256: small.sha256, mediaType: small.mediaType }, isFixed });
  if (!tiles) {
    await demandPage(deps, context, file, page);
    throw problem('page.notReady');
  }
  const [level] = tiles.page.levels;
  const { sha256, ...range } = found(tiles.tile(`rgb/${level?.dpi}/0_0.webp`));
  return sendPicture(deps, { ...ask, picture: { sha256, range, mediaType: 'image/webp' }, isFixed });
}
