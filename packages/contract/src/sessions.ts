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
import { longestExternalId } from './external-ids.ts';
import { boxSchema, checkResultSchema, findingSchema } from './findings.ts';
import { fixOutcomeSchema } from './fix.ts';
import { assigneeSchema, listedHoldSchema, sessionHoldSchema } from './holds.ts';
import { pageBindingSchema } from './inspection.ts';
import { madeForFilter, madeForSchema } from './made-for.ts';
import { countedSchema, idSchema, listOf, pagingSchema, timeSchema } from './paging.ts';
import { sessionActionSchema, sessionStatusSchema, stepStatusSchema } from './session-statuses.ts';
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

/** How many findings a preflight has, by severity. */
export const findingTotalsSchema = z.record(severitySchema, z.number().int());
export type FindingTotals = z.infer<typeof findingTotalsSchema>;

/** How far the work of a step is. The phase says what is counted: `pages`, `plates`, `sheets`, or a fix action's key. */
export const stepProgressSchema = z.object({ phase: z.string(), done: z.number(), total: z.number() });
export type StepProgress = z.infer<typeof stepProgressSchema>;

export const sessionListItemSchema = z.object({
  id: idSchema,
  fileName: z.string(),
  status: sessionStatusSchema,
  archiveState: archiveStateSchema,
  isDeleted: z.boolean(),
  isStopped: z.boolean(),
  /** Its steps run before all others of the subscriber. */
  isUrgent: z.boolean(),
  /** Worst preflight level so far; null before any preflight. */
  resultLevel: resultLevelSchema.nullable(),
  /** Of the newest preflight; null before any. */
  findings: findingTotalsSchema.nullable(),
  createdAt: timeSchema,
  finishedAt: timeSchema.nullable(),
  workflow: z.object({ id: idSchema, name: z.string(), version: z.number().int() }),
  /** Whose it is: the people of one organization see it, or those of the whole house only. */
  organization: madeForSchema,
  sourceType: sessionSourceSchema,
  source: z.string(),
  /** The number that the sender’s own system has for it. */
  externalId: z.string().nullable(),
  pageCount: z.number().int().nullable(),
  sizeBytes: z.number().int(),
  /** 0 to 1 over the steps that are expected; null when not known. */
  progress: z.number().min(0).max(1).nullable(),
  /** The step that runs now, with how far it is where its worker knows. */
  running: z.object({ kind: stepKindSchema, name: z.string(), progress: stepProgressSchema.nullable() }).nullable(),
  thumbnailUrl: z.string().nullable(),
  openActions: z.array(sessionActionSchema),
  /** While a step of its workflow holds it for a decision. */
  hold: listedHoldSchema.nullable(),
  runNumber: z.number().int(),
  /** Whose session it is; null = nobody's in particular. */
  assignee: assigneeSchema.nullable(),
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
  /** Only when the worker knows it. */
  progress: stepProgressSchema.nullable(),
  result: resultLevelSchema.nullable(),
  checks: z.array(checkResultSchema),
  /** What a preflight found. */
  findings: findingTotalsSchema.nullable(),
  summary: z.record(z.string(), z.unknown()),
  failure: failureSchema.nullable(),
  engineVersion: z.string().nullable(),
});
export type SessionStep = z.infer<typeof sessionStepSchema>;

/** What became of a finding, seen from the newest preflight of the run. */
export const findingStates = ['left', 'new', 'fixed'] as const;
export const findingStateSchema = z.enum(findingStates);
export type FindingState = z.infer<typeof findingStateSchema>;

/** A finding as shown: both sentences in the reader's language. */
export const sessionFindingSchema = findingSchema.extend({
  stepRunId: idSchema,
  /** Null while only one preflight of the run has ended, and where the findings of one step were asked for. */
  state: findingStateSchema.nullable(),
  message: z.string(),
  operatorMessage: z.string(),
});
export type SessionFinding = z.infer<typeof sessionFindingSchema>;

export const findingQuerySchema = pagingSchema
  .extend({
    pageSize: z.coerce.number().int().min(1).max(500).default(100),
    severity: listOf(severitySchema),
    check: listOf(z.string().max(100)),
    rule: listOf(z.string().max(200)),
    onPage: countedSchema.optional().describe('Page of the PDF, from 1'),
    state: listOf(findingStateSchema).describe(
      '`left` and `new` stand for the newest preflight also where it is the only one',
    ),
    stepRunId: idSchema.optional().describe('All that this step found, whatever became of it'),
    run: countedSchema.optional().describe('Default the newest run'),
  })
  .describe('`search` is looked for in the sentences, in the reader’s language');

