import { z } from 'zod';
import { type FeatureKey, type ProfileKind, profileKindSchema } from './enumerations.ts';
import { exportOf } from './list-export.ts';
import { madeForFilter, madeForIdSchema, madeForSchema } from './made-for.ts';
import { idParamsSchema, idSchema, nameSchema, pageOf, pagingSchema, sortedBy, timeSchema } from './paging.ts';
import { may, route } from './route.ts';

export const profileSummarySchema = z.object({
  id: idSchema,
  kind: profileKindSchema,
  name: z.string(),
  description: z.string(),
  organization: madeForSchema,
  version: z.number().int(),
  updatedAt: timeSchema,
  /** The preset it was copied from, with its name in the reader's language, and how many of its values differ now. */
  basePreset: z
    .object({ key: z.string(), name: z.string(), version: z.number().int(), differences: z.number().int() })
    .nullable(),
  usedBy: z.array(z.object({ id: idSchema, name: z.string() })),
});
export type ProfileSummary = z.infer<typeof profileSummarySchema>;

export const profileSchema = profileSummarySchema.extend({ settings: z.record(z.string(), z.unknown()) });
export type Profile = z.infer<typeof profileSchema>;

/** What the form of every kind sends; the settings are the kind's own. */
export const profileBodySchema = z.object({
  name: nameSchema,
  description: z.string().max(2000).default(''),
  organizationId: madeForIdSchema,
  settings: z.record(z.string(), z.unknown()),
});

/** What lists of profiles are sorted by: where they are used, and what they were copied from. */
export const profileSorts = ['name', 'organization', 'usedBy', 'preset', 'version', 'updated'] as const;
/** What lists of connections are sorted by that are looked into again and again: how that goes, and since when. */
export const cloudStorageSorts = ['name', 'organization', 'account', 'state', 'lastLooked'] as const;
export const mailboxSorts = ['name', 'organization', 'workflow', 'state', 'lastLooked'] as const;
export type ProfileSort = (typeof profileSorts | typeof cloudStorageSorts | typeof mailboxSorts)[number];

/**
 * The routes that every kind with a screen has. Each kind has its own permission, so the table is made per kind. Without its
 * feature in the plan a kind is read and not changed.
 */
export const profileRoutesOf = (kind: ProfileKind, feature?: FeatureKey) =>
  profileRoutesSortedBy(profileSorts, kind, feature);

/** As `profileRoutesOf`, of a kind whose list has other columns. */
export const profileRoutesSortedBy = <const S extends readonly [ProfileSort, ...ProfileSort[]]>(
  sorts: S,
  kind: ProfileKind,
  feature?: FeatureKey,
) => {
  const query = pagingSchema.extend({ ...sortedBy(sorts), ...madeForFilter });
  return {
    list: route({
      method: 'GET',
      path: `/profiles/${kind}`,
      access: may(`${kind}.view`),
      summary: `Profiles of kind ${kind}`,
      query,
      result: pageOf(profileSummarySchema),
    }),
    export: exportOf(`/profiles/${kind}`, may(`${kind}.view`), query.omit({ page: true, pageSize: true })),
    get: route({
      method: 'GET',
      path: `/profiles/${kind}/:id`,
      access: may(`${kind}.view`),
      summary: 'One profile',
      params: idParamsSchema,
      result: profileSchema,
    }),
    create: route({
      method: 'POST',
      path: `/profiles/${kind}`,
      ...(feature && { feature }),
      access: may(`${kind}.manage`),
      summary: 'Create a profile',
      body: profileBodySchema.extend({ presetKey: z.string().max(100).optional() }),
      result: profileSchema,
      status: 201,
    }),
    update: route({
      method: 'PUT',
      path: `/profiles/${kind}/:id`,
      ...(feature && { feature }),
      access: may(`${kind}.manage`),
      summary: 'Save a profile as its next version; published workflows keep the version they were published with',
      params: idParamsSchema,
      body: profileBodySchema.extend({ version: z.number().int() }),
      result: profileSchema,
    }),
    remove: route({
      method: 'DELETE',
      path: `/profiles/${kind}/:id`,
      ...(feature && { feature }),
      access: may(`${kind}.delete`),
      summary: 'Delete a profile that no workflow draft uses',
      params: idParamsSchema,
      result: z.object({}),
    }),
  };
};

export const preflightProfileRoutes = {
  ...profileRoutesOf('preflight'),
  presets: route({
    method: 'GET',
    path: '/profiles/preflight-presets',
    access: may('preflight.view'),
    summary: 'Presets a preflight profile can start from',
    result: z.array(
      z.object({
        key: z.string(),
        version: z.number().int(),
        name: z.string(),
        group: z.string(),
        settings: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
};
export const fixProfileRoutes = {
  ...profileRoutesOf('fix'),
  presets: route({
    method: 'GET',
    path: '/profiles/fix-presets',
    access: may('fix.view'),
    summary: 'Presets a fix profile can start from, named in the reader’s language',
    result: z.array(
      z.object({
        key: z.string(),
        version: z.number().int(),
        name: z.string(),
        description: z.string(),
        settings: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
};
export const imposeProfileRoutes = profileRoutesOf('impose', 'Imposition');
export const proofingProfileRoutes = profileRoutesOf('proofing');
export const renamingProfileRoutes = {
  ...profileRoutesOf('renaming', 'FileRenaming'),
  preview: route({
    method: 'POST',
    path: '/profiles/renaming-preview',
    access: may('renaming.view', 'workflows.view'),
    summary: 'The names that the files of the newest sessions would get by these settings; needs sessions.view, too',
    body: z.object({ settings: z.record(z.string(), z.unknown()) }),
    result: z.array(z.object({ sessionId: idSchema, from: z.string(), to: z.string() })),
  }),
};
