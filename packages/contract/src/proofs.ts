import { z } from 'zod';
import { approvalPolicySchema, resultLevelSchema } from './enumerations.ts';
import { localeSchema } from './locale-schema.ts';
import { idParamsSchema, idSchema, timeSchema } from './paging.ts';
import {
  keptNoteSchema,
  newPrivateNoteSchema,
  noteAnswerSchema,
  notesPageSchema,
  notesQuerySchema,
  privateNoteSchema,
  writtenNoteSchema,
} from './proof-notes.ts';
import { deadlineActions, pageLevels, proofModes } from './proof-profile.ts';
import { may, route } from './route.ts';

/** What a recipient may decide. */
export const proofDecisions = ['Approved', 'Declined'] as const;
export const proofDecisionSchema = z.enum(proofDecisions);
export type ProofDecision = (typeof proofDecisions)[number];

/**
 * `Held`: the deadline has passed and the house decides. `Superseded`: the file was replaced or the workflow runs again.
 * `Closed`: the session ended otherwise.
 */
export const proofStates = ['Open', 'Held', 'Approved', 'Declined', 'Expired', 'Superseded', 'Closed'] as const;
export const proofStateSchema = z.enum(proofStates);
export type ProofState = (typeof proofStates)[number];

/** `Waiting`: not asked yet, because others come first. */
export const recipientStates = ['Waiting', 'Asked', 'Approved', 'Declined'] as const;
export type RecipientState = (typeof recipientStates)[number];

/** What somebody decided on one page, and why. */
export const pageDecisionSchema = z.object({
  /** From 1. */
  page: z.int().min(1).max(100_000),
  decision: proofDecisionSchema,
  reason: z.string().trim().max(1000).default(''),
});
export type PageDecision = z.output<typeof pageDecisionSchema>;

/** The pages that were declined, where it was decided page by page. */
export const declinedPagesOf = (pages: readonly PageDecision[] | null | undefined): number[] =>
  (pages ?? []).flatMap(({ page, decision }) => (decision === 'Declined' ? [page] : []));

/**
 * What is kept of a decision for good. It is written once, in the transaction of the decision, and each record carries the
 * hash of the one before it.
 */
export const proofRecordSchema = z.object({
  format: z.literal('pdf2press-proof-decision'),
  formatVersion: z.literal(1),
  sessionId: idSchema,
  stepRunId: idSchema,
  proofId: idSchema,
  version: z.int(),
  fileName: z.string(),
  /** Of the file that was shown, which is the one that goes on. */
  proofSha256: z.string(),
  /** Of the file as it came. */
  originalSha256: z.string(),
  decision: z.enum([...proofDecisions, 'Expired']),
  policy: approvalPolicySchema,
  level: resultLevelSchema,
  /** Ids of the findings that were accepted. */
  acceptedFindingIds: z.array(idSchema),
  /** Every page in its order; null = it was decided on the file as a whole. */
  pages: z.array(pageDecisionSchema).nullable().default(null),
  reason: z.string(),
  comment: z.string(),
  name: z.string(),
  email: z.string(),
  title: z.string(),
  /** The name as it was typed a second time; absent = that was not asked for. */
  signature: z.string().exactOptional(),
  /** What the answer was called that was given, in the profile's own words; absent = as everywhere. */
  label: z.string().exactOptional(),
  checkboxes: z.array(z.object({ id: z.string(), text: z.string() })),
  /** The number of the record that this one replaces: whoever decided has changed their mind; absent = it replaces none. */
  replaces: z.int().exactOptional(),
  /** What the page said of the job, such as its quantity; absent = nothing. */
  details: z.array(z.object({ label: z.string(), value: z.string() })).exactOptional(),
  /** The words above the decision, and their SHA-256; null = there were none. */
  legalText: z.object({ text: z.string(), sha256: z.string() }).nullable(),
  /** Through which link, and to whom it was sent; null = it was decided in the app, or by the deadline. */
  link: z
    .object({
      recipientId: idSchema,
      no: z.int(),
      sentTo: z.string(),
      /** Whoever decided had entered a code that was mailed to this address; absent = none was asked for. */
      isCodeEntered: z.literal(true).exactOptional(),
    })
    .nullable(),
  /** Somebody of the house who decided for a recipient, and why. */
  onBehalf: z.object({ by: z.string(), reason: z.string() }).nullable(),
  ip: z.string(),
  userAgent: z.string(),
  locale: localeSchema,
  /** By the clock of the database; `timeZone` is that of whoever decided, as their browser names it. */
  at: timeSchema,
  timeZone: z.string(),
  /**
   * Those that stood when it was decided, in their order; null in records from before they were kept, and where there are
   * too many: see `notesBeside`.
   */
  notes: z.array(keptNoteSchema).nullable().default(null),
  /** Of more than `mostNotesInRecord` notes: how many there are, and the SHA-256 of their list as JSON. */
  notesBeside: z.object({ count: z.int(), sha256: z.string() }).exactOptional(),
  /**
   * How the decisions of several count, and whether this one is a gatekeeper's, who was asked before the others; null in
   * records from before it was kept.
   */
  asked: z
    .object({ mode: z.enum(proofModes), quorum: z.int(), isGatekeeper: z.boolean() })
    .nullable()
    .default(null),
});
export type ProofRecord = z.output<typeof proofRecordSchema>;

