import { z } from 'zod';
import { idParamsSchema, idSchema } from './paging.ts';
import { may, route } from './route.ts';

/** With whom a view is shared: `everybody` of the subscriber, the id of a role, or null = nobody. */
const sharedWithSchema = z.union([z.literal('everybody'), idSchema]).nullable();

export const sessionViewSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** The filters, as the address of the list has them. */
  question: z.string(),
  sharedWith: sharedWithSchema,
  /** Only the owner changes or removes it. */
  isOwn: z.boolean(),
  owner: z.string(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

export const sessionViewBodySchema = z.object({
  name: z.string().trim().min(1).max(40),
  question: z.string().max(2000),
  sharedWith: sharedWithSchema.default(null),
});

/** Saved filters of the list of sessions. They hide and grant nothing: everybody sees what they may see. */
export const sessionViewRoutes = {
  list: route({
    method: 'GET',
    path: '/session-views',
    access: may('sessions.view'),
    summary: 'Own views of the list of sessions, and those that others share with the caller',
    result: z.array(sessionViewSchema),
  }),
  save: route({
    method: 'POST',
    path: '/session-views',
    access: may('sessions.view'),
    summary:
      'Save filters of the list of sessions under a name; an own view of that name is replaced. Sharing needs sessions.discuss',
    body: sessionViewBodySchema,
    result: sessionViewSchema,
    status: 201,
  }),
  remove: route({
    method: 'DELETE',
    path: '/session-views/:id',
    access: may('sessions.view'),
    summary: 'Remove an own view',
    params: idParamsSchema,
    result: z.object({}),
  }),
};
