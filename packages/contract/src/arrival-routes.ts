import { z } from 'zod';
import { exportOf } from './list-export.ts';
import { idSchema, listOf, pageOf, pagingSchema, sortedBy, timeSchema } from './paging.ts';
import { may, route } from './route.ts';
import { waysIn } from './session-sources.ts';
import { sessionStatusSchema } from './session-statuses.ts';

/** How many arrivals, of those of the asked time the newest, are looked through for one answer. */
export const mostArrivals = 50_000;

/**
 * What became of something that arrived. `duplicate`: refused because its bytes came before. `waiting`: it could not be taken
 * yet, and is tried again.
 */
export const arrivalOutcomes = ['session', 'duplicate', 'refused', 'waiting'] as const;
export type ArrivalOutcome = (typeof arrivalOutcomes)[number];

const whySchema = z.object({ code: z.string(), message: z.string().describe('In the language of the reader') });

const arrivedSessionSchema = z.object({ id: idSchema, fileName: z.string() });

export const arrivedItemSchema = z.object({
  id: z.string(),
  at: timeSchema,
  name: z.string(),
  sizeBytes: z.number().nullable(),
  way: z.enum(waysIn),
  source: z.string().describe('Who sent it, or where it lay'),
  outcome: z.enum(arrivalOutcomes),
  session: arrivedSessionSchema.extend({ status: sessionStatusSchema, isDeleted: z.boolean() }).nullable(),
  duplicateOf: arrivedSessionSchema.nullable().describe('The earlier session with the same bytes'),
  why: whySchema.nullable().describe('Why it was refused, or could not be taken yet'),
  attempts: z.number().int(),
  nextTryAt: timeSchema.nullable(),
  canRetry: z.boolean().describe('Its source can be asked to try it once more'),
});
export type ArrivedItem = z.infer<typeof arrivedItemSchema>;

/** A place that files are taken from and that cannot be looked into. */
export const failingSourceSchema = z.object({
  id: idSchema,
  way: z.enum(waysIn),
  place: z.string(),
  since: timeSchema,
  nextTryAt: timeSchema,
  why: whySchema,
});
export type FailingSource = z.infer<typeof failingSourceSchema>;

/** What the list of arrivals is sorted by; `from` is the way in, then who sent it or where it lay. */
export const arrivalSorts = ['at', 'name', 'from', 'outcome'] as const;
export type ArrivalSort = (typeof arrivalSorts)[number];

const querySchema = pagingSchema.extend({
  ...sortedBy(arrivalSorts, 'desc'),
  way: listOf(z.enum(waysIn)),
  outcome: listOf(z.enum(arrivalOutcomes)),
  connection: idSchema.optional().describe('Came from this mailbox, cloud storage or SFTP server'),
  from: z.string().optional().describe('Arrived at or after, ISO 8601'),
  to: z.string().optional().describe('Arrived before, ISO 8601'),
});

export const arrivalRoutes = {
  retry: route({
    method: 'POST',
    path: '/arrivals/retry',
    access: may('sessions.inject'),
    summary: 'Let a file that was refused, or could not be taken yet, be tried at once; repeated, nothing more happens',
    body: z.object({ id: z.string().max(2000) }),
    result: z.object({}),
    rateLimit: { max: 100, windowSeconds: 600 },
  }),
  get: route({
    method: 'GET',
    path: '/arrivals/item',
    access: may('sessions.view', 'sessions.inject'),
    summary: 'What became of one arrival: its session, why it was refused, or when it is tried again',
    query: z.object({ id: z.string().max(2000) }),
    result: arrivedItemSchema,
  }),
  list: route({
    method: 'GET',
    path: '/arrivals',
    access: may('sessions.view'),
    summary: 'What arrived by every way in and what became of it, newest first, and the sources that fail now',
    query: querySchema,
    result: pageOf(arrivedItemSchema).extend({
      isCut: z.boolean().describe(`Only the newest ${mostArrivals} of the time were looked through`),
      failing: z.array(failingSourceSchema),
    }),
  }),
  export: exportOf('/arrivals', may('sessions.view'), querySchema.omit({ page: true, pageSize: true })),
};
