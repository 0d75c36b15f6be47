import type { SessionPage } from '@pdf2press/contract';
import type { Level, Tile } from './page-geometry.ts';

/** `original`, `production` (the newest that the run made), or the id of a PDF that it made before. */
export type FileVersion = string;

/**
 * Where the rasters of a file's pages are. The same file has the same addresses, which contain its hash so that rasters
 * can be cached forever. Pages count from 1.
 */
export interface PageSource {
  /** `layer`: `rgb` or `ink-<id>`; `tile`: its file name. */
  tile: (at: { page: number; layer: string; dpi: number; tile: string }) => string;
  thumbnail: (page: number) => string;
}

export const tileAddress = (
  source: PageSource,
  page: SessionPage,
  layer: string,
  level: Level,
  tile: Pick<Tile, 'column' | 'row'>,
): string => source.tile({ page: page.page, layer, dpi: level.dpi, tile: `${tile.column}_${tile.row}.webp` });

/**
 * How pages are shown: composite, with or without lines for finishing; the inks of these names; or total ink coverage. Each page
 * numbers its own inks.
 */
export type InkView =
  | { kind: 'all'; hasNoLines?: boolean }
  | { kind: 'inks'; names: readonly string[] }
  | { kind: 'heat'; limit: number };

/** Whether the raster of a page is still to come. */
export const isComing = (page: SessionPage | undefined): boolean =>
  page !== undefined && !page.isReady && page.isUndrawable !== true;