/** A stored record with its place in the subscriber's chain; its notes are in the certificate. Hashes are hexadecimal SHA-256. */
export const chainedRecordSchema = z.object({
  id: idSchema,
  no: z.int(),
  previousHash: z.string(),
  hash: z.string(),
  record: proofRecordSchema.omit({ notes: true }),
  /** How many notes stood when it was decided; null when they were not kept yet. */
  noteCount: z.int().nullable(),
});

/** What approving needs: nothing, that the listed findings are accepted, or it is not possible. */
export const approvalSchema = z.discriminatedUnion('need', [
  z.object({ need: z.literal('nothing') }),
  z.object({
    need: z.literal('acceptance'),
    /** How many findings are to be accepted, and what is sent back to accept just these. */
    count: z.int(),
    digest: z.string(),
  }),
  z.object({ need: z.literal('impossible') }),
]);
export type Approval = z.output<typeof approvalSchema>;

export const proofMessageSchema = z.object({
  id: idSchema,
  template: z.string(),
  state: z.enum(['waiting', 'sent', 'failed']),
  at: timeSchema,
  /** Of the mail server, when it failed. */
  error: z.string().nullable(),
});

export const proofRecipientSchema = z.object({
  id: idSchema,
  /** Place in the order of a `Sequence`, from 1. */
  no: z.int(),
  /** Asked before the others, who wait until every gatekeeper has approved. */
  isGatekeeper: z.boolean(),
  name: z.string(),
  email: z.string(),
  locale: localeSchema,
  state: z.enum(recipientStates),
  askedAt: timeSchema.nullable(),
  decidedAt: timeSchema.nullable(),
  firstViewedAt: timeSchema.nullable(),
  lastViewedAt: timeSchema.nullable(),
  viewCount: z.int(),
  /** Pages that were on the screen, from 1. */
  pagesSeen: z.array(z.int()),
  remindersSent: z.int(),
  /** When the newest message with the link was given up; why is at the message. */
  refusedAt: timeSchema.nullable(),
  /** `none`: not sent yet. */
  link: z.enum(['none', 'works', 'expired', 'revoked']),
  linkExpiresAt: timeSchema.nullable(),
  messages: z.array(proofMessageSchema),
});
export type ProofRecipient = z.output<typeof proofRecipientSchema>;

/** One version of a proof: what was asked, of whom, and what became of it. Links are never part of an answer. */
export const sessionProofSchema = z.object({
  id: idSchema,
  stepRunId: idSchema,
  stepName: z.string(),
  /** From 1; each run that comes to the step again makes the next. */
  version: z.int(),
  runNumber: z.int(),
  state: proofStateSchema,
  /** Somebody can still decide it: the step waits. */
  isWaiting: z.boolean(),
  fileName: z.string(),
  sha256: z.string(),
  profileName: z.string(),
  policy: approvalPolicySchema,
  level: resultLevelSchema,
  approval: approvalSchema,
  mode: z.enum(proofModes),
  quorum: z.int(),
  /** The profile names gatekeepers, but they stood for nobody: nobody is asked until the house adds one. */
  lacksGatekeeper: z.boolean(),
  pageLevel: z.enum(pageLevels),
  openedAt: timeSchema,
  dueAt: timeSchema.nullable(),
  onDeadline: z.enum(deadlineActions),
  closedAt: timeSchema.nullable(),
  recipients: z.array(proofRecipientSchema),
  records: z.array(chainedRecordSchema),
});
export type SessionProof = z.output<typeof sessionProofSchema>;

