import { z } from 'zod';
import { idSchema } from './paging.ts';
import { profileRoutesOf } from './profiles.ts';
import { may, route } from './route.ts';

/** Which files of a session an archive takes. */
export const archiveFiles = ['both', 'originals', 'finals'] as const;

/** Classes of storage that give their objects back at once; the names are those of the S3 protocol. */
export const storageClasses = ['STANDARD', 'STANDARD_IA', 'ONEZONE_IA', 'INTELLIGENT_TIERING', 'GLACIER_IR'] as const;

/** What stands before the names of the objects. `{year}`, `{month}` and `{workflow}` are filled in as it is archived. */
const prefix = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^(?:[\w.=/-]|\{(?:year|month|workflow)\})+$/)
  .default('archive/');

/** Names of buckets and regions as S3 knows them. The endpoint may be built from both, so neither can name another host. */
export const bucketNamePattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
export const regionPattern = /^[a-z0-9-]{1,40}$/;
const emptyOr = ({ source }: RegExp) => new RegExp(`^$|${source}`);

/** The bucket, and its region; empty = as in the settings. */
const bucketOf = {
  bucketName: z.string().trim().regex(emptyOr(bucketNamePattern)).default(''),
  region: z.string().trim().regex(emptyOr(regionPattern)).default(''),
};

/** How the files of a session lie in the archive, and where. */
export const archiveRules = {
  ...bucketOf,
  files: z.enum(archiveFiles).default('both'),
  prefix,
  storageClass: z.enum(storageClasses).default('STANDARD'),
};

/** A policy of archiving: what is archived by itself, when, how, and for how long it comes back. */
export const archivingProfileSchema = z.object({
  isEnabled: z.boolean().default(true),
  /** Counted from the end of the session; 0 = as soon as it has ended. */
  afterDays: z.int().min(0).max(3650).default(30),
  ...archiveRules,
  /** After these days a session that was brought back is archived again; 0 = it stays. */
  daysBack: z.int().min(0).max(3650).default(7),
  /** Of these workflows; empty = of all that no other policy names. */
  workflowIds: z.array(idSchema).max(500).default([]),
});
export type ArchivingProfile = z.infer<typeof archivingProfileSchema>;

/** The stages of the test of the archive, in their order. */
export const archivingStages = ['setUp', 'write', 'readBack', 'remove'] as const;
export type ArchivingStage = (typeof archivingStages)[number];

/** How far the overview of the archive looks ahead, days. */
export const archivingWindowDays = 30;

export const archivingProfileRoutes = profileRoutesOf('archiving', 'Archiving');

export const archivingRoutes = {
  test: route({
    method: 'POST',
    path: '/profiles/archiving-test',
    feature: 'Archiving',
    // The keys of the settings write there.
    access: may('settings.archiving.manage'),
    summary:
      'Test the bucket of a policy with the keys of the settings: writes, reads, compares and deletes one object',
    body: z.object(bucketOf),
    result: z.object({ isConnected: z.boolean() }),
    rateLimit: { max: 10, windowSeconds: 3600 },
  }),
  overview: route({
    method: 'GET',
    path: '/archiving/overview',
    feature: 'Archiving',
    access: may('archiving.view'),
    summary: 'What lies in the archive, what is on its way there or back and how far, what failed, what goes next',
    result: z.object({
      isSetUp: z.boolean().describe('Keys and the buckets of all policies are set, and archiving is switched on'),
      sessions: z.number().int(),
      bytes: z.number(),
      dueSoon: z.number().int().describe(`Sessions that a policy archives within ${archivingWindowDays} days`),
      underWay: z.array(
        z.object({
          sessionId: idSchema,
          fileName: z.string(),
          state: z.enum(['Archiving', 'Unarchiving']),
          done: z.number().int().describe('Files'),
          files: z.number().int(),
        }),
      ),
      failed: z.array(
        z.object({ sessionId: idSchema, fileName: z.string(), direction: z.enum(['archive', 'unarchive']) }),
      ),
    }),
  }),
};
