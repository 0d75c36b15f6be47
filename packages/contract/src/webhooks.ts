import { z } from 'zod';
import { messageEventSchema, messageEvents } from './communication.ts';
import { idParamsSchema, idSchema, nameSchema, timeSchema } from './paging.ts';
import { may, route } from './route.ts';

/** So many webhooks a subscriber may have: each event is a call of each. */
export const mostWebhooks = 20;

/** How long the old secret may sign beside a new one, in hours; 0 = it ends at once. */
export const webhookOverlaps = [0, 1, 24, 72, 168] as const;

const access = may('webhooks.manage');

/** An address that is called about chosen events of every session. */
export const webhookSchema = z.object({
  id: idSchema,
  name: z.string(),
  url: z.string(),
  events: z.array(messageEventSchema),
  isOn: z.boolean(),
  /** When it switched itself off, because its calls kept failing. */
  disabledAt: timeSchema.nullable(),
  /** Tries that failed since the newest that was taken, and since when. */
  failures: z.number().int(),
  failingSince: timeSchema.nullable(),
  /** Until when the secret before the present one signs, too; null = it does not. */
  oldSecretUntil: timeSchema.nullable(),
  createdAt: timeSchema,
});
export type Webhook = z.infer<typeof webhookSchema>;

/** What a person says of a webhook. */
export const webhookBodySchema = z.object({
  name: nameSchema,
  url: z.url({ protocol: /^https?$/ }).max(1000),
  events: z
    .array(messageEventSchema)
    .min(1)
    .max(messageEvents.length)
    .transform((events) => [...new Set(events)]),
  isOn: z.boolean().default(true),
});

/** How a call stands: it waits or is tried again, was taken, or was given up. */
export const webhookCallStates = ['waiting', 'taken', 'failed'] as const;

/** A call of a webhook about one event. */
export const webhookCallSchema = z.object({
  id: idSchema,
  event: messageEventSchema,
  /** Null = of a file that was refused. */
  sessionId: idSchema.nullable(),
  subject: z.string(),
  state: z.enum(webhookCallStates),
  tries: z.number().int(),
  createdAt: timeSchema,
  takenAt: timeSchema.nullable(),
  nextTryAt: timeSchema.nullable(),
  /** What the address answered when it was taken, an HTTP status. */
  status: z.number().int().nullable(),
  /** What came of the newest try that failed, in the reader's language. */
  lastError: z.string().nullable(),
});
export type WebhookCall = z.infer<typeof webhookCallSchema>;

/** The secret is in no other answer. */
const withSecretSchema = webhookSchema.extend({ secret: z.string() });

export const webhookRoutes = {
  list: route({
    method: 'GET',
    path: '/webhooks',
    access,
    summary: 'Addresses that are called about events of every session, by name',
    result: z.array(webhookSchema),
  }),
  create: route({
    method: 'POST',
    path: '/webhooks',
    access,
    summary: 'Make a webhook; the secret that signs its calls is returned only once',
    body: webhookBodySchema,
    result: withSecretSchema,
    status: 201,
  }),
  update: route({
    method: 'PUT',
    path: '/webhooks/:id',
    access,
    summary: 'Change a webhook, or switch it on or off; what waits goes to the new address',
    params: idParamsSchema,
    body: webhookBodySchema,
    result: webhookSchema,
  }),
  remove: route({
    method: 'DELETE',
    path: '/webhooks/:id',
    access,
    summary: 'Remove a webhook with its secrets; what waits is not sent any more',
    params: idParamsSchema,
    result: z.object({}),
  }),
  rotate: route({
    method: 'POST',
    path: '/webhooks/:id/rotate',
    access,
    summary: 'Make a new secret, returned only once; the old one signs beside it for as long as is said, and then ends',
    params: idParamsSchema,
    body: z.object({ overlapHours: z.number().int().min(0).max(168).default(24) }),
    result: withSecretSchema,
    rateLimit: { max: 30, windowSeconds: 3600 },
  }),
  test: route({
    method: 'POST',
    path: '/webhooks/:id/test',
    access,
    summary: 'Call a webhook once, signed, and with `isTest` in the body; answers when it was taken',
    params: idParamsSchema,
    result: z.object({}),
    rateLimit: { max: 30, windowSeconds: 3600 },
  }),
  calls: route({
    method: 'GET',
    path: '/webhooks/:id/calls',
    access,
    summary: 'The newest calls of a webhook and what became of them, 100 at most',
    params: idParamsSchema,
    result: z.array(webhookCallSchema),
  }),
  exportCalls: route({
    method: 'GET',
    path: '/webhooks/:id/calls/export.csv',
    access,
    summary: 'Every call of a webhook that is still known as CSV, the newest first',
    params: idParamsSchema,
    wire: 'bytes',
    rateLimit: { max: 60, windowSeconds: 3600 },
  }),
  retry: route({
    method: 'POST',
    path: '/webhooks/:id/calls/:callId/retry',
    access,
    summary: 'Make a call again that was given up',
    params: idParamsSchema.extend({ callId: idSchema }),
    result: z.object({}),
  }),
  retryAll: route({
    method: 'POST',
    path: '/webhooks/:id/retry',
    access,
    summary: 'Make all calls of a webhook again that were given up',
    params: idParamsSchema,
    result: z.object({ count: z.number().int() }),
    rateLimit: { max: 30, windowSeconds: 3600 },
  }),
};
