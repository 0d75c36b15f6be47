import { z } from 'zod';
import { resultLevelSchema, severitySchema } from './enumerations.ts';
import { boxSchema } from './findings.ts';
import { pageBindingSchema } from './inspection.ts';
import { localeSchema } from './locale-schema.ts';
import type { Locale } from './locales.ts';
import { publicOrganizationSchema } from './organizations.ts';
import { idSchema, timeSchema } from './paging.ts';
import {
  newNoteSchema,
  notePlacesQuerySchema,
  notePlacesSchema,
  notesPageSchema,
  notesQuerySchema,
  writtenNoteSchema,
} from './proof-notes.ts';
import { decisionLabel, downloadKinds, type ProofProfile, pageLevels, profileWords } from './proof-profile.ts';
import { type Approval, approvalSchema, pageDecisionSchema, proofDecisionSchema, recipientStates } from './proofs.ts';
import { publicAccess, route } from './route.ts';
import { findingStateSchema, sessionPageSchema } from './sessions.ts';

/*
 * What a recipient of a proof sees and does, without an account. The second segment of every path is the recipient's own
 * secret. A link that is wrong, revoked or another's is answered as one that never existed.
 */

const houseSchema = z.object({
  title: z.string(),
  organization: publicOrganizationSchema.nullable(),
});

/** What is asked of whoever decides. Statements and legal text are in the reader's language. */
const decisionFormSchema = z.object({
  approval: approvalSchema,
  /** `page`: each page is decided on; all of them are sent with the decision. */
  pageLevel: z.enum(pageLevels),
  isReasonRequired: z.boolean(),
  reasons: z.array(z.string()),
  commentMinLength: z.int(),
  isNameRequired: z.boolean(),
  isEmailRequired: z.boolean(),
  isTitleRequired: z.boolean(),
  isSignatureRequired: z.boolean(),
  /** What the answers are called; null = as everywhere. */
  labels: z.object({ Approved: z.string().nullable(), Declined: z.string().nullable() }),
  checkboxes: z.array(z.object({ id: z.string(), text: z.string() })),
  legalText: z.string().nullable(),
});

/** What a profile asks of whoever decides, in a language. */
export function decisionFormOf(
  settings: ProofProfile,
  approval: Approval,
  locale: Locale,
): z.output<typeof decisionFormSchema> {
  const { pageLevel, isReasonRequired, reasons, commentMinLength } = settings;
  const { isNameRequired, isEmailRequired, isTitleRequired, isSignatureRequired } = settings;
  return {
    approval,
    pageLevel,
    isReasonRequired,
    reasons,
    commentMinLength,
    // A signature is compared with the name.
    isNameRequired: isNameRequired || isSignatureRequired,
    isEmailRequired,
    isTitleRequired,
    isSignatureRequired: isSignatureRequired ?? false,
    labels: {
      Approved: decisionLabel(settings, 'Approved', locale),
      Declined: decisionLabel(settings, 'Declined', locale),
    },
    checkboxes: settings.checkboxes.map(({ id, text }) => ({ id, text: profileWords(text, locale) })),
    legalText: profileWords(settings.legalText, locale) || null,
  };
}

/** What was decided; of others no more than their name. */
const decidedSchema = z.object({
  decision: z.enum(['Approved', 'Declined', 'Expired']),
  /** What the answer was called that was given; null = as everywhere. */
  label: z.string().nullable(),
  by: z.string(),
  at: timeSchema,
  /** Where it was decided page by page. */
  declinedPages: z.array(z.int()),
});

/**
 * `open`: the reader may decide. `answered`: the reader has decided, others are still asked. `decided`: it is over, and
 * readable for a while.
 */
