import { z } from 'zod';
import { bucketNameOrEmptySchema, regionNameOrEmptySchema } from './bucket-names.ts';
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

/** The bucket, and its region; empty = as in the settings. */
const bucketOf = {
  bucketName: bucketNameOrEmptySchema.default(''),
  region: regionNameOrEmptySchema.default(''),
};

/** The name of the keys that open the bucket; empty = the keys of the settings. */
const accessKey = z.string().trim().max(200).default('');

/** How the files of a session lie in the archive, and where. */
export const archiveRules = {
  ...bucketOf,
  files: z.enum(archiveFiles).default('both'),
  prefix,
  storageClass: z.enum(storageClasses).default('STANDARD'),
};

/** The settings of a policy of archiving, each for itself. */
const archivingSettings = z.object({
  isEnabled: z.boolean().default(true),
  /** Counted from the end of the session; 0 = as soon as it has ended. */
  afterDays: z.int().min(0).max(3650).default(30),
  ...archiveRules,
  /** After these days a session that was brought back is archived again; 0 = it stays. */
  daysBack: z.int().min(0).max(3650).default(7),
  /** Of these workflows; empty = of all that no other policy names. */
  workflowIds: z.array(idSchema).max(500).default([]),
  accessKey,
});

type Context = z.core.$RefinementCtx;
const demandValue = (context: Context, setting: string) =>
  context.addIssue({ code: 'custom', path: [setting], params: { code: 'value.required' } });

/** Keys of its own open a bucket of its own: the bucket of the settings may become another one, which they do not open. */
function demandBucket({ accessKey: key, bucketName }: { accessKey: string; bucketName: string }, context: Context) {
  if (key !== '' && bucketName === '') demandValue(context, 'bucketName');
}

/** A policy of archiving: what is archived by itself, when, how, and for how long it comes back. */
export const archivingProfileSchema = archivingSettings.superRefine(demandBucket);

/** What the keys of a policy keep secret; stored encrypted, and never sent out. */
export const archivingSecretSchema = z.object({ secretKey: z.string().min(1).max(1000) });

/** Where a policy archives to, as its form holds it: with the secret of its keys, or the mark of a stored one. */
const archivingPlace = z.object({
  ...bucketOf,
  accessKey,
  secretKey: z.string().max(1000).default('').meta({ editor: 'targetSecret' }),
});
function demandPair({ accessKey: key, secretKey }: { accessKey: string; secretKey: string }, context: Context) {
  if (key !== '' && secretKey === '') demandValue(context, 'secretKey');
  if (key === '' && secretKey !== '') demandValue(context, 'accessKey');
}
export const archivingPlaceSchema = archivingPlace.superRefine(demandBucket).superRefine(demandPair);

/** What the form of a policy holds. */
export const archivingFormSchema = archivingSettings
  .extend(archivingPlace.shape)
  .superRefine(demandBucket)
  .superRefine(demandPair);

/** The parts of the form, for its fields. */
export const archivingFormParts = {
  rules: archivingSettings.omit({ workflowIds: true, bucketName: true, region: true, accessKey: true }),
  place: archivingPlace,
};
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
    // Keys of the house write there.
    access: may('settings.archiving.manage'),
    summary:
      'Test the bucket of a policy with its keys, or with those of the settings: writes, reads, compares and deletes one object',
    body: archivingPlaceSchema.safeExtend({
      id: idSchema.optional().describe('The policy that a stored secret is of'),
    }),
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
      isSetUp: z.boolean().describe('Bucket and keys of every policy are set, and archiving is switched on'),
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
