import { z } from 'zod';
import { localeSchema } from './locale-schema.ts';
import { publicOrganizationSchema } from './organizations.ts';
import { timeSchema } from './paging.ts';
import { publicAccess, route } from './route.ts';

/*
 * A file that was too large for the mail it was delivered by, for whoever has the link of that mail. A link that is wrong, has
 * expired, or whose session or file is gone is answered as one that never existed.
 */

const linkParamsSchema = z.object({ secret: z.string().max(100) });

export const deliveredFileSchema = z.object({
  name: z.string(),
  sizeBytes: z.int(),
  expiresAt: timeSchema,
  house: z.object({
    title: z.string(),
    organization: publicOrganizationSchema.nullable(),
  }),
  /** In which its mail was written. */
  locale: localeSchema,
});
export type DeliveredFile = z.output<typeof deliveredFileSchema>;

export const deliveredFileRoutes = {
  get: route({
    method: 'GET',
    path: '/delivered/:secret',
    access: publicAccess,
    summary: 'What the link of a delivery by e-mail leads to; nothing is changed by asking',
    params: linkParamsSchema,
    result: deliveredFileSchema,
  }),
  file: route({
    method: 'GET',
    path: '/delivered/:secret/file',
    access: publicAccess,
    summary: 'The file that the link of a delivery by e-mail leads to, as an attachment; ranges are answered',
    params: linkParamsSchema,
    wire: 'bytes',
  }),
};