const proofParamsSchema = idParamsSchema.extend({ proofId: idSchema });
const recipientParamsSchema = proofParamsSchema.extend({ recipientId: idSchema });

/** What the house sees and does of a session's proofs. Each command answers the proof as it is then. */
export const proofRoutes = {
  list: route({
    method: 'GET',
    path: '/sessions/:id/proofs',
    access: may('proofs.view'),
    summary: 'Proofs of a session with their recipients and decisions, the newest first',
    params: idParamsSchema,
    result: z.array(sessionProofSchema),
  }),
  certificate: route({
    method: 'GET',
    path: '/sessions/:id/proofs/:proofId/certificate',
    access: may('proofs.view'),
    summary:
      'The signed certificate of the decisions in the reader’s language; made on the first request, downloadUrl is null until it is ready',
    params: proofParamsSchema,
    result: z.object({ name: z.string(), downloadUrl: z.string().nullable() }),
  }),
  certificateFile: route({
    method: 'GET',
    path: '/sessions/:id/proofs/:proofId/certificate.pdf',
    access: may('proofs.view'),
    summary: 'Download the certificate, once it is made',
    params: proofParamsSchema,
    wire: 'bytes',
  }),
  addRecipient: route({
    method: 'POST',
    path: '/sessions/:id/proofs/:proofId/recipients',
    access: may('proofs.links.manage'),
    summary: 'Ask one more person, by mail',
    params: proofParamsSchema,
    body: z.object({
      email: z.string().trim().max(254).pipe(z.email()),
      name: z.string().trim().max(200).default(''),
      locale: localeSchema.optional(),
      /** Asked at once; whoever was not asked yet waits until this person, too, has approved. */
      isGatekeeper: z.boolean().default(false),
    }),
    result: sessionProofSchema,
  }),
  resend: route({
    method: 'POST',
    path: '/sessions/:id/proofs/:proofId/recipients/:recipientId/resend',
    access: may('proofs.links.manage'),
    summary: 'Send a new link; the one before stops working',
    params: recipientParamsSchema,
    result: sessionProofSchema,
  }),
  revoke: route({
    method: 'POST',
    path: '/sessions/:id/proofs/:proofId/recipients/:recipientId/revoke',
    access: may('proofs.links.manage'),
    summary: 'Make a link stop working; who has not decided is no longer waited for',
    params: recipientParamsSchema,
    result: sessionProofSchema,
  }),
  extend: route({
    method: 'POST',
    path: '/sessions/:id/proofs/:proofId/extend',
    access: may('proofs.links.manage'),
    summary: 'Give more time: a new deadline, and links that work at least until then; a held proof is open again',
    params: proofParamsSchema,
    body: z.object({ hours: z.number().min(0.01).max(8760) }),
    result: sessionProofSchema,
  }),
  notes: route({
    method: 'GET',
    path: '/sessions/:id/proofs/:proofId/notes',
    access: may('proofs.view'),
    summary: 'What recipients wrote about the proof, with the answers, page by page of the list',
    params: proofParamsSchema,
    query: notesQuerySchema,
    result: notesPageSchema,
  }),
  notesTable: route({
    method: 'GET',
    path: '/sessions/:id/proofs/:proofId/notes.csv',
    access: may('proofs.view'),
    summary: 'The notes and their answers as a table, a line each',
    params: proofParamsSchema,
    wire: 'bytes',
  }),
  notesCopy: route({
    method: 'GET',
    path: '/sessions/:id/proofs/:proofId/notes-copy',
    access: may('proofs.view'),
    summary:
      'The proved file with the notes as annotations; made on the first request after a change, downloadUrl is null until it is ready',
    params: proofParamsSchema,
    result: z.object({ name: z.string(), downloadUrl: z.string().nullable() }),
  }),
  notesCopyFile: route({
    method: 'GET',
    path: '/sessions/:id/proofs/:proofId/notes.pdf',
    access: may('proofs.view'),
    summary: 'Download the proved file with the notes, once it is made',
    params: proofParamsSchema,
    wire: 'bytes',
  }),
  answerNote: route({
    method: 'POST',
    path: '/sessions/:id/proofs/:proofId/notes',
    access: may('proofs.comments.manage'),
    summary: 'Answer a note, or reply to an answer; whoever was asked reads it on the proof',
    params: proofParamsSchema,
    body: noteAnswerSchema,
    result: writtenNoteSchema,
  }),
  privateNotes: route({
    method: 'GET',
    path: '/sessions/:id/proofs/:proofId/private-notes',
    access: may('proofs.comments.manage'),
    summary: 'What the house wrote about the proof for itself, oldest first; no recipient, file or message has it',
    params: proofParamsSchema,
    result: z.array(privateNoteSchema),
  }),
  addPrivateNote: route({
    method: 'POST',
    path: '/sessions/:id/proofs/:proofId/private-notes',
    access: may('proofs.comments.manage'),
    summary:
      'Write a private note about the proof, or about a note on it; a repetition with the same key changes nothing',
    params: proofParamsSchema,
    body: newPrivateNoteSchema,
    result: z.object({ id: idSchema }),
  }),
  removePrivateNote: route({
    method: 'POST',
    path: '/sessions/:id/proofs/:proofId/private-notes/:noteId/removal',
    access: may('proofs.comments.manage'),
    summary: 'Remove an own private note',
    params: proofParamsSchema.extend({ noteId: idSchema }),
    result: z.object({}),
  }),
  addNoteFile: route({
    method: 'POST',
    path: '/sessions/:id/proofs/:proofId/notes/:noteId/files',
    access: may('proofs.comments.manage'),
    summary:
      'Attach a PDF or a picture to an answer of the house: multipart field file. The same file again changes nothing',
    params: proofParamsSchema.extend({ noteId: idSchema }),
    result: z.object({}),
  }),
  noteFile: route({
    method: 'GET',
    path: '/sessions/:id/proofs/:proofId/notes/:noteId/files/:fileId',
    access: may('proofs.view'),
    summary: 'Download a file that is attached to a note',
    params: proofParamsSchema.extend({ noteId: idSchema, fileId: idSchema }),
    wire: 'bytes',
  }),
  markNote: route({
    method: 'PUT',
    path: '/sessions/:id/proofs/:proofId/notes/:noteId/to-do',
    access: may('proofs.comments.manage'),
    summary: 'Take a note on as something to do, or not; whoever was asked sees that on the proof',
    params: proofParamsSchema.extend({ noteId: idSchema }),
    body: z.object({ isToDo: z.boolean() }),
    result: z.object({}),
  }),
  resolveNote: route({
    method: 'PUT',
    path: '/sessions/:id/proofs/:proofId/notes/:noteId/resolved',
    access: may('proofs.comments.manage'),
    summary: 'Tick a note off, or open it again',
    params: proofParamsSchema.extend({ noteId: idSchema }),
    body: z.object({ isResolved: z.boolean() }),
    result: z.object({}),
  }),
  decide: route({
    method: 'POST',
    path: '/sessions/:id/proofs/:proofId/decision',
    access: may('proofs.decideOnBehalf'),
    summary: 'Decide on behalf of a recipient, or for all of them; the policy holds here as well',
    params: proofParamsSchema,
    body: z.object({
      decision: proofDecisionSchema,
      /** Absent = the decision of the house, which ends the proof. */
      recipientId: idSchema.optional(),
      /** Why not the recipient. */
      reason: z.string().trim().min(1).max(2000),
      /** The `digest` of the findings that are accepted. */
      accepts: z.string().max(100).optional(),
    }),
    result: sessionProofSchema,
  }),
};
