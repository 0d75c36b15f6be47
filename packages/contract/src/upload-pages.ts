import { z } from 'zod';
import { resultLevelSchema, severitySchema } from './enumerations.ts';
import { wireErrorSchema } from './errors.ts';
import { fileTypes } from './file-types.ts';
import { boxSchema } from './findings.ts';
import { pageInspectionSchema } from './inspection.ts';
import { localeSchema } from './locale-schema.ts';
import { publicOrganizationSchema } from './organizations.ts';
import { idSchema, timeSchema } from './paging.ts';
import { publicAccess, route } from './route.ts';
import { unitSchema } from './unit-schema.ts';
import { variableValuesSchema, workflowVariableSchema } from './workflows.ts';

/*
 * What whoever opens an organization's upload page sees and does, without an account. A page that does not exist, is not
 * public or asks for another code is answered as one that never existed. What is uploaded belongs to a visit, whose secret
 * is the second segment of the paths; nobody else can name it, and it cannot be read again.
 */

/** Files of one visit. */
export const mostFilesOfVisit = 20;

/**
 * What the page says of files before they are sent: nothing; what the workflow's preflight finds; or the same, and files with
 * errors are not taken.
 */
export const doorChecks = ['off', 'show', 'demand'] as const;
export type DoorCheck = (typeof doorChecks)[number];
/** A file that is not checked in so many seconds can be sent without. */
export const doorCheckSeconds = 60;
/** Findings of a file that are told before it is sent. */
export const mostDoorFindings = 20;

const houseSchema = z.object({
  title: z.string(),
  organization: publicOrganizationSchema,
});

const offeredWorkflowSchema = z.object({
  id: idSchema,
  name: z.string(),
  types: z.array(z.enum(fileTypes)),
  /** Those that are asked for here, with the values that the fields begin with. */
  variables: z.array(workflowVariableSchema),
  /** Off as well where no preflight looks at files as they come. */
  check: z.enum(doorChecks),
});

/**
 * What is known of an uploaded file before it is sent. `none`: such files are not checked here; `late`: they were not checked in
 * time, which keeps nobody from sending them.
 */
export const fileCheckSchema = z.object({
  /** Of the upload. */
  id: idSchema,
  state: z.enum(['none', 'running', 'late', 'done']),
  level: resultLevelSchema.nullable(),
  /** Why the file cannot be read at all; it counts as an error. */
  fault: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** The worst first, in words for whoever made the file. */
  findings: z.array(
    z.object({
      id: z.string(),
      severity: severitySchema,
      message: z.string(),
      /** How to mend it, by name; null where that is not for whoever made the file. */
      remedy: z.string().nullable(),
      page: z.int().nullable(),
      count: z.int(),
      boxes: z.array(boxSchema),
    }),
  ),
  /** How many more there are. */
  more: z.int(),
  /** The pages with findings of which there is a picture. */
  pages: z.array(pageInspectionSchema.pick({ number: true, effective: true, rotate: true })),
});
export type FileCheck = z.output<typeof fileCheckSchema>;

export const uploadPageSchema = z.object({
  house: houseSchema,
  /** The organization's language; null: the reader's. */
  locale: localeSchema.nullable(),
  /** Of the lengths of pages. */
  unit: unitSchema,
  workflows: z.array(offeredWorkflowSchema),
  /** Chosen already; null: who uploads chooses, unless there is only one. */
  defaultWorkflowId: idSchema.nullable(),
  maxBytes: z.number(),
  maxFiles: z.int(),
});
export type UploadPage = z.output<typeof uploadPageSchema>;

/** What became of each file, and the reference to ask for it by. */
const receiptSchema = z.object({
  reference: z.string(),
  at: timeSchema,
  files: z.array(
    z.object({
      name: z.string(),
      size: z.number(),
      /** Why it was not taken; null for one that was. */
      problem: wireErrorSchema.nullable(),
    }),
  ),
});
export type UploadReceipt = z.output<typeof receiptSchema>;

