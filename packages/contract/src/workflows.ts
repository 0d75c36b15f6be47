import { z } from 'zod';
import { profileKindSchema, stepKindSchema, variableTypeSchema } from './enumerations.ts';
import { fileTypes } from './file-types.ts';
import { exportOf } from './list-export.ts';
import { madeForFilter, madeForIdSchema, madeForSchema } from './made-for.ts';
import { idParamsSchema, idSchema, nameSchema, pageOf, pagingSchema, sortedBy, timeSchema } from './paging.ts';
import { may, route } from './route.ts';

/** One step on the canvas. `settings` belong to the kind and are read by its own schema. */
export const workflowStepSchema = z.object({
  id: z.string().min(1).max(60),
  kind: stepKindSchema,
  name: z.string().trim().max(200).default(''),
  settings: z.record(z.string(), z.unknown()).default({}),
  position: z.object({ x: z.number(), y: z.number() }).default({ x: 0, y: 0 }),
});
export type WorkflowStep = z.infer<typeof workflowStepSchema>;

/** A connection: `from` is left by `outcome` and `to` is entered. */
export const workflowEdgeSchema = z.object({
  id: z.string().min(1).max(60),
  from: z.string(),
  outcome: z.string().min(1).max(60),
  to: z.string(),
});
export type WorkflowEdge = z.infer<typeof workflowEdgeSchema>;

export const workflowVariableSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[\p{L}_][\p{L}\p{N}_.-]*$/u),
  type: variableTypeSchema,
  default: z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]).default(null),
  isRequired: z.boolean().default(false),
  /** Asked on upload pages. */
  isPublic: z.boolean().default(false),
  options: z.array(z.string().max(200)).max(200).default([]),
});
export type WorkflowVariable = z.infer<typeof workflowVariableSchema>;
export const variableValueSchema = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]);
export const variableValuesSchema = z.record(z.string().max(60), variableValueSchema);
export type VariableValues = z.infer<typeof variableValuesSchema>;

/** A list whose length has a limit with a sentence of its own. */
const atMost = <S extends z.ZodType>(item: S, max: number, code: string) =>
  z
    .array(item)
    .refine(({ length }) => length <= max, { params: { code, params: { max } } })
    .default([]);

/** The whole graph: what a draft holds and a published version freezes. */
export const workflowDefinitionSchema = z.object({
  schemaVersion: z.literal(1).default(1),
  steps: atMost(workflowStepSchema, 500, 'workflow.tooManySteps'),
  edges: atMost(workflowEdgeSchema, 1000, 'workflow.tooManyConnections'),
  variables: atMost(workflowVariableSchema, 200, 'workflow.tooManyVariables'),
  /** The profile that writes about the workflow's sessions until a step chooses another. */
  communicationProfileId: z.string().min(1).max(60).exactOptional(),
});
export type WorkflowDefinition = z.infer<typeof workflowDefinitionSchema>;

