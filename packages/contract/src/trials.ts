import { z } from 'zod';
import { resultLevelSchema, severitySchema } from './enumerations.ts';
import { idParamsSchema, idSchema, timeSchema } from './paging.ts';
import { may, route } from './route.ts';
import { isFinal, sessionStatusSchema } from './session-statuses.ts';
import { sessionFindingSchema } from './sessions.ts';
import { workflowDefinitionSchema } from './workflows.ts';

/** Kinds of profile whose draft can be tried on a file before it is saved. */
export const trialKinds = ['preflight', 'fix', 'impose'] as const;
export const trialKindSchema = z.enum(trialKinds);
export type TrialKind = (typeof trialKinds)[number];

/** Files that a workflow's draft is tried on at once. */
export const mostTrialFiles = 50;
/** Trials and their files are removed after so many hours. */
export const trialHours = 24;

/** Where a step's summary tells what the step of a trial did not do, and by which answer it went on instead. */
export const trialMarkKey = 'trial';
export const trialMarkSchema = z.object({
  would: z.enum(['wait', 'act', 'reroute', 'divide']),
  answer: z.string().exactOptional(),
  workflowId: z.string().exactOptional(),
});
export type TrialMark = z.infer<typeof trialMarkSchema>;

/** What a trial is compared in with the session of the past, the most telling first. */
export const trialDifferences = ['status', 'path', 'findings', 'pages'] as const;
export type TrialDifference = (typeof trialDifferences)[number];

/**
 * What became of findings: `new` ones; those that are `gone`, because no check finds them any more; those that are `fixed`,
 * because a check of the trial found them and its last one did not.
 */
export const findingFates = ['new', 'gone', 'fixed'] as const;
export type FindingFate = (typeof findingFates)[number];

const trialSideSchema = z.object({
  id: idSchema,
  status: sessionStatusSchema,
  resultLevel: resultLevelSchema.nullable(),
  createdAt: timeSchema,
});

export const trialRowSchema = z.object({
  fileName: z.string(),
  /** The session that ran the draft; it is read as other sessions are. */
  now: trialSideSchema,
  /** The session of the past; null for a file that was brought. */
  past: trialSideSchema.nullable(),
  /** Null until the trial has ended and all pages are compared, and without a session of the past. */
  differences: z.array(z.enum(trialDifferences)).nullable(),
  findings: z.record(z.enum(findingFates), z.number().int()).nullable(),
  /** How many pages of the output look different, are new or are gone; null where pictures of them do not exist. */
  pages: z.number().int().nullable(),
});
export type TrialRow = z.infer<typeof trialRowSchema>;

const pathStepSchema = z.object({ stepId: z.string(), outcome: z.string().nullable() });

/** One row whole: the ways taken, the findings that are not the same, the pages that look different. */
export const trialComparisonSchema = trialRowSchema.extend({
  definition: workflowDefinitionSchema,
  path: z.object({ now: z.array(pathStepSchema), past: z.array(pathStepSchema) }),
  changed: z.array(
    sessionFindingSchema
      .pick({ checkKey: true, ruleKey: true, page: true, message: true, operatorMessage: true })
      .extend({
        severity: severitySchema,
        fate: z.enum(findingFates),
        count: z.number().int(),
      }),
  ),
  /** Numbers of the pages, from 1. */
  changedPages: z.array(z.number().int()),
});
export type TrialComparison = z.infer<typeof trialComparisonSchema>;

/** Whether a file of a trial has run, and its pages are still being compared: no event tells when that is over. */
export const isBeingCompared = ({ now, past, differences }: TrialRow): boolean =>
  isFinal(now.status) && past !== null && differences === null;

/** Whether every file of a trial has run to its end and is compared with what really happened. */
export const isTrialDone = (rows: readonly TrialRow[]): boolean =>
  rows.every((row) => isFinal(row.now.status) && !isBeingCompared(row));

/** What is sent with a workflow's draft, in the field `trial` of the form. */
export const workflowTrialSchema = z.object({
  workflowId: idSchema,
  name: z.string().max(200).default(''),
  draft: workflowDefinitionSchema,
  /** Answers of the steps that would wait or act, by their ids. */
  answers: z.record(z.string().max(60), z.string().max(60)).default({}),
  /** Sessions of the past. */
  sessionIds: z.array(idSchema).max(mostTrialFiles).default([]),
  /** So many of the workflow's own sessions, the newest that have ended. */
  last: z.number().int().min(0).max(mostTrialFiles).default(0),
});
export type WorkflowTrial = z.infer<typeof workflowTrialSchema>;

export const trialRoutes = {
  create: route({
    method: 'POST',
    path: '/trials',
    access: may('preflight.manage', 'fix.manage', 'impose.manage'),
    summary:
      'Run unsaved profile settings on a file: multipart fields kind, settings (JSON) and file, or sessionId to use the file of that session. The result is read as a session; it is in no list and is deleted after a day',
    result: z.object({ id: idSchema }),
    status: 201,
  }),
  createOfWorkflow: route({
    method: 'POST',
    path: '/workflow-trials',
    access: may('workflows.edit'),
    summary:
      'Try a workflow’s draft on a file, on sessions of the past or on its last ones: multipart fields trial (JSON: workflowId, draft, answers, sessionIds, last) and file. Nothing is sent, delivered or counted',
    result: z.object({ id: idSchema }),
    status: 201,
    rateLimit: { max: 30, windowSeconds: 600 },
  }),
  get: route({
    method: 'GET',
    path: '/workflow-trials/:id',
    access: may('workflows.edit'),
    summary: 'How a trial of a workflow goes, and what differs from what really happened',
    params: idParamsSchema,
    result: z.object({ id: idSchema, workflowId: idSchema, createdAt: timeSchema, rows: z.array(trialRowSchema) }),
  }),
  compare: route({
    method: 'GET',
    path: '/workflow-trials/:id/sessions/:sessionId',
    access: may('workflows.edit'),
    summary: 'One file of a trial: path, findings and pages, against the session of the past',
    params: idParamsSchema.extend({ sessionId: idSchema }),
    result: trialComparisonSchema,
  }),
  remove: route({
    method: 'DELETE',
    path: '/workflow-trials/:id',
    access: may('workflows.edit'),
    summary: 'End a trial and remove what it made',
    params: idParamsSchema,
    result: z.object({}),
  }),
};
