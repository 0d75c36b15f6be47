import { z } from 'zod';
import { idSchema, listOf } from './paging.ts';

/** The organization that a workflow or a profile is made for, or that a session belongs to; null = the whole house. */
export const madeForSchema = z.object({ id: idSchema, name: z.string() }).nullable();
export type MadeFor = z.infer<typeof madeForSchema>;

/**
 * In bodies: the organization that something is made for, null = the whole house. Left out, a change leaves it as it is, and
 * what is new is the house's, or of the caller's only organization; a caller of several must choose.
 */
export const madeForIdSchema = idSchema
  .nullable()
  .optional()
  .describe(
    'Organization that it is made for; null = the whole house. Must be given by callers who see several organizations only',
  );

/** Stands among organizations of a filter for what is made for the whole house. */
export const wholeHouse = 'house';

/** Filter of lists: ids of organizations, and `house`. */
export const madeForFilter = {
  organizationId: listOf(idSchema).describe(
    `Organizations that the rows are made for; “${wholeHouse}” = the whole house`,
  ),
};
