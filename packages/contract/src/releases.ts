import { z } from 'zod';
import { forHost } from './host.ts';
import { timeSchema } from './paging.ts';
import { route } from './route.ts';

/** Whether and where an installation asks for newer versions of the product. */
export const releaseWatchSchema = z.object({
  isOn: z.boolean().default(false),
  /** Empty: the address that the environment names (`RELEASES_URL`). */
  address: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)]).default(''),
});
export type ReleaseWatch = z.infer<typeof releaseWatchSchema>;

/** A version that has come out. */
export const releaseSchema = z.object({
  /** Three numbers, such as `1.4.0`. */
  version: z.string(),
  /** What is said about it, on the web; null where the answer names no page. */
  page: z.url({ protocol: /^https$/ }).nullable(),
});
export type Release = z.infer<typeof releaseSchema>;

const stateSchema = z.object({
  watch: releaseWatchSchema,
  usualAddress: z
    .string()
    .nullable()
    .describe('What is asked when no address is set; null = the environment names none'),
  version: z.string().describe('The version that runs'),
  newest: releaseSchema.nullable().describe('The newest version that was heard of; null = none yet'),
  isNewer: z.boolean().describe('Whether the newest one is newer than the one that runs'),
  askedAt: timeSchema.nullable(),
  message: z.string().nullable().describe('Why the last question was of no use'),
});

/** For administrators of the installation: whether it asks once a day for newer versions. */
export const releaseRoutes = {
  get: route({
    method: 'GET',
    path: '/host/releases',
    access: forHost('host.maintenance'),
    summary: 'Whether the installation asks for newer versions, and what it has heard',
    result: stateSchema,
  }),
  save: route({
    method: 'PUT',
    path: '/host/releases',
    access: forHost('host.maintenance'),
    summary: 'Change whether and where the installation asks once a day for newer versions',
    body: releaseWatchSchema,
    result: stateSchema,
  }),
  look: route({
    method: 'POST',
    path: '/host/releases/look',
    access: forHost('host.maintenance'),
    summary: 'Ask for newer versions now',
    result: stateSchema,
    rateLimit: { max: 20, windowSeconds: 3600 },
  }),
};
