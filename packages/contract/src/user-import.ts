import { z } from 'zod';
import { wireErrorSchema } from './errors.ts';
import { localeSchema } from './locale-schema.ts';
import { may, route } from './route.ts';

/** Users that one file may have, and its longest text in characters. */
export const mostImportedUsers = 1000;
export const maxUserFileLength = 500_000;

/** What becomes of a line: a new account, nothing because there is one already, or nothing because of an error. */
export const userLineOutcomes = ['new', 'exists', 'error'] as const;
export type UserLineOutcome = (typeof userLineOutcomes)[number];

export const userImportLineSchema = z.object({
  line: z.number().int().describe('Where it begins in the file, from 1'),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  organizations: z.array(z.string()),
  outcome: z.enum(userLineOutcomes),
  errors: z.array(wireErrorSchema),
});
export type UserImportLine = z.infer<typeof userImportLineSchema>;

export const userImportResultSchema = z.object({
  isDryRun: z.boolean(),
  lines: z.array(userImportLineSchema),
  counts: z.record(z.enum(userLineOutcomes), z.number().int()),
  ignoredColumns: z.array(z.string()),
  /** As for a single user: only while no mail server would send them. */
  activationLinks: z.array(z.object({ email: z.string(), link: z.string() })),
});
export type UserImportResult = z.infer<typeof userImportResultSchema>;

/** In the table of the users' routes, as `import`. */
export const userImportRoute = route({
  method: 'POST',
  path: '/users/import',
  access: may('users.manage'),
  summary:
    'Make users from a CSV: a header row with name (or firstName and lastName), email, roles and organizations in any order, separated by comma, semicolon or tab; several roles or organizations in a cell by a vertical bar or semicolon. A dry run tells what would become of each line; otherwise all new ones are made, or none when a line has an error',
  body: z.object({
    csv: z.string().min(1).max(maxUserFileLength),
    isDryRun: z.boolean().default(true),
    /** Language of the new users. */
    locale: localeSchema.default('en'),
    sendActivationEmail: z.boolean().default(true),
  }),
  result: userImportResultSchema,
  bodyBytes: 3 * 1024 * 1024,
  rateLimit: { max: 60, windowSeconds: 3600 },
});
