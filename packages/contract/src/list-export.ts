import type { z } from 'zod';
import { type Access, route } from './route.ts';

/**
 * The export of a list: all pages of it as CSV, for whoever may read the list. `query` has the filters and the sorting of the
 * list, without its paging.
 */
export const exportOf = <const P extends string, const A extends Access, Q extends z.ZodObject>(
  path: P,
  access: A,
  query: Q,
) =>
  route({
    method: 'GET',
    path: `${path}/export.csv`,
    access,
    summary: 'The same list as CSV, every page of it',
    query,
    wire: 'bytes',
  });