const shownSchema = z.object({
  state: z.enum(['open', 'answered', 'decided']),
  house: houseSchema,
  fileName: z.string(),
  /** The SHA-256 of the file that is shown; sent back with the decision. */
  sha256: z.string(),
  version: z.int(),
  /** The version before, to compare with; null for the first one, and where its file is gone. */
  previousVersion: z.int().nullable(),
  /**
   * The file has sheets that pages were laid out on; the version `pages` shows those, and the findings are about them or, where the
   * sheets were checked, about the sheets. Null: the file has the pages themselves. Whether they may be seen says `shows.pages`.
   */
  sheets: z.object({ areFindingsOnPages: z.boolean() }).nullable(),
  pageCount: z.int().nullable(),
  verdict: z.object({ level: resultLevelSchema, isChecked: z.boolean(), sentence: z.string() }),
  counts: z.object({ Fail: z.int(), Warn: z.int(), Info: z.int() }),
  shows: z.object({
    findings: z.boolean(),
    fixes: z.boolean(),
    original: z.boolean(),
    pages: z.boolean(),
    boxes: z.boolean(),
    /** Points inside the trim; 0 = none is shown. */
    safetyMargin: z.number(),
    size: z.boolean(),
    separations: z.boolean(),
    /** Percent; with which the map of ink coverage begins. */
    inkLimit: z.int(),
    download: z.enum(downloadKinds),
    notes: z.boolean(),
  }),
  /** What the house says of the job, such as its quantity; the label may be empty. */
  details: z.array(z.object({ label: z.string(), value: z.string() })),
  /** The reader; the address is masked. */
  reader: z.object({ name: z.string(), email: z.string(), locale: localeSchema }),
  /** Everybody who is asked, in their order. */
  recipients: z.array(
    z.object({ name: z.string(), isReader: z.boolean(), state: z.enum(recipientStates), at: timeSchema.nullable() }),
  ),
  openedAt: timeSchema,
  dueAt: timeSchema.nullable(),
  /** A corrected file may be sent, which comes back as the next version. */
  canReplaceFile: z.boolean(),
  /** Notes may be written and taken back. */
  canNote: z.boolean(),
  /** Notes may mark places. */
  canMark: z.boolean(),
  /**
   * What a decision needs; with `answered`, and with `decided` after a decline that the house has to deal with, what a change of
   * the answer needs. Null when the reader may decide no more.
   */
  form: decisionFormSchema.nullable(),
  /** Another gatekeeper who is deciding, which the reader has to wait for; null = nobody. */
  deciding: z.object({ by: z.string(), until: timeSchema }).nullable(),
  /** The reader has to tell before deciding: there are others of the same gate. */
  sharesGate: z.boolean(),
  /** The reader's own decision. */
  mine: decidedSchema.nullable(),
  /** What ended the proof. */
  decided: decidedSchema.nullable(),
});

/** A proof that the link leads to and that is not to be seen any more. The sentence is in the reader's language. */
const unavailableSchema = z.object({
  state: z.enum(['expired', 'superseded', 'closed', 'deleted']),
  house: houseSchema,
  sentence: z.string(),
});

/** A proof that is shown to whoever enters the code, which is mailed on request. */
const guardedSchema = z.object({
  state: z.literal('guarded'),
  house: houseSchema,
  /** Where the code is sent; masked. */
  email: z.string(),
});

/** A link that was good for one decision, which was made: of the proof nothing else is shown. */
const usedSchema = z.object({
  state: z.literal('used'),
  house: houseSchema,
  fileName: z.string(),
  decided: decidedSchema,
});

export const clientProofSchema = z.discriminatedUnion('state', [
  shownSchema,
  unavailableSchema,
  guardedSchema,
  usedSchema,
]);
export type ClientProof = z.output<typeof clientProofSchema>;
export type ShownProof = z.output<typeof shownSchema>;

