import { z } from 'zod';
import { profileKinds } from './enumerations.ts';
import { exportOf } from './list-export.ts';
import { idParamsSchema, idSchema, listOf, nameSchema, pageOf, pagingSchema, sortedBy, timeSchema } from './paging.ts';
import { may, publicAccess, route } from './route.ts';
import { cultures } from './settings.ts';
import { unitSchema } from './unit-schema.ts';
import { variableValuesSchema, workflowVariableSchema } from './workflows.ts';

/** Bytes of a picture that becomes a logo, and the longer side of the logo in pixels. */
export const mostLogoBytes = 5 * 1024 * 1024;
export const logoSide = 800;

/** Names the logo that the server drew anew from a picture, and is the last part of its address; signed by the server. */
const logoSchema = z.string().min(1).max(200);
/** An organization as strangers see it: on upload pages, proofs and delivered files. */
export const publicOrganizationSchema = z.object({
  name: z.string(),
  color: z.string().nullable(),
  /** As `logo` in the address of its picture. */
  logo: z.string().nullable(),
});

const colorSchema = z.union([z.literal(''), z.string().regex(/^#[0-9a-fA-F]{6}$/)]);

/** The last part of the address of an upload page: letters, digits and hyphens. */
export const uploadSlugSchema = z
  .string()
  .trim()
  .toLowerCase()
  .min(3)
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);

/** An origin whose pages may show the upload page in a frame, such as `https://printer.example`. */
const originSchema = z
  .string()
  .trim()
  .max(200)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text, {
    params: { code: 'value.invalid' },
  });

/** What an organization's upload page is: changed by who may manage upload pages. */
const uploadPageSettingsSchema = z.object({
  isPublic: z.boolean().default(false),
  slug: z.union([z.literal(''), uploadSlugSchema]).default(''),
  workflowIds: z.array(idSchema).max(100).default([]),
  /** One of the workflows; null: who uploads chooses, unless there is only one. */
  defaultWorkflowId: idSchema.nullable().default(null),
  /** Values that the page's fields begin with, by the names of public variables. */
  defaults: variableValuesSchema.default({}),
  frameOrigins: z.array(originSchema).max(20).default([]),
});

/** A page that is open to the public needs an address and something that files can go to. */
function demandWhole(
  { isPublic, slug, workflowIds, defaultWorkflowId }: z.output<typeof uploadPageSettingsSchema>,
  context: z.RefinementCtx,
): void {
  const lacks = (path: string) =>
    context.addIssue({ code: 'custom', path: [path], params: { code: 'value.required' }, message: path });
  if (isPublic && slug === '') lacks('slug');
  if (isPublic && workflowIds.length === 0) lacks('workflowIds');
  if (defaultWorkflowId !== null && !workflowIds.includes(defaultWorkflowId)) lacks('defaultWorkflowId');
}

export const organizationBodySchema = z.object({
  name: nameSchema,
  /** Of buttons, links and marks; shades of it are chosen so that texts stay readable. Empty: the house's. */
  color: colorSchema.default(''),
  pageLogo: logoSchema.nullable().default(null),
  emailLogo: logoSchema.nullable().default(null),
  /** Where answers to its messages go. */
  replyTo: z.union([z.literal(''), z.email().max(254)]).default(''),
  /** Formats and language of its page and messages; empty: the reader's. */
  culture: z.union([z.literal(''), z.enum(cultures)]).default(''),
  /** Of lengths on its page; null: the house's. */
  unit: unitSchema.nullable().default(null),
  members: z
    .array(
      z.object({
        id: idSchema,
        /** Sees only what belongs to their organizations, this one and others; a change needs users.manage. */
        isRestricted: z.boolean().default(false),
      }),
    )
    .max(1000)
    .default([]),
  /** Whether whoever becomes a member is welcomed by e-mail, once. */
  welcomesMembers: z.boolean().default(false),
  uploadPage: uploadPageSettingsSchema.superRefine(demandWhole).prefault({}),
});
export type OrganizationBody = z.output<typeof organizationBodySchema>;

export const organizationSchema = organizationBodySchema.extend({
  id: idSchema,
  createdAt: timeSchema,
  members: z.array(z.object({ id: idSchema, name: z.string(), email: z.string(), isRestricted: z.boolean() })),
  uploadPage: uploadPageSettingsSchema.extend({
    /** Whether the page opens only with its code. */
    hasCode: z.boolean(),
    /** The whole address; null without a slug. */
    address: z.string().nullable(),
  }),
});
export type Organization = z.infer<typeof organizationSchema>;

export const organizationSorts = ['name', 'workflows', 'members', 'sessions', 'createdAt'] as const;
export type OrganizationSort = (typeof organizationSorts)[number];

const summarySchema = z.object({
  id: idSchema,
  name: z.string(),
  color: z.string(),
  pageLogo: logoSchema.nullable(),
  isPublic: z.boolean(),
  hasCode: z.boolean(),
  /** Of its upload page; null without one. */
  address: z.string().nullable(),
  workflowCount: z.number().int(),
  memberCount: z.number().int(),
  sessionCount: z.number().int(),
  createdAt: timeSchema,
});
export type OrganizationSummary = z.infer<typeof summarySchema>;

const querySchema = pagingSchema.extend({
  ...sortedBy(organizationSorts),
  pages: listOf(z.enum(['public', 'private', 'none'])),
});

const changes = may('organizations.manage', 'organizations.uploadPage.manage');

export const organizationRoutes = {
  list: route({
    method: 'GET',
    path: '/organizations',
    access: may('organizations.view'),
    summary: 'Organizations: the customers of the house, each with its own look, workflows and upload page',
    query: querySchema,
    result: pageOf(summarySchema),
  }),
  export: exportOf('/organizations', may('organizations.view'), querySchema.omit({ page: true, pageSize: true })),
  choices: route({
    method: 'GET',
    path: '/organizations/choices',
    access: changes,
    summary: 'Workflows and people that an organization can be given',
    query: z.object({ id: idSchema.optional() }),
    result: z.object({
      workflows: z.array(z.object({ id: idSchema, name: z.string(), variables: z.array(workflowVariableSchema) })),
      people: z.array(z.object({ id: idSchema, name: z.string(), email: z.string(), isRestricted: z.boolean() })),
    }),
  }),
  own: route({
    method: 'GET',
    path: '/organizations/own',
    access: may('workflows.view', 'sessions.view', ...profileKinds.map((kind) => `${kind}.view` as const)),
    summary: 'Organizations that the caller can make workflows and profiles for, and whose sessions the caller sees',
    result: z.object({
      /** Whether the caller sees the whole house and can make something for all of it. */
      isWhole: z.boolean(),
      items: z.array(z.object({ id: idSchema, name: z.string() })),
    }),
  }),
  get: route({
    method: 'GET',
    path: '/organizations/:id',
    access: may('organizations.view'),
    summary: 'One organization',
    params: idParamsSchema,
    result: organizationSchema,
  }),
  create: route({
    method: 'POST',
    path: '/organizations',
    access: may('organizations.manage'),
    summary: 'Create an organization; its upload page needs organizations.uploadPage.manage',
    body: organizationBodySchema,
    result: organizationSchema,
    status: 201,
  }),
  update: route({
    method: 'PUT',
    path: '/organizations/:id',
    access: changes,
    summary:
      'Change an organization; its upload page needs organizations.uploadPage.manage, the rest organizations.manage',
    params: idParamsSchema,
    body: organizationBodySchema,
    result: organizationSchema,
  }),
  usage: route({
    method: 'GET',
    path: '/organizations/:id/usage',
    access: may('organizations.delete'),
    summary: 'What is unassigned when the organization is deleted',
    params: idParamsSchema,
    result: z.object({
      members: z.array(z.string()),
      /** Those of the members who then see no session at all. */
      stranded: z.array(z.string()),
      workflows: z.array(z.string()),
      profiles: z.array(z.string()),
      /** Kept, with its name. */
      sessions: z.number().int(),
    }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/organizations/:id',
    access: may('organizations.delete'),
    summary:
      'Delete an organization: people, workflows and profiles are unassigned, sessions stay, its upload page is gone',
    params: idParamsSchema,
    result: z.object({}),
  }),
  makeCode: route({
    method: 'POST',
    path: '/organizations/:id/upload-code',
    access: may('organizations.uploadPage.manage'),
    summary: 'Make the upload page private: a new code, shown only here; the one before opens it no more',
    params: idParamsSchema,
    result: z.object({ code: z.string() }),
  }),
  removeCode: route({
    method: 'DELETE',
    path: '/organizations/:id/upload-code',
    access: may('organizations.uploadPage.manage'),
    summary: 'Open the upload page without a code',
    params: idParamsSchema,
    result: z.object({}),
  }),
  drawLogo: route({
    method: 'POST',
    path: '/logos',
    access: may('organizations.manage'),
    summary:
      'Draw a logo anew from a picture (multipart: file; PNG, JPEG or WebP of at most 5 MB), for organizations to name; unused ones are removed after a day',
    result: z.object({ logo: logoSchema, width: z.number().int(), height: z.number().int() }),
    status: 201,
    rateLimit: { max: 60, windowSeconds: 600 },
  }),
  logo: route({
    method: 'GET',
    path: '/logos/:logo',
    access: publicAccess,
    summary: 'A logo as PNG',
    params: z.object({ logo: logoSchema }),
    wire: 'bytes',
  }),
};