/** The last part of the page's address. */
const pageParamsSchema = z.object({ slug: z.string().max(200) });
/** Empty for a page without a code. */
const codeSchema = z.string().max(200).default('');
const visitParamsSchema = z.object({ visit: z.string().max(200) });
const fileParamsSchema = visitParamsSchema.extend({ id: idSchema });
const line = z.string().trim().max(200);

export const uploadPageSendSchema = z.object({
  workflowId: idSchema,
  /** Of the visit's uploads whose bytes are complete. */
  files: z.array(idSchema).min(1).max(mostFilesOfVisit),
  name: line.min(1),
  email: z.email().max(254),
  company: line.default(''),
  message: z.string().trim().max(2000).default(''),
  variables: variableValuesSchema.default({}),
  /** Those of the files whose errors whoever sends them has seen, and sends them all the same. */
  acknowledged: z.array(idSchema).max(mostFilesOfVisit).default([]),
});

export const uploadPageRoutes = {
  open: route({
    method: 'POST',
    path: '/upload-pages/:slug',
    access: publicAccess,
    summary: 'What an upload page offers; changes nothing. A private page needs its code',
    params: pageParamsSchema,
    body: z.object({ code: codeSchema }),
    result: uploadPageSchema,
  }),
  visit: route({
    method: 'POST',
    path: '/upload-pages/:slug/visits',
    access: publicAccess,
    summary: 'Begin a visit to an upload page: its secret is given out only here, and ends after a day',
    params: pageParamsSchema,
    body: z.object({
      code: codeSchema,
      captcha: z.string().max(5000).optional(),
    }),
    result: z.object({ visit: z.string(), expiresAt: timeSchema }),
    status: 201,
    rateLimit: { max: 30, windowSeconds: 3600 },
  }),
  get: route({
    method: 'GET',
    path: '/upload-visits/:visit',
    access: publicAccess,
    summary: 'What was uploaded in a visit and is not submitted yet, and the receipt of what is',
    params: visitParamsSchema,
    result: z.object({
      files: z.array(
        z.object({
          id: idSchema,
          name: z.string(),
          size: z.number(),
          offset: z.number(),
        }),
      ),
      receipt: receiptSchema.nullable(),
    }),
  }),
  create: route({
    method: 'POST',
    path: '/upload-visits/:visit/files',
    access: publicAccess,
    summary: 'Start a resumable upload (tus) in a visit; metadata: filename',
    params: visitParamsSchema,
    wire: 'tus',
  }),
  append: route({
    method: 'PATCH',
    path: '/upload-visits/:visit/files/:id',
    access: publicAccess,
    summary: 'Send bytes at the offset',
    params: fileParamsSchema,
    wire: 'tus',
  }),
  remove: route({
    method: 'DELETE',
    path: '/upload-visits/:visit/files/:id',
    access: publicAccess,
    summary: 'Remove an upload that is not submitted',
    params: fileParamsSchema,
    wire: 'tus',
  }),
  check: route({
    method: 'POST',
    path: '/upload-visits/:visit/checks',
    access: publicAccess,
    summary:
      'Begin to check uploads of a visit by the workflow’s preflight, or read how far that is and what was found',
    params: visitParamsSchema,
    body: uploadPageSendSchema.pick({ workflowId: true, files: true, variables: true }),
    result: z.array(fileCheckSchema),
  }),
  picture: route({
    method: 'GET',
    path: '/upload-visits/:visit/files/:id/pages/:page',
    access: publicAccess,
    summary: 'The picture of a page of an upload that was checked',
    params: fileParamsSchema.extend({ page: z.coerce.number().int().min(1) }),
    wire: 'bytes',
  }),
  send: route({
    method: 'POST',
    path: '/upload-visits/:visit/send',
    access: publicAccess,
    summary: 'Submit the uploads of a visit, a session each; repeated, the same receipt',
    params: visitParamsSchema,
    body: uploadPageSendSchema,
    result: receiptSchema,
  }),
};
