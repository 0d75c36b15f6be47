import { z } from 'zod';
import { idParamsSchema, idSchema, nameSchema, timeSchema } from './paging.ts';
import { type Permission, permissionSchema, permissions } from './permissions.ts';
import { may, publicAccess, route } from './route.ts';

/** How many days an embed token is valid unless its maker chooses otherwise. */
export const embedTokenDays = 360;
const longestDays = 3600;

/**
 * The most that a page embedded in another site may do: the work itself. People, roles, settings, keys and everything that
 * holds a password are excluded, whoever makes the token. An allow-list, so that new permissions are excluded until they
 * are added here.
 */
export const embeddablePermissions: readonly Permission[] = permissions.filter(
  (permission) =>
    /^(dashboard|sessions|workflows|proofs|preflight|fix|impose|proofing|renaming)\./.test(permission) &&
    permission !== 'workflows.actions.edit',
);
const embeddable = new Set<string>(embeddablePermissions);

/** A name or an address. Hosts of the URL standard may hold more, among it what separates words of a content security policy. */
const host = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:]+\])$/;

/** The origin of a site as browsers write it, `https://shop.example`; everything after the host is cut off. */
export const originSchema = z
  .string()
  .trim()
  .max(300)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && host.test(new URL(text).hostname))
  .transform((text) => new URL(text).origin);

export const embedTokenSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** The first characters, to recognise the token by; the rest is stored hashed. */
  prefix: z.string(),
  permissions: z.array(permissionSchema),
  /** The sites whose pages may embed ours. */
  origins: z.array(z.string()),
  createdAt: timeSchema,
  lastUsedAt: timeSchema.nullable(),
  expiresAt: timeSchema,
});
export type EmbedToken = z.infer<typeof embedTokenSchema>;

export const embedTokenRoutes = {
  list: route({
    method: 'GET',
    path: '/embed-tokens',
    access: may('embedTokens.manage'),
    summary: 'Embed tokens that are not revoked, newest first',
    result: z.array(embedTokenSchema),
  }),
  create: route({
    method: 'POST',
    path: '/embed-tokens',
    access: may('embedTokens.manage'),
    summary:
      'Create an embed token; the token is returned only once. A caller cannot grant permissions that they do not have',
    body: z.object({
      name: nameSchema,
      permissions: z.array(permissionSchema.refine((permission) => embeddable.has(permission))).min(1),
      origins: z.array(originSchema).min(1).max(20),
      days: z.number().int().min(1).max(longestDays).default(embedTokenDays),
    }),
    result: embedTokenSchema.extend({ token: z.string() }),
    status: 201,
  }),
  revoke: route({
    method: 'DELETE',
    path: '/embed-tokens/:id',
    access: may('embedTokens.manage'),
    summary: 'Revoke an embed token; pages that use it are closed within seconds',
    params: idParamsSchema,
    result: z.object({}),
  }),
  exchange: route({
    method: 'POST',
    path: '/TokenAuth/embed',
    access: publicAccess,
    summary:
      'Exchange an embed token for an access token that is valid for 15 minutes and has the permissions of the embed token',
    body: z.object({ token: z.string().min(1).max(500) }),
    result: z.object({
      authToken: z.string(),
      /** Seconds. */
      expiresIn: z.number().int(),
      /** The origins that the page may send messages to. */
      origins: z.array(z.string()),
    }),
    rateLimit: { max: 60, windowSeconds: 60 },
  }),
};
