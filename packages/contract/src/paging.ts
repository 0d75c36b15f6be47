import { z } from 'zod';

/** Query parameters of every list; `page` counts from 1. */
export const pagingSchema = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(25),
  search: z.string().trim().max(200).optional(),
});

export const directions = ['asc', 'desc'] as const;
export type Direction = (typeof directions)[number];

/** Query parameters of a list that is sorted by one of its columns; the first is the order until another is asked for. */
export const sortedBy = <const S extends readonly [string, ...string[]]>(sorts: S, direction: Direction = 'asc') => ({
  sort: z.enum(sorts).default(() => sorts[0] as S[number]),
  direction: z.enum(directions).default(direction),
});

/** A number of something counted from 1 in a query; no larger than the columns that it is compared with. */
export const countedSchema = z.coerce.number().int().min(1).max(2_147_483_647);

/** A page of a list, with the total number of matches. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    total: z.number().int().nonnegative(),
    page: z.number().int(),
    pageSize: z.number().int(),
  });

/** A query value that may be given once or several times. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).max(50).optional(),
  );

export const idSchema = z.string().min(1).max(100);
export const idParamsSchema = z.object({ id: idSchema });
export const timeSchema = z.string().describe('ISO 8601, UTC');
export const nameSchema = z.string().trim().min(1).max(200);