export const clientFindingSchema = z.object({
  id: idSchema,
  severity: severitySchema,
  /** Compared with the version before; `fixed` ones were in that version only. Null in the first version. */
  state: findingStateSchema.nullable(),
  /** From 1; null for the whole file. */
  page: z.int().nullable(),
  pages: z.array(z.int()),
  /** Points, in the page's unrotated space. */
  boxes: z.array(boxSchema),
  sentence: z.string(),
  count: z.int(),
  /** How to mend it: a key of `packages/preflight/src/remedies`; null where it is not the customer's to mend. */
  remedy: z.string().nullable(),
  /** Among those that are accepted with an approval. */
  isToAccept: z.boolean(),
});
export type ClientFinding = z.output<typeof clientFindingSchema>;

export const clientFixSchema = z.object({
  label: z.string(),
  changes: z.array(
    z.object({ page: z.int().nullable(), sentence: z.string(), count: z.int(), box: boxSchema.nullable() }),
  ),
});

export type ClientFix = z.output<typeof clientFixSchema>;

/** The session's public id, and the secret of the recipient's link. */
const linkParamsSchema = z.object({
  sessionId: z.string().max(200),
  proofStepId: z.string().max(200),
});
/**
 * `original`: the file as it came; `production`: the one to be printed, which is decided on; `previous`: the one that the
 * version before was about; `pages`: the one whose pages were laid out on the sheets of `production`.
 */
const versionSchema = z.enum(['original', 'production', 'previous', 'pages']);
const at = '/client-proofing/:sessionId/:proofStepId';
const hashSchema = z.string().max(64);

/** What became of the receipt that was asked for on the page without scripts. */
const plainReceiptSchema = z.enum(['underway', 'notPossible']);