/** How many findings a run's newest preflight has, and where the worst are. */
export const findingCountsSchema = z.object({
  severities: z.record(severitySchema, z.number().int()),
  /** The preflight that counts: the newest of the run that has ended; null before. */
  newest: idSchema.nullable(),
  /** Found by an earlier preflight and no more by the newest; null while only one has ended. */
  fixed: z.number().int().nullable(),
  /** Found by the newest preflight and none before; null while only one has ended. */
  added: z.number().int().nullable(),
  checks: z.array(z.object({ check: z.string(), severity: severitySchema, count: z.number().int() })),
  /** What is listed, a row for each rule, in the order of the list. */
  rules: z.array(
    z.object({
      check: z.string(),
      rule: z.string(),
      /** In the reader's language. */
      label: z.string(),
      severity: severitySchema,
      state: findingStateSchema.nullable(),
      /** Findings in the list. */
      findings: z.number().int(),
      places: z.number().int(),
      /** In order; empty = the whole file. */
      pages: z.array(z.number().int()),
    }),
  ),
  /** The worst severity on each page of the file that a step checked. */
  pages: z.array(z.object({ stepRunId: idSchema, page: z.number().int(), worst: severitySchema })),
});
export type FindingCounts = z.infer<typeof findingCountsSchema>;

/** Where a variable's value comes from: with the file, or since; or from the workflow. */
export const variableStatuses = ['Injected', 'Defined'] as const;

/** A variable as the session's version of the workflow declares it. Its value is in `variables`. */
export const sessionVariableSchema = workflowVariableSchema
  .pick({ name: true, type: true, options: true, isRequired: true })
  .extend({ status: z.enum(variableStatuses) });
export type SessionVariable = z.infer<typeof sessionVariableSchema>;

/** The session at the other end of a redirection. */
const relatedSessionSchema = z.object({ id: idSchema, workflowName: z.string() });

/** A session whose file this one's was made from, or that had the same bytes. */
const otherSessionSchema = z.object({ id: idSchema, fileName: z.string() });

/** What a session's file was divided into. */
const sessionPartsSchema = z.object({
  count: z.number().int(),
  /** The first of them, in their order in the file. */
  sessions: z.array(otherSessionSchema.extend({ status: sessionStatusSchema })),
  /** What was left out of a ZIP, and why. */
  skipped: z.array(z.object({ name: z.string(), message: z.string() })),
});

/** What a session's file was merged from: the files of a ZIP. */
const mergedFileSchema = z.object({
  count: z.number().int(),
  /** The first of them, in their order in the document. */
  files: z.array(
    z.object({
      /** With the folders it lay in. */
      name: z.string(),
      pages: z.number().int(),
      hasOtherIntent: z.boolean().describe('It has another output intent than the one that the document has now'),
    }),
  ),
  /** What was left out, and why. */
  skipped: z.array(z.object({ name: z.string(), message: z.string() })),
});

