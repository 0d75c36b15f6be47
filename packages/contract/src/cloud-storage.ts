import { z } from 'zod';
import { consentRoutesOf } from './consents.ts';
import { cloudProviderSchema } from './enumerations.ts';
import { idParamsSchema, idSchema, timeSchema } from './paging.ts';
import { cloudStorageSorts, profileRoutesSortedBy } from './profiles.ts';
import { may, route } from './route.ts';
import { sourceFaults } from './sources.ts';

/** What is tried of a cloud storage one after the other. */
export const cloudStages = ['setUp', 'signIn', 'list', 'read'] as const;
export type CloudStage = (typeof cloudStages)[number];

/**
 * `off`: it is switched off. `connection`: nobody has connected it. `folders`: none is chosen. `workflow`: the workflows of
 * its folders are not published, switched off, or take no files from cloud folders.
 */
const cloudPauses = ['off', 'connection', 'folders', 'workflow'] as const;

const cloudStateSchema = z.object({
  id: idSchema,
  provider: cloudProviderSchema,
  /** Who has connected it; null = nobody. */
  account: z.string().nullable(),
  /** Chosen folders. */
  folders: z.number().int(),
  /** Why it is not looked into; null = it is. */
  paused: z.enum(cloudPauses).nullable(),
  lastLookedAt: timeSchema.nullable(),
  nextLookAt: timeSchema.nullable(),
  /** The folder that fails longest; the message is in the reader's language. */
  failing: z.object({ since: timeSchema, code: z.string(), message: z.string() }).nullable(),
});
export type CloudState = z.infer<typeof cloudStateSchema>;

/** An id as the services make them; it becomes part of addresses, so it holds nothing that has a meaning there. */
export const cloudIdSchema = z.string().regex(/^[\w!-]{0,200}$/);
const place = { driveId: cloudIdSchema, folderId: cloudIdSchema };

/** A place of the folder tree: a drive, a library or a folder. */
const cloudPlaceSchema = z.object({
  ...place,
  /** Empty = the account's own drive. */
  name: z.string(),
});
export type CloudPlaceOption = z.infer<typeof cloudPlaceSchema>;

export const cloudStorageRoutes = {
  ...profileRoutesSortedBy(cloudStorageSorts, 'cloudStorage', 'CloudInjection'),
  states: route({
    method: 'GET',
    path: '/profiles/cloudStorage-states',
    access: may('cloudStorage.view'),
    feature: 'CloudInjection',
    summary: 'Who has connected each cloud storage, when it was looked into, and since when and why it cannot be',
    result: z.array(cloudStateSchema),
  }),
  ...consentRoutesOf({
    kind: 'cloudStorage',
    feature: 'CloudInjection',
    service: cloudProviderSchema,
    leadsBack: '/cloud-storage/callback',
  }),
  folders: route({
    method: 'GET',
    path: '/profiles/cloudStorage/:id/folders',
    access: may('cloudStorage.manage'),
    feature: 'CloudInjection',
    summary: 'The drives of a connected cloud storage, or the folders that lie directly in one',
    params: idParamsSchema,
    query: z.object({ driveId: place.driveId.optional(), folderId: place.folderId.optional() }),
    result: z.array(cloudPlaceSchema),
    rateLimit: { max: 600, windowSeconds: 3600 },
  }),
  test: route({
    method: 'POST',
    path: '/profiles/cloudStorage-test',
    access: may('cloudStorage.manage'),
    feature: 'CloudInjection',
    summary: 'Try the connection of a cloud storage stage by stage; changes nothing there',
    body: z.object({
      /** The stored cloud storage whose account is used. */
      id: idSchema.optional(),
      settings: z.record(z.string(), z.unknown()),
    }),
    result: z.object({
      /** Where it ended; the message is in the reader's language. Null = every stage was passed. */
      failed: z.object({ stage: z.enum(cloudStages), code: z.enum(sourceFaults), message: z.string() }).nullable(),
      account: z.string().nullable(),
    }),
    rateLimit: { max: 30, windowSeconds: 3600 },
  }),
};