export const clientProofRoutes = {
  get: route({
    method: 'GET',
    path: at,
    access: publicAccess,
    summary: 'The proof that a link leads to; changes nothing',
    params: linkParamsSchema,
    result: clientProofSchema,
  }),
  sendCode: route({
    method: 'POST',
    path: `${at}/codes`,
    access: publicAccess,
    summary: 'Have a code mailed to the recipient of a link that asks for one; the one before stops working',
    params: linkParamsSchema,
    result: z.object({}),
    rateLimit: { max: 20, windowSeconds: 3600 },
  }),
  enterCode: route({
    method: 'POST',
    path: `${at}/guard`,
    access: publicAccess,
    summary:
      'Enter the code that was mailed: this browser is shown the proof for some hours, by a cookie for this link alone',
    params: linkParamsSchema,
    body: z.object({ code: z.string().trim().max(20) }),
    result: clientProofSchema,
    rateLimit: { max: 30, windowSeconds: 600 },
  }),
  findings: route({
    method: 'GET',
    path: `${at}/findings`,
    access: publicAccess,
    summary:
      'Findings of a proof in the reader’s language, the worst first, and last those that are fixed since the version before',
    params: linkParamsSchema,
    result: z.array(clientFindingSchema),
  }),
  fixes: route({
    method: 'GET',
    path: `${at}/fixes`,
    access: publicAccess,
    summary: 'What was corrected in the file, in sentences',
    params: linkParamsSchema,
    result: z.array(clientFixSchema),
  }),
  pages: route({
    method: 'GET',
    path: `${at}/pages`,
    access: publicAccess,
    summary: 'Pages of the proof: sizes, boxes, inks and raster levels',
    params: linkParamsSchema,
    query: z.object({ version: versionSchema.default('production') }),
    result: z.object({
      version: versionSchema,
      sha256: z.string(),
      binding: pageBindingSchema,
      pages: z.array(sessionPageSchema),
    }),
  }),
  tile: route({
    method: 'GET',
    path: `${at}/pages/:page/:version/:layer/:dpi/:tile`,
    access: publicAccess,
    summary:
      'One tile of a page’s raster; `layer` is rgb, art (without lines for finishing), or ink-<n> where separations are shown',
    params: linkParamsSchema.extend({
      page: z.coerce.number().int().min(1),
      version: versionSchema,
      layer: z.string().regex(/^(rgb|art|ink-\d{1,3})$/),
      dpi: z.coerce.number().int().min(1).max(2400),
      tile: z.string().regex(/^\d{1,4}_\d{1,4}\.webp$/),
    }),
    query: z.object({ v: hashSchema.optional() }),
    wire: 'bytes',
  }),
  thumbnail: route({
    method: 'GET',
    path: `${at}/thumbnails/:page`,
    access: publicAccess,
    summary: 'Thumbnail of a page of the proof',
    params: linkParamsSchema.extend({ page: z.coerce.number().int().min(1) }),
    query: z.object({ version: versionSchema.default('production'), v: hashSchema.optional() }),
    wire: 'bytes',
  }),
  file: route({
    method: 'GET',
    path: `${at}/file`,
    access: publicAccess,
    summary: 'The file to be printed, where recipients may load it',
    params: linkParamsSchema,
    wire: 'bytes',
  }),
  pictureCopy: route({
    method: 'POST',
    path: `${at}/picture-copy`,
    access: publicAccess,
    summary:
      'Have a copy of the file made whose pages are pictures of low resolution, where recipients may load it; downloadUrl is null until it is ready',
    params: linkParamsSchema,
    result: z.object({ name: z.string(), downloadUrl: z.string().nullable() }),
    rateLimit: { max: 120, windowSeconds: 60 },
  }),
  pictureCopyFile: route({
    method: 'GET',
    path: `${at}/picture-copy.pdf`,
    access: publicAccess,
    summary: 'The copy of low resolution, once it is made',
    params: linkParamsSchema,
    wire: 'bytes',
  }),
  certificate: route({
    method: 'POST',
    path: `${at}/certificate`,
    access: publicAccess,
    summary: 'Have the signed certificate of the decisions made; downloadUrl is null until it is ready',
    params: linkParamsSchema,
    result: z.object({ name: z.string(), downloadUrl: z.string().nullable() }),
    rateLimit: { max: 120, windowSeconds: 60 },
  }),
  certificateFile: route({
    method: 'GET',
    path: `${at}/certificate.pdf`,
    access: publicAccess,
    summary: 'Download the certificate, once it is made',
    params: linkParamsSchema,
    wire: 'bytes',
  }),
  plain: route({
    method: 'GET',
    path: `${at}/plain`,
    access: publicAccess,
    summary:
      'The proof as a page of HTML without scripts: what is asked or was decided, where to write to, the receipt; changes nothing',
    params: linkParamsSchema,
    query: z.object({ receipt: plainReceiptSchema.optional().catch(undefined) }),
    wire: 'bytes',
  }),
  askForReceipt: route({
    method: 'POST',
    path: `${at}/plain`,
    access: publicAccess,
    summary: 'Have the signed certificate of the decisions made by a form of that page, and go back to it',
    params: linkParamsSchema,
    status: 303,
    wire: 'bytes',
    rateLimit: { max: 120, windowSeconds: 60 },
  }),
  look: route({
    method: 'POST',
    path: `${at}/looks`,
    access: publicAccess,
    summary: 'Tell that the reader looks at the proof, and which pages were on the screen',
    params: linkParamsSchema,
    body: z.object({
      /** The first call of a visit; it is counted. */
      isNew: z.boolean().default(false),
      pages: z.array(z.int().min(1).max(100_000)).max(1000).default([]),
    }),
    result: z.object({}),
    rateLimit: { max: 300, windowSeconds: 60 },
  }),
  notes: route({
    method: 'GET',
    path: `${at}/notes`,
    access: publicAccess,
    summary: 'What was written about the proof, with the answers, page by page of the list',
    params: linkParamsSchema,
    query: notesQuerySchema,
    result: notesPageSchema,
  }),
  notePlaces: route({
    method: 'GET',
    path: `${at}/note-places`,
    access: publicAccess,
    summary: 'How many notes each page has, and where those on the pages that are looked at stand',
    params: linkParamsSchema,
    query: notePlacesQuerySchema,
    result: notePlacesSchema,
  }),
  addNote: route({
    method: 'POST',
    path: `${at}/notes`,
    access: publicAccess,
    summary:
      'Write a note on a place of the proof, answer one, or reply to an answer; a repetition with the same key changes nothing',
    params: linkParamsSchema,
    body: newNoteSchema,
    result: writtenNoteSchema,
    rateLimit: { max: 60, windowSeconds: 60 },
  }),
  removeNote: route({
    method: 'POST',
    path: `${at}/notes/:noteId/removal`,
    access: publicAccess,
    summary: 'Take back what the reader wrote',
    params: linkParamsSchema.extend({ noteId: idSchema }),
    result: z.object({}),
    rateLimit: { max: 60, windowSeconds: 60 },
  }),
  addNoteFile: route({
    method: 'POST',
    path: `${at}/notes/:noteId/files`,
    access: publicAccess,
    summary:
      'Attach a PDF or a picture to a note of the reader: multipart field file. The same file again changes nothing',
    params: linkParamsSchema.extend({ noteId: idSchema }),
    result: z.object({}),
    rateLimit: { max: 60, windowSeconds: 3600 },
  }),
  noteFile: route({
    method: 'GET',
    path: `${at}/notes/:noteId/files/:fileId`,
    access: publicAccess,
    summary: 'Download a file that is attached to a note',
    params: linkParamsSchema.extend({ noteId: idSchema, fileId: idSchema }),
    wire: 'bytes',
  }),
  deciding: route({
    method: 'POST',
    path: `${at}/deciding`,
    access: publicAccess,
    summary:
      'Tell that the reader, a gatekeeper, is about to decide, so that the others of the gate cannot at the same moment; it ends by itself after some minutes, or with isDeciding false',
    params: linkParamsSchema,
    body: z.object({ isDeciding: z.boolean() }),
    result: z.object({}),
    rateLimit: { max: 60, windowSeconds: 60 },
  }),
  decide: route({
    method: 'POST',
    path: `${at}/decision`,
    access: publicAccess,
    summary:
      'Approve or decline, or change the own answer while others are still asked; a repetition with the same key changes nothing and answers the same',
    params: linkParamsSchema,
    body: z.object({
      /** Made by the client for one click and its repetitions. */
      key: z.string().min(8).max(100),
      /** Where each page is decided on: `Declined` when one of them is. */
      decision: proofDecisionSchema,
      /** Each page once, where the proof asks for that. */
      pages: z.array(pageDecisionSchema).max(20_000).optional(),
      /** The file that the reader saw; refused when it is another by now. */
      sha256: hashSchema,
      /** The `digest` of the findings that are accepted. */
      accepts: z.string().max(100).optional(),
      reason: z.string().trim().max(200).default(''),
      comment: z.string().trim().max(5000).default(''),
      name: z.string().trim().max(200).default(''),
      email: z.union([z.literal(''), z.string().trim().max(254).pipe(z.email())]).default(''),
      title: z.string().trim().max(200).default(''),
      /** The name as it was typed a second time. */
      signature: z.string().trim().max(200).default(''),
      /** Ids of the statements that were ticked. */
      checkboxes: z.array(z.string().max(60)).max(10).default([]),
      timeZone: z.string().max(60).default(''),
      /** The reader knows of the own answer and gives another; without it, a second answer is refused. */
      isChange: z.boolean().default(false),
    }),
    result: clientProofSchema,
    rateLimit: { max: 30, windowSeconds: 60 },
  }),
  replaceFile: route({
    method: 'POST',
    path: `${at}/file`,
    access: publicAccess,
    summary:
      'Send a corrected file: multipart field file. The workflow runs again, and the proof comes back as the next version',
    params: linkParamsSchema,
    result: z.object({}),
    rateLimit: { max: 20, windowSeconds: 3600 },
  }),
};
