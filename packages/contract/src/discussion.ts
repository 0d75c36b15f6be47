import { z } from 'zod';
import { assigneeSchema } from './holds.ts';
import { idParamsSchema, idSchema, timeSchema } from './paging.ts';
import { may, route } from './route.ts';

/** Somebody who may be given a session or be mentioned: one person, or everybody with a role. */
export const teammateSchema = z.object({
  id: idSchema,
  name: z.string(),
  kind: z.enum(['person', 'role']),
});
export type Teammate = z.infer<typeof teammateSchema>;

export const sessionCommentSchema = z.object({
  id: idSchema,
  author: z.string(),
  isOwn: z.boolean(),
  /** Plain text. */
  text: z.string(),
  /** Whom it is addressed to; they were notified. */
  mentions: z.array(assigneeSchema),
  at: timeSchema,
});
export type SessionComment = z.infer<typeof sessionCommentSchema>;

export const commentBodySchema = z.object({
  text: z.string().trim().min(1).max(4000),
  mentions: z.array(idSchema).max(20).default([]),
});

/** What the people of the house say to each other about a session, and whose it is. Customers do not see it. */
export const discussionRoutes = {
  team: route({
    method: 'GET',
    path: '/sessions/team',
    access: may('sessions.discuss'),
    summary: 'People and roles that a session may be given to or that a comment may mention',
    result: z.array(teammateSchema),
  }),
  comments: route({
    method: 'GET',
    path: '/sessions/:id/comments',
    access: may('sessions.discuss'),
    summary: 'Comments on a session, oldest first',
    params: idParamsSchema,
    result: z.array(sessionCommentSchema),
  }),
  comment: route({
    method: 'POST',
    path: '/sessions/:id/comments',
    access: may('sessions.discuss'),
    summary: 'Comment on a session; who is mentioned and may see the session is notified. A comment stays as written',
    params: idParamsSchema,
    body: commentBodySchema,
    result: sessionCommentSchema,
    status: 201,
  }),
  assign: route({
    method: 'PUT',
    path: '/sessions/:id/assignee',
    access: may('sessions.discuss'),
    summary: 'Say whose session it is: a person or a role, who are notified; null = nobody’s',
    params: idParamsSchema,
    body: z.object({ assigneeId: idSchema.nullable() }),
    result: z.object({ assignee: assigneeSchema.nullable() }),
  }),
};
