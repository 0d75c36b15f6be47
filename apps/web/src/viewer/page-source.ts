import type { SessionPage } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { pathOf } from '../client/call.ts';
import type { Level, Tile } from './page-geometry.ts';

export type FileVersion = 'original' | 'production';

/** Identifies the rasters of a session's pages. */
export interface PageSource {
  sessionId: string;
  version: FileVersion;
  /** Hash of the file, part of the raster addresses, so that rasters can be cached forever. */
  sha256: string;
}

export const tileAddress = (
  source: PageSource,
  page: SessionPage,
  layer: string,
  level: Level,
  tile: Pick<Tile, 'column' | 'row'>,
): string =>
  pathOf(
    sessionRoutes.tile,
    {
      id: source.sessionId,
      page: page.page,
      version: source.version,
      layer,
      dpi: level.dpi,
      tile: `${tile.column}_${tile.row}.webp`,
    },
    { v: source.sha256 },
  );

export const thumbnailAddress = (source: PageSource, page: number): string =>
  pathOf(sessionRoutes.thumbnail, { id: source.sessionId, page }, { version: source.version, v: source.sha256 });

/** How the page is shown: composite, selected inks, or total ink coverage. */
export type InkView = { kind: 'all' } | { kind: 'inks'; ids: readonly number[] } | { kind: 'heat'; limit: number };
