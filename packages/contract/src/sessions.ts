import { z } from 'zod';
import {
  archiveStateSchema,
  fileKindSchema,
  resultLevelSchema,
  sessionSourceSchema,
  severitySchema,
  stepKindSchema,
} from './enumerations.ts';
import { errorParamsSchema } from './errors.ts';
import { boxSchema, checkResultSchema, findingSchema } from './findings.ts';
import { fixOutcomeSchema } from './fix.ts';
import { idParamsSchema, idSchema, listOf, pageOf, pagingSchema, timeSchema } from './paging.ts';
import { may, route } from './route.ts';
import {
  actionPermissions,
  bulkActionSchema,
  sessionActionSchema,
  sessionStatusSchema,
  stepStatusSchema,
} from './session-statuses.ts';
import { variableValuesSchema, workflowVariableSchema } from './workflows.ts';

/** Why a session or step failed: a stable code with parameters, and the sentence in the reader's language. */
export const failureSchema = z.object({ code: z.string(), params: errorParamsSchema, message: z.string() });

export const sessionFileSchema = z.object({
  id: idSchema,
  kind: fileKindSchema,
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.number().int().nonnegative(),
  sha256: z.string(),
  stepRunId: idSchema.nullable(),
  createdAt: timeSchema,
  /** Path of the bytes on the API's origin; needs the caller's token or key. */
  downloadUrl: z.string(),
});
export type SessionFile = z.infer<typeof sessionFileSchema>;

export const sessionListItemSchema = z.object({
  id: idSchema,
  fileName: z.string(),
  status: sessionStatusSchema,
  archiveState: archiveStateSchema,
  isDeleted: z.boolean(),
  isStopped: z.boolean(),
  /** Worst preflight level so far; null before any preflight. */
  resultLevel: resultLevelSchema.nullable(),
  createdAt: timeSchema,
  finishedAt: timeSchema.nullable(),
  workflow: z.object({ id: idSchema, name: z.string(), version: z.number().int() }),
  sourceType: sessionSourceSchema,
  source: z.string(),
  pageCount: z.number().int().nullable(),
  sizeBytes: z.number().int(),
  /** 0 to 1 over the steps that are expected; null when not known. */
  progress: z.number().min(0).max(1).nullable(),
  thumbnailUrl: z.string().nullable(),
  openActions: z.array(sessionActionSchema),
  runNumber: z.number().int(),
});
export type SessionListItem = z.infer<typeof sessionListItemSchema>;

export const sessionStepSchema = z.object({
  id: idSchema,
  stepId: z.string(),
  kind: stepKindSchema,
  name: z.string(),
  status: stepStatusSchema,
  outcome: z.string().nullable(),
  attempt: z.number().int(),
  runNumber: z.number().int(),
  startedAt: timeSchema.nullable(),
  endedAt: timeSchema.nullable(),
  durationMs: z.number().nullable(),
  /** Only when the worker knows it: pages done and pages in total. */
  progress: z.object({ done: z.number(), total: z.number() }).nullable(),
  result: resultLevelSchema.nullable(),
  checks: z.array(checkResultSchema),
  summary: z.record(z.string(), z.unknown()),
  failure: failureSchema.nullable(),
  engineVersion: z.string().nullable(),
});
export type SessionStep = z.infer<typeof sessionStepSchema>;

/** A finding as shown: both sentences in the reader's language. */
export const sessionFindingSchema = findingSchema.extend({
  stepRunId: idSchema,
  message: z.string(),
  operatorMessage: z.string(),
});
export type SessionFinding = z.infer<typeof sessionFindingSchema>;

export const findingQuerySchema = pagingSchema
  .extend({
    pageSize: z.coerce.number().int().min(1).max(500).default(100),
    severity: listOf(severitySchema),
    check: listOf(z.string().max(100)),
    onPage: z.coerce.number().int().min(1).optional().describe('Page of the PDF, from 1'),
    stepRunId: idSchema.optional(),
    run: z.coerce.number().int().min(1).optional().describe('Default the newest run'),
  })
  .describe('`search` is looked for in the sentences, in the reader’s language');

/** How many places the findings of a run stand for, and where the worst are. */
export const findingCountsSchema = z.object({
  severities: z.record(severitySchema, z.number().int()),
  checks: z.array(z.object({ check: z.string(), severity: severitySchema, count: z.number().int() })),
  /** The worst severity on each page of the file that a step checked. */
  pages: z.array(z.object({ stepRunId: idSchema, page: z.number().int(), worst: severitySchema })),
});
export type FindingCounts = z.infer<typeof findingCountsSchema>;

/** A step that waits for somebody's decision. */
export const sessionHoldSchema = z.object({
  stepRunId: idSchema,
  /** The reason given by the workflow's author; empty when there is none. */
  reason: z.string(),
  since: timeSchema,
  /** When `onDue` happens automatically; null = it waits without a time limit. */
  dueAt: timeSchema.nullable(),
  onDue: z.enum(['continue', 'cancel']).nullable(),
});
export type SessionHold = z.infer<typeof sessionHoldSchema>;

