import { z } from 'zod';
import { wireErrorSchema } from './errors.ts';
import { idParamsSchema, idSchema, listOf, pageOf } from './paging.ts';
import { may, route } from './route.ts';
import { mostInBatch, sessionBatchSchema } from './session-address.ts';
import { actionPermissions, bulkActionSchema, sessionStatusSchema } from './session-statuses.ts';
import {
  findingCountsSchema,
  findingQuerySchema,
  proofWaits,
  reportFormatSchema,
  ruleRowSchema,
  sessionEventSchema,
  sessionExportColumns,
  sessionFindingSchema,
  sessionFixSchema,
  sessionListItemSchema,
  sessionPagesSchema,
  sessionQuerySchema,
  sessionSchema,
} from './sessions.ts';
import { variableValuesSchema, workflowVariableSchema } from './workflows.ts';

/** Sessions whose results may be downloaded at once. */
const mostResults = 100;

/** The file's hash; an image that is requested with it may be cached without a time limit. */
const shaSchema = z.string().max(64);

/** A file's version of a session: what came, the newest that its run made, or the file with this id. */
const fileVersionSchema = idSchema.describe(
  'original, production (the newest of the run) or the id of a PDF of the session',
);

/** What a file that was handed in is by now. */
const createdSessionSchema = z.object({
  id: idSchema.nullable().describe('Null until the file is fetched from its address'),
  status: sessionStatusSchema.nullable(),
  isDuplicate: z.boolean(),
  arrivalId: z.string().nullable().describe('Of a file that is fetched from its address'),
});

const commandBodySchema = z.object({ version: z.number().int().optional() }).prefault({});

const command = <const A extends 'stop' | 'resume' | 'restart'>(act: A, summary: string) =>
  route({
    method: 'POST',
    path: `/sessions/:id/${act}`,
    access: may(actionPermissions[act]),
    summary,
    params: idParamsSchema,
    body: commandBodySchema,
    result: sessionSchema,
  });

