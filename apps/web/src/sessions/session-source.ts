import { sessionRoutes } from '@pdf2press/contract/calls';
import { pathOf } from '../client/address.ts';
import type { FileVersion, PageSource } from '../viewer/page-source.ts';

/** The rasters of a version of a session's file. */
export const sessionSource = (id: string, version: FileVersion, sha256: string): PageSource => ({
  tile: (at) => pathOf(sessionRoutes.tile, { id, version, ...at }, { v: sha256 }),
  thumbnail: (page) => pathOf(sessionRoutes.thumbnail, { id, page }, { version, v: sha256 }),
});