/** Where a variable's value comes from: with the file, or since; or from the workflow. */
export const variableStatuses = ['Injected', 'Defined'] as const;

/** A variable as the session's version of the workflow declares it. Its value is in `variables`. */
export const sessionVariableSchema = workflowVariableSchema
  .pick({ name: true, type: true, options: true, isRequired: true })
  .extend({ status: z.enum(variableStatuses) });
export type SessionVariable = z.infer<typeof sessionVariableSchema>;

/** The session at the other end of a redirection. */
const relatedSessionSchema = z.object({ id: idSchema, workflowName: z.string() });

export const sessionSchema = sessionListItemSchema.extend({
  steps: z.array(sessionStepSchema),
  files: z.array(sessionFileSchema),
  variables: variableValuesSchema,
  declaredVariables: z.array(sessionVariableSchema),
  failure: failureSchema.nullable(),
  hold: sessionHoldSchema.nullable(),
  redirectedTo: relatedSessionSchema.nullable(),
  redirectedFrom: relatedSessionSchema.nullable(),
  /** Sent back with a command, so that a change by someone else is detected. */
  version: z.number().int(),
});
export type Session = z.infer<typeof sessionSchema>;

/** A fix step's change log as shown: every sentence in the reader's language. */
export const sessionFixSchema = z.object({
  stepRunId: idSchema,
  result: resultLevelSchema,
  isChanged: z.boolean(),
  /** About the whole file or profile. */
  warnings: z.array(z.string()),
  actions: z.array(
    z.object({
      index: z.number().int(),
      action: z.string(),
      label: z.string(),
      outcome: fixOutcomeSchema,
      reason: z.string().nullable(),
      warnings: z.array(z.string()),
      /** How it was shown that nothing else changed; null where nothing was changed. */
      proof: z.string().nullable(),
      /** Changes that were counted but not listed. */
      unlisted: z.number().int(),
      changes: z.array(
        z.object({
          page: z.number().int().nullable(),
          sentence: z.string(),
          count: z.number().int(),
          /** A small image of a removed page: a data URL. */
          thumbnail: z.string().optional(),
          box: boxSchema.nullable(),
        }),
      ),
    }),
  ),
});
export type SessionFix = z.infer<typeof sessionFixSchema>;

export const eventKinds = [
  'Created',
  'FileReceived',
  'FileRejected',
  'VariableSet',
  'StepStarted',
  'StepProgress',
  'StepFinished',
  'StepFailed',
  'StepRetried',
  'FindingsWritten',
  'ProductionFileCreated',
  'HoldEntered',
  'HoldReleased',
  'Stopped',
  'Resumed',
  'Restarted',
  'Cancelled',
  'Completed',
  'Failed',
  'Rerouted',
  'Deleted',
  'Downloaded',
  'FileReplaced',
  'FixApplied',
  'Archiving',
  'Archived',
  'Unarchiving',
  'Unarchived',
  'ArchivingFailed',
] as const;

/** One line of a session's history; `seq` orders the events of a subscriber and is used to resume a live stream. */
export const sessionEventSchema = z.object({
  seq: z.number().int(),
  sessionId: idSchema,
  kind: z.enum(eventKinds),
  at: timeSchema,
  actor: z.object({ kind: z.enum(['system', 'user', 'customer', 'apiKey', 'embed']), name: z.string() }),
  stepRunId: idSchema.nullable(),
  runNumber: z.number().int(),
  data: z.record(z.string(), z.unknown()),
});
export type SessionEvent = z.infer<typeof sessionEventSchema>;

export const sessionSorts = ['createdAt', 'fileName', 'status', 'workflow', 'sourceType', 'source'] as const;

export const sessionQuerySchema = pagingSchema.extend({
  status: listOf(sessionStatusSchema),
  workflowId: listOf(idSchema),
  stepId: z.string().max(60).optional().describe('Standing at this step of its workflow now'),
  sourceType: listOf(sessionSourceSchema),
  archiveState: listOf(archiveStateSchema),
  resultLevel: listOf(resultLevelSchema),
  from: z.string().optional().describe('Created at or after, ISO 8601'),
  to: z.string().optional().describe('Created before, ISO 8601'),
  sort: z.enum(sessionSorts).default('createdAt'),
  direction: z.enum(['asc', 'desc']).default('desc'),
});

/** The columns that an export can contain, in this order. */
export const sessionExportColumns = [
  'id',
  'fileName',
  'status',
  'result',
  'createdAt',
  'finishedAt',
  'workflow',
  'workflowVersion',
  'sourceType',
  'source',
  'pageCount',
  'sizeBytes',
  'archiveState',
  'run',
] as const;
export type SessionExportColumn = (typeof sessionExportColumns)[number];

/** The file's hash; an image that is requested with it may be cached without a time limit. */
const shaSchema = z.string().max(64);

const commandBodySchema = z.object({ version: z.number().int().optional() }).prefault({});

const factValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

