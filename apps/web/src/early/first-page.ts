import type { RouteResult, Session } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { pathOf } from '../client/address.ts';
import { sessionSource } from '../sessions/session-source.ts';
import { stagePlaceIn } from '../sessions/stage-place.ts';
import { checkedVersion } from '../sessions/step-files.ts';
import { fitView, levelFor, tilesInSight } from '../viewer/page-geometry.ts';
import { tileAddress } from '../viewer/page-source.ts';
import { type Asked, type FirstPage, rectangleOf } from './asked.ts';

interface Calls {
  /** Null for a refusal, and without the network. */
  result: <T>(address: string) => Promise<T | null>;
  /** Null where the picture is not there yet. */
  picture: (address: string) => Promise<Blob | null>;
}

/**
 * The first page of a session where the app shows it later, as it did when a session like it was last seen. Null where none was
 * seen in a window of this size, and where the page cannot be shown yet.
 */
export async function firstPageOf(
  id: string,
  { stages, windowSize, pixelRatio }: Pick<Asked, 'stages' | 'windowSize' | 'pixelRatio'>,
  { result, picture }: Calls,
): Promise<FirstPage | null> {
  const session = await result<Session>(pathOf(sessionRoutes.get, { id }));
  const stage = session && stagePlaceIn(stages, windowSize, session);
  if (!stage) return null;
  const version = checkedVersion(session);
  const found = await result<RouteResult<typeof sessionRoutes.pages>>(pathOf(sessionRoutes.pages, { id }, { version }));
  const page = found?.pages[0];
  if (!found || !page?.isReady || page.isUndrawable) return null;
  const size = { width: page.widthPt, height: page.heightPt };
  const view = fitView(size, stage);
  const level = levelFor(page.levels, view.scale, pixelRatio);
  if (!level) return null;
  const source = sessionSource(id, version, found.sha256);
  const pictures = await Promise.all(
    tilesInSight(level, view, size, stage).map(async ({ area, ...tile }) => {
      const blob = await picture(tileAddress(source, page, 'rgb', level, tile));
      const at = { x: area.x * 100, y: area.y * 100, width: area.width * 100, height: area.height * 100 };
      return blob ? [{ at: rectangleOf(at), blob }] : [];
    }),
  );
  return {
    kind: 'firstPage',
    stage: rectangleOf(stage),
    paper: [view.x, view.y, size.width * view.scale, size.height * view.scale],
    pictures: pictures.flat(),
  };
}