/** A rule that a graph breaks: a code of the `workflowIssues` messages and where. */
export const workflowIssueSchema = z.object({
  code: z.string(),
  message: z.string().optional(),
  stepId: z.string().optional(),
  edgeId: z.string().optional(),
  variable: z.string().optional(),
  field: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type WorkflowIssue = z.infer<typeof workflowIssueSchema>;

export const workflowSummarySchema = z.object({
  id: idSchema,
  name: z.string(),
  description: z.string(),
  organization: madeForSchema,
  isEnabled: z.boolean(),
  /** Null until published for the first time. */
  publishedVersion: z.number().int().nullable(),
  hasUnpublishedChanges: z.boolean(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  sessionCount: z.number().int(),
  /** The graph in miniature, for the list's thumbnail. */
  sketch: z.object({
    steps: z.array(
      z.object({ id: z.string(), kind: stepKindSchema, position: z.object({ x: z.number(), y: z.number() }) }),
    ),
    edges: z.array(z.object({ from: z.string(), to: z.string() })),
  }),
  /** Variables that whoever injects a file is asked for. */
  variables: z.array(workflowVariableSchema),
  /** What it takes from people who upload files. */
  takes: z.object({
    /** Whether it takes any. */
    uploads: z.boolean(),
    types: z.array(z.enum(fileTypes)),
    zips: z
      .enum(['sessions', 'document'])
      .describe('What a ZIP is: a session for each of its files, or one of all of them merged'),
    /** Whether values are read from a file beside the uploaded one. */
    sidecars: z.boolean(),
    /** Variables that the file's name gives. */
    named: z.array(z.string()),
  }),
});
export type WorkflowSummary = z.infer<typeof workflowSummarySchema>;

export const workflowSchema = workflowSummarySchema.extend({
  draft: workflowDefinitionSchema,
  /** Rises with each saved draft; sent back on saving so that nobody overwrites another's work. */
  draftRevision: z.number().int(),
  issues: z.array(workflowIssueSchema),
});
export type Workflow = z.infer<typeof workflowSchema>;

export const workflowVersionSchema = z.object({
  version: z.number().int(),
  publishedAt: timeSchema,
  publishedBy: z.string(),
  sessionCount: z.number().int(),
});

/** Somebody who has a draft open. */
export const presentSchema = z.object({ id: idSchema, name: z.string() });
export type Present = z.infer<typeof presentSchema>;

/** Format of the documents that this release writes; it reads this one and the older ones. */
const newestExport = 1;

/** What else a document of a later release holds nobody can tell: its number is all that is said of it. */
function refuseNewer(document: unknown, context: z.RefinementCtx): unknown {
  const version =
    typeof document === 'object' && document !== null && 'formatVersion' in document ? document.formatVersion : null;
  if (typeof version !== 'number' || version <= newestExport) return document;
  const params = { code: 'workflow.exportNewer', params: { version, newest: newestExport } };
  context.addIssue({ code: 'custom', path: ['formatVersion'], params });
  return z.NEVER;
}

/** A workflow as one JSON file, with the profiles it uses, to carry to another house. */
export const workflowExportSchema = z.preprocess(
  refuseNewer,
  z.object({
    format: z.literal('pdf2press-workflow'),
    formatVersion: z.number().int().min(1),
    name: nameSchema,
    description: z.string().max(2000).default(''),
    definition: workflowDefinitionSchema,
    profiles: z
      .array(
        z.object({
          id: idSchema,
          kind: profileKindSchema,
          name: nameSchema,
          settings: z.record(z.string(), z.unknown()),
        }),
      )
      .default([]),
  }),
);
export type WorkflowExport = z.infer<typeof workflowExportSchema>;

/** Workflows to begin with, each with its profiles. Their names and texts are the messages `starter.<key>` and `.text`. */
export const starterKeys = [
  'check',
  'check-fix-check',
  'business-cards-sra3',
  'booklet',
  'check-impose',
  'check-proof-impose',
  'large-format',
  'empty',
] as const;
export type StarterKey = (typeof starterKeys)[number];

export const workflowSorts = ['name', 'organization', 'sessions', 'updated'] as const;
export type WorkflowSort = (typeof workflowSorts)[number];

const workflowQuerySchema = pagingSchema.extend({
  ...sortedBy(workflowSorts),
  ...madeForFilter,
  isEnabled: z.stringbool().optional(),
});
const mayListWorkflows = may('workflows.view', 'sessions.inject');

export const workflowRoutes = {
  list: route({
    method: 'GET',
    path: '/workflows',
    access: mayListWorkflows,
    summary: 'Workflows',
    query: workflowQuerySchema,
    result: pageOf(workflowSummarySchema),
  }),
  // `export` is one workflow as a file.
  exportList: exportOf('/workflows', mayListWorkflows, workflowQuerySchema.omit({ page: true, pageSize: true })),
  get: route({
    method: 'GET',
    path: '/workflows/:id',
    access: may('workflows.view'),
    summary: 'One workflow with its draft and the issues of the draft',
    params: idParamsSchema,
    result: workflowSchema,
  }),
  create: route({
    method: 'POST',
    path: '/workflows',
    access: may('workflows.create'),
    summary: 'Create a workflow, empty or from a template with its profiles; optionally published at once',
    body: z.object({
      name: nameSchema,
      description: z.string().max(2000).default(''),
      organizationId: madeForIdSchema,
      template: z.enum(starterKeys).default('empty'),
      isPublished: z.boolean().default(false),
    }),
    result: workflowSchema,
    status: 201,
  }),
  saveDraft: route({
    method: 'PUT',
    path: '/workflows/:id',
    access: may('workflows.edit'),
    summary: 'Save the draft; running sessions keep the version they were started with',
    params: idParamsSchema,
    body: z.object({
      name: nameSchema,
      description: z.string().max(2000).default(''),
      draft: workflowDefinitionSchema,
      draftRevision: z.number().int(),
    }),
    result: workflowSchema,
  }),
  publish: route({
    method: 'POST',
    path: '/workflows/:id/publish',
    access: may('workflows.edit'),
    summary: 'Publish the draft as the next version; refused while it has issues',
    params: idParamsSchema,
    result: workflowSchema,
  }),
  versions: route({
    method: 'GET',
    path: '/workflows/:id/versions',
    access: may('workflows.view'),
    summary: 'Published versions, newest first',
    params: idParamsSchema,
    result: z.array(workflowVersionSchema),
  }),
  version: route({
    method: 'GET',
    path: '/workflows/:id/versions/:version',
    access: may('workflows.view', 'sessions.view'),
    summary: 'One published version, as sessions run it',
    params: idParamsSchema.extend({ version: z.coerce.number().int().min(1) }),
    result: z.object({ version: z.number().int(), definition: workflowDefinitionSchema }),
  }),
  standing: route({
    method: 'GET',
    path: '/workflows/:id/standing',
    access: may('workflows.view'),
    summary: 'Number of sessions at each step, over all versions, and since when the oldest is there',
    params: idParamsSchema,
    result: z.array(z.object({ stepId: z.string(), sessions: z.number().int(), oldestAt: timeSchema })),
  }),
  validate: route({
    method: 'POST',
    path: '/workflows/validate',
    access: may('workflows.view'),
    summary: 'Issues of a graph',
    body: z.object({
      name: z.string().max(200).default(''),
      /** The organization that the workflow is made for; null = the whole house. */
      organizationId: idSchema.nullable().default(null),
      definition: workflowDefinitionSchema,
    }),
    result: z.array(workflowIssueSchema),
  }),
  keepSecret: route({
    method: 'POST',
    path: '/workflows/secrets',
    access: may('workflows.actions.edit'),
    summary: 'Keep a secret for a step, encrypted; settings name it by its id, and nobody reads it again',
    body: z.object({
      text: z
        .string()
        .min(8)
        .max(1000)
        .regex(/^[\x20-\x7e]+$/),
    }),
    result: z.object({ id: idSchema }),
    status: 201,
  }),
  setEnabled: route({
    method: 'PUT',
    path: '/workflows/:id/enabled',
    access: may('workflows.enable'),
    summary: 'Enable or disable a workflow; a disabled one accepts no files',
    params: idParamsSchema,
    body: z.object({ isEnabled: z.boolean() }),
    result: workflowSchema,
  }),
  assign: route({
    method: 'PUT',
    path: '/workflows/:id/organization',
    access: may('workflows.edit'),
    summary:
      'Make a workflow one organization’s, or the whole house’s: its new sessions belong to that, and so must the profiles that it uses',
    params: idParamsSchema,
    body: z.object({ organizationId: idSchema.nullable() }),
    result: workflowSchema,
  }),
  copy: route({
    method: 'POST',
    path: '/workflows/:id/copy',
    access: may('workflows.create'),
    summary: 'Copy a workflow under another name; for the same organization unless another is given',
    params: idParamsSchema,
    body: z.object({ name: nameSchema, organizationId: madeForIdSchema }),
    result: workflowSchema,
    status: 201,
  }),
  usage: route({
    method: 'GET',
    path: '/workflows/:id/usage',
    access: may('workflows.view'),
    summary: 'What uses the workflow, before deleting it',
    params: idParamsSchema,
    result: z.object({
      openSessions: z.number().int(),
      sessions: z.number().int(),
      organizations: z.array(z.string()),
      /** Places that the live version looks into for files. */
      sources: z.array(z.object({ kind: z.string(), settings: z.record(z.string(), z.unknown()) })),
      /** Whether files in the workflow's own folder are taken. */
      hasHotFolder: z.boolean(),
      /** Names of the workflows whose routes lead to this one. */
      workflows: z.array(z.string()),
    }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/workflows/:id',
    access: may('workflows.delete'),
    summary: 'Delete a workflow; its sessions are kept and continue',
    params: idParamsSchema,
    result: z.object({}),
  }),
  export: route({
    method: 'GET',
    path: '/workflows/:id/export',
    access: may('workflows.view'),
    summary: 'Export the workflow and its profiles as one JSON document',
    params: idParamsSchema,
    result: workflowExportSchema,
  }),
  import: route({
    method: 'POST',
    path: '/workflows/import',
    access: may('workflows.create'),
    summary:
      'Create a workflow from an exported document; its profiles are created again. Names that are taken get a number. With organizationId all of it is made for that organization',
    query: z.object({ organizationId: idSchema.optional() }),
    body: workflowExportSchema,
    result: workflowSchema,
    status: 201,
  }),
};
