import { sessionRoutes } from '@pdf2press/contract/calls';
import { pictureQuery } from '../client/blob-image.tsx';
import { firstPageId } from '../client/first-page.ts';
import { queries, queryOf } from '../client/queries.ts';
import { fitView, levelFor, tilesInSight } from '../viewer/page-geometry.ts';
import { tileAddress } from '../viewer/page-source.ts';
import { sessionSource } from './session-source.ts';
import { stagePlaceOf } from './stage-place.ts';
import { checkedVersion } from './step-files.ts';

/** Nothing of the app is there yet; later, the page is drawn by the app alone. */
const isBlank = () => document.querySelector('#root :not(style)') === null && !window.firstPageIsDrawn;

/**
 * Shows the first page of a session where the app shows it later, as it did when a session like it was last seen: the picture
 * is there a second before the app has run on a slow processor. The app draws the same pictures from the cache of its queries.
 */
export async function showFirstPage(id: string): Promise<void> {
  if (!isBlank()) return;
  const session = await queries.ensureQueryData(queryOf(sessionRoutes.get, { params: { id } }));
  const version = checkedVersion(session);
  const { pages, sha256 } = await queries.ensureQueryData({
    ...queryOf(sessionRoutes.pages, { params: { id }, query: { version } }),
    retry: false,
  });
  const [page] = pages;
  const stage = stagePlaceOf(session);
  if (!page?.isReady || page.isUndrawable || !stage) return;
  const size = { width: page.widthPt, height: page.heightPt };
  const view = fitView(size, stage);
  const level = levelFor(page.levels, view.scale, window.devicePixelRatio);
  if (!level) return;
  const source = sessionSource(id, version, sha256);
  const pictures = await Promise.all(
    tilesInSight(level, view, size, stage).map(async ({ area, ...tile }) => {
      const blob = await queries.ensureQueryData(pictureQuery(tileAddress(source, page, 'rgb', level, tile)));
      return { area, blob };
    }),
  );
  if (!isBlank()) return;
  const table = document.createElement('div');
  table.id = firstPageId;
  place(table, 'fixed', [stage.x, stage.y, stage.width, stage.height], 'px');
  Object.assign(table.style, { overflow: 'hidden', background: 'var(--p2p-pasteboard)', pointerEvents: 'none' });
  const paper = document.createElement('div');
  place(paper, 'absolute', [view.x, view.y, size.width * view.scale, size.height * view.scale], 'px');
  Object.assign(paper.style, { background: '#fff', boxShadow: '0 2px 18px rgb(0 0 0 / 35%)' });
  paper.append(
    ...pictures.map(({ area, blob }) => {
      const picture = new Image();
      picture.alt = '';
      picture.src = URL.createObjectURL(blob);
      picture.onload = () => URL.revokeObjectURL(picture.src);
      place(picture, 'absolute', [area.x * 100, area.y * 100, area.width * 100, area.height * 100], '%');
      return picture;
    }),
  );
  table.append(paper);
  document.body.append(table);
}

function place(
  { style }: HTMLElement,
  position: 'fixed' | 'absolute',
  [left, top, width, height]: readonly [number, number, number, number],
  unit: 'px' | '%',
): void {
  const [inlineSize, blockSize] = [`${width}${unit}`, `${height}${unit}`];
  Object.assign(style, { position, left: `${left}${unit}`, top: `${top}${unit}`, inlineSize, blockSize });
}
