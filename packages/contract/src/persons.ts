import { z } from 'zod';
import { timeSchema } from './paging.ts';
import { may, route } from './route.ts';

/** Everything that may be kept about a person; the word of each is `persons.kind.<kind>` in the web app. */
export const personKinds = [
  'account',
  'signIns',
  'passkeys',
  'identities',
  'links',
  'apiKeys',
  'embedTokens',
  'views',
  'notices',
  'sent',
  'named',
  'arrivals',
  'uploads',
  'visits',
  'recipients',
  'decisions',
  'notes',
  'privateNotes',
  'comments',
  'messages',
  'keptMessages',
  'history',
  'steps',
  'waits',
  'proofs',
  'fonts',
  'settings',
  'organizations',
  'profiles',
  'workflows',
  'workflowVersions',
  'audit',
] as const;
export type PersonKind = (typeof personKinds)[number];

/**
 * Why something stays: it proves what was decided or done, is the history of a job that stays, is set by the house and
 * changed where it is set, belongs to a session on legal hold, or to one that runs, waits or moves.
 */
export const keptReasons = ['evidence', 'history', 'configuration', 'legalHold', 'running'] as const;
export type KeptReason = (typeof keptReasons)[number];

const bodySchema = z.object({
  email: z.string().trim().max(254).toLowerCase().pipe(z.email()).describe('Of the person, in any case'),
});
const count = z.number().int().nonnegative();

/** What an erasure does or did, by kind; kinds of which nothing was found are left out. */
export const personReportSchema = z.object({
  email: z.string(),
  at: timeSchema,
  placeholder: z.string().describe('What stands in place of the address where a row stays; the same each time'),
  kinds: z.array(
    z.object({
      kind: z.enum(personKinds),
      found: count,
      removed: count,
      anonymised: count,
      kept: z.array(z.object({ reason: z.enum(keptReasons), count })),
    }),
  ),
});
export type PersonReport = z.infer<typeof personReportSchema>;

/** All that was found, by kind: the rows without secrets. */
export const personFileSchema = z.object({
  format: z.literal('pdf2press-person'),
  formatVersion: z.literal(1),
  email: z.string(),
  exportedAt: timeSchema,
  kinds: z.partialRecord(z.enum(personKinds), z.array(z.record(z.string(), z.unknown()))),
});
export type PersonFile = z.infer<typeof personFileSchema>;

const rateLimit = { max: 60, windowSeconds: 3600 } as const;

/** POST throughout: an e-mail address must not stand in the logs of addresses. */
export const personRoutes = {
  find: route({
    method: 'POST',
    path: '/persons/find',
    access: may('data.export', 'data.erase'),
    summary: 'What is kept about a person, and what an erasure would remove, anonymise and keep; nothing is changed',
    body: bodySchema,
    result: personReportSchema,
    rateLimit,
  }),
  export: route({
    method: 'POST',
    path: '/persons/export',
    access: may('data.export'),
    summary: 'Everything that is kept about a person, without secrets',
    body: bodySchema,
    result: personFileSchema,
    rateLimit,
  }),
  erase: route({
    method: 'POST',
    path: '/persons/erase',
    access: may('data.erase'),
    summary:
      'Erase a person; an account of theirs is closed. Evidence, legal holds and what runs stay, with the reason',
    body: bodySchema,
    result: personReportSchema,
    rateLimit,
  }),
};