/** How one rule of a condition or a route came out, as the session's log keeps it. */
export const ruleRowSchema = z.object({
  /** Of the rule in its group: `rules.0.rules.1`. */
  path: z.string(),
  fact: z.string(),
  /** `Length` is in points, `Bytes` in bytes. */
  type: z.enum(['String', 'Number', 'Length', 'Bytes', 'YesNo', 'Date', 'List', 'Choice']),
  operator: z.string(),
  expected: z.array(factValueSchema),
  /** Null: the session has no such fact. */
  actual: factValueSchema,
  verdict: z.boolean(),
});
export type RuleRowShown = z.infer<typeof ruleRowSchema>;

const command = <const A extends 'stop' | 'resume' | 'continue' | 'restart' | 'cancel'>(act: A, summary: string) =>
  route({
    method: 'POST',
    path: `/sessions/:id/${act}`,
    access: may(actionPermissions[act]),
    summary,
    params: idParamsSchema,
    body: commandBodySchema,
    result: sessionSchema,
  });

/** A preflight report: as stored, as a PDF to read, or as annotations in a copy of the file. */
export const reportFormats = ['Json', 'Pdf', 'Annotated'] as const;
export const reportFormatSchema = z.enum(reportFormats);
export type ReportFormat = z.infer<typeof reportFormatSchema>;

export const sessionRoutes = {
  list: route({
    method: 'GET',
    path: '/sessions',
    access: may('sessions.view'),
    summary: 'Sessions, newest first unless sorted otherwise',
    query: sessionQuerySchema,
    result: pageOf(sessionListItemSchema).extend({ statusCounts: z.record(z.string(), z.number()) }),
  }),
  create: route({
    method: 'POST',
    path: '/sessions',
    access: may('sessions.inject'),
    summary:
      'Upload a PDF: multipart fields file, workflowId, variables (JSON), organizationId (used when neither workflow nor source sets the organization). Requests with the same Idempotency-Key header create one session',
    result: z.object({ id: idSchema, status: sessionStatusSchema, isDuplicate: z.boolean() }),
    status: 201,
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
  continue: command('continue', 'Continue a session that is on hold'),
  restart: command('restart', 'Run a session again from its original file; the previous run stays readable'),
  cancel: command('cancel', 'Cancel a session that has not ended; its files are kept'),
  replaceFile: route({
    method: 'POST',
    path: '/sessions/:id/file',
    access: may('sessions.files.replace'),
    summary:
      'Replace the file and run the workflow again: multipart fields file and, optionally, version; the request is refused if the session has another version. The previous file and run stay readable',
    params: idParamsSchema,
    result: sessionSchema,
  }),
  reroute: route({
    method: 'POST',
    path: '/sessions/:id/reroute',
    access: may('sessions.route.decide'),
    summary:
      'Use another workflow: ends the session as Rerouted and starts a session of that workflow with the same file',
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
    summary: 'Findings of a run, sorted by check (highest severity first), severity, rule and page',
    params: idParamsSchema,
    query: findingQuerySchema,
    result: pageOf(sessionFindingSchema),
  }),
  findingCounts: route({
    method: 'GET',
    path: '/sessions/:id/findings/counts',
    access: may('sessions.view'),
    summary: 'Counts of the findings of a run by severity and check, and the highest severity on each page',
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
    access: may('sessions.view'),
    summary: 'Events of all sessions (or of one) as they happen; resumes after Last-Event-ID',
    query: z.object({ sessionId: idSchema.optional() }),
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
    query: z.object({ version: z.enum(['original', 'production']).default('original') }),
    result: z.lazy(() => sessionPagesSchema),
  }),
  tile: route({
    method: 'GET',
    path: '/sessions/:id/pages/:page/:version/:layer/:dpi/:tile',
    access: may('sessions.view'),
    summary: 'One tile of a page’s raster; `layer` is rgb or ink-<n>, `tile` is <x>_<y>.webp; immutable',
    params: idParamsSchema.extend({
      page: z.coerce.number().int().min(1),
      version: z.enum(['original', 'production']),
      layer: z.string().regex(/^(rgb|ink-\d{1,3})$/),
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
    query: z.object({ version: z.enum(['original', 'production']).default('original'), v: shaSchema.optional() }),
    wire: 'bytes',
  }),
};

const pageBoxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** A page as the viewer needs it; sizes in points, rotation clockwise. */
export const sessionPageSchema = z.object({
  page: z.number().int(),
  label: z.string().nullable(),
  widthPt: z.number(),
  heightPt: z.number(),
  rotate: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
  userUnit: z.number(),
  boxes: z.object({
    media: pageBoxSchema,
    crop: pageBoxSchema,
    bleed: pageBoxSchema,
    trim: pageBoxSchema,
    art: pageBoxSchema,
  }),
  inks: z.array(z.object({ id: z.number().int(), name: z.string(), hex: z.string(), isProcess: z.boolean() })),
  levels: z.array(
    z.object({ dpi: z.number().int(), width: z.number().int(), height: z.number().int(), tile: z.number().int() }),
  ),
  /** Whether the tiles of the levels exist; missing ones are made on the first request. */
  isReady: z.boolean(),
});
export const sessionPagesSchema = z.object({
  version: z.enum(['original', 'production']),
  sha256: z.string(),
  pages: z.array(sessionPageSchema),
});
export type SessionPage = z.infer<typeof sessionPageSchema>;