export const sessionSchema = sessionListItemSchema.extend({
  steps: z.array(sessionStepSchema),
  files: z.array(sessionFileSchema),
  variables: variableValuesSchema,
  declaredVariables: z.array(sessionVariableSchema),
  failure: failureSchema.nullable(),
  hold: sessionHoldSchema.nullable(),
  redirectedTo: relatedSessionSchema.nullable(),
  redirectedFrom: relatedSessionSchema.nullable(),
  /** Of a session that was made from a part of another one's file. */
  partOf: otherSessionSchema
    .extend({ entry: z.string().nullable(), pages: z.tuple([z.number().int(), z.number().int()]).nullable() })
    .nullable(),
  parts: sessionPartsSchema.nullable(),
  merged: mergedFileSchema.nullable(),
  /** An earlier session with the same bytes. */
  duplicateOf: otherSessionSchema.nullable(),
  /** The file's name did not fit what the workflow expects. */
  hasOtherName: z.boolean(),
  /** What whoever sent the file saw of it on the upload page, and sent it all the same. */
  acknowledged: z.object({ errors: z.int(), warnings: z.int(), at: timeSchema }).nullable(),
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
  'Assigned',
  'Commented',
  'StepStarted',
  'StepProgress',
  'StepFinished',
  'StepFailed',
  'StepRetried',
  'FindingsWritten',
  'ProductionFileCreated',
  'HoldEntered',
  'HoldReleased',
  'HoldReminded',
  'HoldEscalated',
  'ProofSent',
  'ProofViewed',
  'ProofReminded',
  'ProofDecided',
  'ProofHeld',
  'ProofExtended',
  'ProofLinkRevoked',
  'Stopped',
  'Resumed',
  'Prioritized',
  'Deprioritized',
  'Restarted',
  'Cancelled',
  'Completed',
  'Failed',
  'Rerouted',
  'Deleted',
  'Downloaded',
  'FileReplaced',
  'FileUnlocked',
  'FixApplied',
  'Archiving',
  'Archived',
  'Unarchiving',
  'Unarchived',
  'ArchivingFailed',
  'Delivered',
  'DeliveryFailed',
  'FilesRemoved',
  'RetentionExtended',
  'RetentionWarned',
  'LegalHoldSet',
  'LegalHoldReleased',
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

export const sessionSorts = [
  'createdAt',
  'fileName',
  'status',
  'findings',
  'workflow',
  'organization',
  'sourceType',
  'source',
] as const;

/** What sessions are found by that wait for a customer: all of them, or those past the time that the customer was told. */
export const proofWaits = ['waiting', 'overdue', 'unreached'] as const;
export type ProofWait = (typeof proofWaits)[number];

export const sessionQuerySchema = pagingSchema.extend({
  status: listOf(sessionStatusSchema),
  workflowId: listOf(idSchema),
  ...madeForFilter,
  stepId: z.string().max(60).optional().describe('Standing at this step of its workflow now'),
  sourceType: listOf(sessionSourceSchema),
  externalId: z
    .string()
    .trim()
    .max(longestExternalId)
    .optional()
    .describe('The number of the sender’s own system, exactly'),
  archiveState: listOf(archiveStateSchema),
  waitingForMe: z
    .stringbool()
    .optional()
    .describe('Held for a decision of the caller or of a role of the caller, or assigned to one of them and not done'),
  mine: z.stringbool().optional().describe('Submitted by the caller; of an embedded page, through its token'),
  proof: z
    .enum(proofWaits)
    .optional()
    .describe(
      'Waiting for a customer’s decision; overdue = past its time; unreached = somebody’s message could not be delivered',
    ),
  customer: z
    .string()
    .trim()
    .max(254)
    .optional()
    .describe('Part of the name or e-mail address of somebody asked for a proof'),
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
  'errors',
  'warnings',
  'createdAt',
  'finishedAt',
  'workflow',
  'workflowVersion',
  'organization',
  'sourceType',
  'source',
  'externalId',
  'pageCount',
  'sizeBytes',
  'archiveState',
  'run',
] as const;
export type SessionExportColumn = (typeof sessionExportColumns)[number];

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

/** A preflight report: as a PDF to read, as annotations in a copy of the file, or as stored. People first. */
export const reportFormats = ['Pdf', 'Annotated', 'Json'] as const;
export const reportFormatSchema = z.enum(reportFormats);
export type ReportFormat = z.infer<typeof reportFormatSchema>;

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
  inks: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      /** Full ink on the paper of the press. */
      hex: z.string(),
      /** As `hex`, in equal steps from no ink to full ink; absent on pages that an older release drew. */
      tints: z.array(z.string()).exactOptional(),
      isProcess: z.boolean(),
    }),
  ),
  levels: z.array(
    z.object({ dpi: z.number().int(), width: z.number().int(), height: z.number().int(), tile: z.number().int() }),
  ),
  /**
   * Names of inks and of the file's layers that are lines for cutting, creasing, folding or perforating; the layer `art` shows the
   * page without them.
   * Absent where there are none, and on pages that an older release drew.
   */
  lines: z.array(z.string()).exactOptional(),
  /** Whether the tiles of the levels exist; missing ones are made on the first request. */
  isReady: z.boolean(),
  /** It was tried to render the page, and it cannot be. */
  isUndrawable: z.literal(true).exactOptional(),
});
export const sessionPagesSchema = z.object({
  /** As asked for. */
  version: z.string(),
  sha256: z.string(),
  binding: pageBindingSchema,
  pages: z.array(sessionPageSchema),
});
export type SessionPage = z.infer<typeof sessionPageSchema>;
