import { z } from 'zod';
import { boxSchema } from './findings.ts';
import { idSchema, timeSchema } from './paging.ts';

/** So many notes are kept of one proof; a printed list of them is as long as a book by then. */
export const mostNotes = 500;

const said = {
  id: idSchema,
  text: z.string(),
  by: z.string(),
  /** Written by somebody of the print shop. */
  isHouse: z.boolean(),
  /** Written through the reader's own link; these may be taken back. */
  isMine: z.boolean(),
  at: timeSchema,
};

/** What somebody wrote about a place on a proof, with the answers to it. */
export const proofNoteSchema = z.object({
  ...said,
  /** From 1, in the order in which they were written. */
  no: z.int(),
  /** From 1; null = the whole file. */
  page: z.int().nullable(),
  /** Points, in the page's unrotated space; a point has no width and no height. Null = the whole page. */
  box: boxSchema.nullable(),
  resolvedAt: timeSchema.nullable(),
  answers: z.array(z.object(said)),
});
export type ProofNote = z.output<typeof proofNoteSchema>;

const writingSchema = z.object({
  /** Made by the client for one click and its repetitions. */
  key: z.string().min(8).max(100),
  text: z.string().trim().min(1).max(2000),
  /** The note that this one answers. */
  answersId: idSchema.optional(),
});

/** An answer, as it is sent. */
export const noteAnswerSchema = writingSchema.required({ answersId: true });

/** A note or an answer, as it is sent. */
export const newNoteSchema = writingSchema.extend({
  page: z.int().min(1).max(100_000).nullable().default(null),
  box: boxSchema.nullable().default(null),
});
