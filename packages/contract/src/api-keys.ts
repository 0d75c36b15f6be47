import { z } from 'zod';
import { idParamsSchema, idSchema, nameSchema, timeSchema } from './paging.ts';
import { permissionSchema } from './permissions.ts';
import { may, route } from './route.ts';

export const apiKeySchema = z.object({
  id: idSchema,
  name: z.string(),
  /** The first characters, to recognise the key by; the rest is stored hashed. */
  prefix: z.string(),
  permissions: z.array(permissionSchema),
  createdAt: timeSchema,
  lastUsedAt: timeSchema.nullable(),
  expiresAt: timeSchema.nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export const apiKeyRoutes = {
  list: route({
    method: 'GET',
    path: '/api-keys',
    access: may('apiKeys.manage'),
    summary: 'API keys',
    result: z.array(apiKeySchema),
  }),
  create: route({
    method: 'POST',
    path: '/api-keys',
    access: may('apiKeys.manage'),
    summary:
      'Create an API key; the key is returned only once. A caller cannot grant permissions that they do not have',
    body: z.object({
      name: nameSchema,
      permissions: z.array(permissionSchema).min(1),
      expiresAt: z.iso.datetime().nullable().default(null),
    }),
    result: apiKeySchema.extend({ key: z.string() }),
    status: 201,
  }),
  revoke: route({
    method: 'DELETE',
    path: '/api-keys/:id',
    access: may('apiKeys.manage'),
    summary: 'Revoke an API key at once',
    params: idParamsSchema,
    result: z.object({}),
  }),
};