export const sessionRoutes = {
  list: route({
    method: 'GET',
    path: '/sessions',
    access: may('sessions.view'),
    summary: 'Sessions, newest first unless sorted otherwise',
    query: sessionQuerySchema,
    result: pageOf(sessionListItemSchema).extend({
      statusCounts: z.record(z.string(), z.number()),
      /** How many of all sessions wait for the caller, whatever the filter. */
      waitingForMe: z.number().int(),
      /** How many of all sessions wait for a customer, whatever the filter; null for who may not see proofs. */
      proofs: z.record(z.enum(proofWaits), z.number().int()).nullable(),
    }),
  }),
  create: route({
    method: 'POST',
    path: '/sessions',
    access: may('sessions.inject'),
    summary:
      'Upload a file: multipart fields file, workflowId, variables (JSON), sidecar (a CSV, JSON or XML file with values for the variables, where the workflow reads one), externalId (the number that your own system has for it; sessions are found by it), order (JSON with id, quantity, dueDate and product: values of the session named order.…), shop (Pressero: its orders are a way in of their own), organizationId (used when neither workflow nor source sets the organization), priority (Normal, or Urgent: its steps run before all others of the subscriber). Requests with the same Idempotency-Key header create one session. Or, as JSON, name the address of the file (fileUrl): the answer is 202 with the id of the arrival, which GET /arrivals/item tells of, and the file is fetched. Or name an upload (uploadId) that was begun without a workflow (POST /uploads)',
    result: createdSessionSchema,
    status: 201,
  }),
  createMany: route({
    method: 'POST',
    path: '/sessions/batch',
    access: may('sessions.inject'),
    summary: `Hand in up to ${mostInBatch} files by their addresses (fileUrl) or uploads (uploadId) in one request: each is taken or refused for itself, as POST /sessions does it, and the answer tells of each in the order of the items`,
    body: sessionBatchSchema,
    result: z.array(
      z.object({
        /** Null where the item was refused. */
        created: createdSessionSchema.nullable(),
        /** Why, each with the field of the item that it is about. */
        errors: z.array(wireErrorSchema),
      }),
    ),
  }),
  get: route({
    method: 'GET',
    path: '/sessions/:id',
    access: may('sessions.view'),
    summary: 'One session: steps, files, variables; its findings are a list of their own',
    params: idParamsSchema,
    result: sessionSchema,
  }),
  stop: command('stop', 'Stop a session within five seconds'),
  resume: command('resume', 'Resume a stopped session'),
  continue: route({
    method: 'POST',
    path: '/sessions/:id/continue',
    access: may('sessions.view', 'sessions.hold.decide'),
    summary:
      'Continue a session that is on hold, with values for the variables that its step asks for; needs sessions.hold.decide, or to be the assignee',
    params: idParamsSchema,
    body: z.object({ version: z.number().int().optional(), variables: variableValuesSchema.default({}) }).prefault({}),
    result: sessionSchema,
  }),
  restart: command('restart', 'Run a session again from its original file; the previous run stays readable'),
  cancel: route({
    method: 'POST',
    path: '/sessions/:id/cancel',
    access: may('sessions.view', 'sessions.stop'),
    summary:
      'Cancel a session that has not ended; its files are kept. Needs sessions.stop, or to be the assignee of its hold',
    params: idParamsSchema,
    body: commandBodySchema,
    result: sessionSchema,
  }),
  replaceFile: route({
    method: 'POST',
    path: '/sessions/:id/file',
    access: may('sessions.view', 'sessions.files.replace'),
    summary:
      'Replace the file and run the workflow again: multipart fields file and, optionally, version; the request is refused if the session has another version. The previous file and run stay readable. Needs sessions.files.replace, or to be the assignee of its hold',
    params: idParamsSchema,
    result: sessionSchema,
  }),
  unlock: route({
    method: 'POST',
    path: '/sessions/:id/unlock',
    access: may('sessions.view', 'sessions.files.replace'),
    summary:
      'Open the password-protected file of a failed session: a copy without password replaces it, and the workflow runs again. The password is not kept. Needs sessions.files.replace',
    params: idParamsSchema,
    body: z.object({ password: z.string().min(1).max(500), version: z.number().int().optional() }),
    result: sessionSchema,
    rateLimit: { max: 30, windowSeconds: 600 },
  }),
  reroute: route({
    method: 'POST',
    path: '/sessions/:id/reroute',
    access: may('sessions.view', 'sessions.route.decide'),
    summary:
      'Use another workflow: ends the session as Rerouted and starts a session of that workflow with the same file; needs sessions.route.decide, or to be the assignee of its hold',
    params: idParamsSchema,
    body: z.object({
      workflowId: idSchema,
      /** Values for the other workflow's variables; values of variables with the same name are taken over automatically. */
      variables: variableValuesSchema.default({}),
      version: z.number().int().optional(),
    }),
    result: sessionSchema,
  }),
  overwriteVariables: route({
    method: 'PUT',
    path: '/sessions/:id/variables',
    access: may(actionPermissions.overwriteVariables),
    summary: 'Give variables of a session on hold other values; each change is in its history',
    params: idParamsSchema,
    body: z.object({ variables: variableValuesSchema, version: z.number().int().optional() }),
    result: sessionSchema,
  }),
  remove: route({
    method: 'DELETE',
    path: '/sessions/:id',
    access: may('sessions.delete'),
    summary: 'Delete a session and its files',
    params: idParamsSchema,
    result: z.object({}),
  }),
  bulk: route({
    method: 'POST',
    path: '/sessions/bulk',
    access: may('sessions.view'),
    summary: 'One action on many sessions, with a result for each; each action needs its own permission',
    body: z.object({ action: bulkActionSchema, ids: z.array(idSchema).min(1).max(100) }),
    result: z.array(
      z.object({
        id: idSchema,
        success: z.boolean(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
  }),
  evaluate: route({
    method: 'POST',
    path: '/sessions/:id/evaluate',
    access: may('sessions.view'),
    summary: 'Evaluate rules and values by name with the data of a session; nothing is changed',
    params: idParamsSchema,
    body: z.object({
      /** What the step found, where the newest run has it; otherwise what is known at the end of that run. */
      stepId: z.string().max(60).optional(),
      /** Variables of the workflow that asks. */
      variables: z.array(workflowVariableSchema).max(200).default([]),
      /** Groups of rules as the settings of conditions and routes hold them. */
      groups: z.array(z.record(z.string(), z.unknown())).max(60).default([]),
      /** Names of variables and facts whose values are asked for as texts. */
      names: z.array(z.string().max(120)).max(500).default([]),
    }),
    result: z.object({
      /** In the order asked; null for a group that is not complete yet. */
      groups: z.array(z.object({ verdict: z.boolean(), table: z.array(ruleRowSchema) }).nullable()),
      texts: z.record(z.string(), z.string()),
    }),
  }),
  events: route({
    method: 'GET',
    path: '/sessions/:id/events',
    access: may('sessions.view'),
    summary: 'The session’s history, oldest first',
    params: idParamsSchema,
    result: z.array(sessionEventSchema),
  }),
  findings: route({
    method: 'GET',
    path: '/sessions/:id/findings',
    access: may('sessions.view'),
    summary:
      'Findings of a run’s newest preflight, and those of earlier ones that it found no more; sorted by check (highest severity first), severity, rule and page',
    params: idParamsSchema,
    query: findingQuerySchema,
    result: pageOf(sessionFindingSchema),
  }),
  findingCounts: route({
    method: 'GET',
    path: '/sessions/:id/findings/counts',
    access: may('sessions.view'),
    summary:
      'Counts of the findings of a run’s newest preflight by severity and check, and the highest severity on each page',
    params: idParamsSchema,
    query: findingQuerySchema.pick({ run: true }),
    result: findingCountsSchema,
  }),
  fixes: route({
    method: 'GET',
    path: '/sessions/:id/fixes',
    access: may('sessions.view'),
    summary: 'What the fix steps of the newest run changed, in sentences, oldest first',
    params: idParamsSchema,
    result: z.array(sessionFixSchema),
  }),
  live: route({
    method: 'GET',
    path: '/sessions/live',
    access: may('sessions.view', 'workflows.edit'),
    summary:
      'Events as they happen: of all sessions that are no trials, of one session, or of all files of a workflow’s trial (trialId; needs workflows.edit, everything else sessions.view); resumes after Last-Event-ID. With workflowId (needs workflows.edit) instead who else has that draft open, as the event `presence`',
    query: z.object({
      sessionId: idSchema.optional(),
      trialId: idSchema.optional(),
      workflowId: idSchema.optional(),
    }),
    wire: 'events',
  }),
  export: route({
    method: 'GET',
    path: '/sessions/export.csv',
    access: may('data.export'),
    summary: 'The filtered list as CSV, with the requested columns or all columns',
    query: sessionQuerySchema
      .omit({ page: true, pageSize: true })
      .extend({ columns: listOf(z.enum(sessionExportColumns)) }),
    wire: 'bytes',
    rateLimit: { max: 10, windowSeconds: 3600 },
  }),
  file: route({
    method: 'GET',
    path: '/sessions/:id/files/:fileId',
    access: may('sessions.files.download'),
    summary: 'Download a file as an attachment; range requests are supported',
    params: idParamsSchema.extend({ fileId: idSchema }),
    wire: 'bytes',
  }),
  result: route({
    method: 'GET',
    path: '/sessions/:id/result',
    access: may('sessions.files.download'),
    summary: 'Download the result of a completed session under its name; several files as a ZIP',
    params: idParamsSchema,
    wire: 'bytes',
  }),
  results: route({
    method: 'GET',
    path: '/sessions/results.zip',
    access: may('sessions.files.download'),
    summary: 'Download the results of completed sessions as a ZIP; refused when one of them has none',
    query: z.object({
      ids: z.preprocess((ids) => (typeof ids === 'string' ? [ids] : ids), z.array(idSchema).min(1).max(mostResults)),
    }),
    wire: 'bytes',
  }),
  report: route({
    method: 'GET',
    path: '/sessions/:id/reports/:format',
    access: may('sessions.files.download'),
    summary:
      'The report of the newest preflight in the reader’s language; created on the first request, downloadUrl is null until it is ready',
    params: idParamsSchema.extend({ format: reportFormatSchema }),
    result: z.object({ name: z.string(), downloadUrl: z.string().nullable() }),
  }),
  pages: route({
    method: 'GET',
    path: '/sessions/:id/pages',
    access: may('sessions.view'),
    summary: 'Pages of the session’s file: sizes, boxes, inks and raster levels',
    params: idParamsSchema,
    query: z.object({ version: fileVersionSchema.default('original') }),
    result: z.lazy(() => sessionPagesSchema),
  }),
  tile: route({
    method: 'GET',
    path: '/sessions/:id/pages/:page/:version/:layer/:dpi/:tile',
    access: may('sessions.view'),
    summary:
      'One tile of a page’s raster; `layer` is rgb, art (without lines for finishing) or ink-<n>, `tile` is <x>_<y>.webp; immutable',
    params: idParamsSchema.extend({
      page: z.coerce.number().int().min(1),
      version: fileVersionSchema,
      layer: z.string().regex(/^(rgb|art|ink-\d{1,3})$/),
      dpi: z.coerce.number().int().min(1).max(2400),
      tile: z.string().regex(/^\d{1,4}_\d{1,4}\.webp$/),
    }),
    query: z.object({ v: shaSchema.optional() }),
    wire: 'bytes',
  }),
  thumbnail: route({
    method: 'GET',
    path: '/sessions/:id/thumbnails/:page',
    access: may('sessions.view'),
    summary: 'Thumbnail of a page',
    params: idParamsSchema.extend({ page: z.coerce.number().int().min(1) }),
    query: z.object({ version: fileVersionSchema.default('original'), v: shaSchema.optional() }),
    wire: 'bytes',
  }),
};
