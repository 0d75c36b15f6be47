import { z } from 'zod';
import { type Box, boxSchema } from './findings.ts';
import { countedSchema, idSchema, listOf, pageOf, pagingSchema, timeSchema } from './paging.ts';

/** So many notes and answers are kept of one proof. */
export const mostNotes = 10_000;
/** So many answers are kept to one note, which comes with all of them. */
export const mostNoteAnswers = 50;
/** So many private notes of the house are kept of one proof, of which all are read at once; to one note, as many as answers. */
export const mostPrivateNotes = 500;
/** So many notes are drawn at once: the open ones first, of these the newest. */
export const mostDrawnNotes = 300;
/** A record of a decision carries so many notes itself; of more, it names the hash, and the list stands beside it. */
export const mostNotesInRecord = 500;

/**
 * How a note marks its place. `place`: a point or a box. `arrow`: from its first point to its second. `pen`: a line drawn by
 * hand. `strike`: what is in the box is to go. `insert`: something is to be put in at the point.
 */
export const noteMarks = ['place', 'arrow', 'pen', 'strike', 'insert'] as const;
export const noteMarkSchema = z.enum(noteMarks);
export type NoteMark = (typeof noteMarks)[number];

/** So many points of a line are kept. */
export const mostNotePoints = 400;

/** How many points the path of a mark has. Other marks have none. */
const pathPoints: Partial<Record<NoteMark, { least: number; most: number }>> = {
  arrow: { least: 2, most: 2 },
  pen: { least: 2, most: mostNotePoints },
};

/** The box around a path of x and y in turn. */
export function boundsOfPath(path: readonly number[]): Box {
  const across = path.filter((_, at) => at % 2 === 0);
  const up = path.filter((_, at) => at % 2 === 1);
  return [Math.min(...across), Math.min(...up), Math.max(...across), Math.max(...up)];
}

/** A file that is attached to a note. */
export const noteFileSchema = z.object({
  id: idSchema,
  name: z.string(),
  mediaType: z.string(),
  /** Bytes. */
  size: z.int(),
  sha256: z.string(),
});
export type NoteFile = z.output<typeof noteFileSchema>;

const said = {
  id: idSchema,
  text: z.string(),
  by: z.string(),
  /** Written by somebody of the print shop. */
  isHouse: z.boolean(),
  /** Written through the reader's own link; these may be taken back. */
  isMine: z.boolean(),
  at: timeSchema,
  files: z.array(noteFileSchema),
};
const answered = {
  ...said,
  /** The answer that this one replies to; null = the note itself. One that was taken back is not in the list any more. */
  repliesToId: idSchema.nullable(),
};
/** Those in records from before files could be attached have none. */
const keptFilesSchema = z.array(noteFileSchema).default([]);

/** What somebody wrote about a place on a proof, with the answers to it. */
export const proofNoteSchema = z.object({
  ...said,
  /** From 1, in the order in which they were written. */
  no: z.int(),
  /** From 1; null = the whole file. */
  page: z.int().nullable(),
  /** Points, in the page's unrotated space; a point has no width and no height. Null = the whole page. */
  box: boxSchema.nullable(),
  mark: noteMarkSchema,
  /** Of arrows and lines: x and y in turn, in the same space; `box` is around them. */
  path: z.array(z.number()),
  /** The house has taken it on. It stays so when it is ticked off. */
  isToDo: z.boolean(),
  resolvedAt: timeSchema.nullable(),
  answers: z.array(z.object(answered)),
});
export type ProofNote = z.output<typeof proofNoteSchema>;

/** A page of the notes on a proof, in the order in which they were written. */
export const notesQuerySchema = pagingSchema.pick({ page: true, pageSize: true });
export const notesPageSchema = pageOf(proofNoteSchema);
export type NotesPage = z.output<typeof notesPageSchema>;

/** What is asked of the places of notes: the pages that are looked at, at most two of them. */
export const notePlacesQuerySchema = z.object({ on: listOf(countedSchema) });

/** Where a note stands on a page, as it is drawn there. */
export const notePlaceSchema = proofNoteSchema.pick({ id: true, no: true, page: true, mark: true, path: true }).extend({
  box: boxSchema,
  isToDo: z.boolean(),
  isDone: z.boolean(),
  /** In the list of all notes, from 0. */
  place: z.int(),
});
export type DrawnNote = z.output<typeof notePlaceSchema>;

/** How many notes there are on each page, and where those of the pages that are looked at stand. */
export const notePlacesSchema = z.object({
  total: z.int(),
  /** Pages with notes. */
  pages: z.array(z.object({ page: z.int(), count: z.int() })),
  /** At most `mostDrawnNotes`. */
  places: z.array(notePlaceSchema),
  /** How many of the pages that are looked at are left out of `places`. */
  undrawn: z.int(),
});
export type NotePlaces = z.output<typeof notePlacesSchema>;

/** What was written, and the place of the note, or of the one that is answered, in the list of all, from 0. */
export const writtenNoteSchema = z.object({ id: idSchema, place: z.int() });
export type WrittenNote = z.output<typeof writtenNoteSchema>;

/** A note as it stood when the proof was decided on, with its answers; part of the record of that decision. */
export const keptNoteSchema = proofNoteSchema.omit({ isMine: true }).extend({
  /** Those in records from before there was a choice were none. */
  isToDo: z.boolean().default(false),
  files: keptFilesSchema,
  answers: z.array(
    z
      .object(answered)
      .omit({ isMine: true })
      .extend({
        files: keptFilesSchema,
        /** Those in records from before there were replies are answers to the note. */
        repliesToId: idSchema.nullable().default(null),
      }),
  ),
});
export type KeptNote = z.output<typeof keptNoteSchema>;

const writingSchema = z.object({
  /** Made by the client for one click and its repetitions. */
  key: z.string().min(8).max(100),
  text: z.string().trim().min(1).max(2000),
  /** The note that this one answers, or an answer to a note, to which it replies. */
  answersId: idSchema.optional(),
});

/** An answer, as it is sent. */
export const noteAnswerSchema = writingSchema.required({ answersId: true });

/** What somebody of the house wrote about a proof for the house alone. No recipient, file or message has it. */
export const privateNoteSchema = z.object({
  id: idSchema,
  /** The recipients' note that it is about; null = the proof, and where that note was taken back. */
  noteId: idSchema.nullable(),
  text: z.string(),
  by: z.string(),
  /** Only its author removes it. */
  isMine: z.boolean(),
  at: timeSchema,
});
export type PrivateNote = z.output<typeof privateNoteSchema>;

export const newPrivateNoteSchema = writingSchema
  .omit({ answersId: true })
  .extend({ noteId: idSchema.nullable().default(null) });

/** A note or an answer, as it is sent. A path stands on a page, and has as many points as its mark needs; it has no box. */
export const newNoteSchema = writingSchema
  .extend({
    page: z.int().min(1).max(100_000).nullable().default(null),
    box: boxSchema.nullable().default(null),
    mark: noteMarkSchema.default('place'),
    path: z
      .array(z.number())
      .max(2 * mostNotePoints)
      .default([]),
  })
  .refine(
    ({ mark, path, box, page }) => {
      const { least, most } = pathPoints[mark] ?? { least: 0, most: 0 };
      const isWhole = path.length % 2 === 0 && path.length >= 2 * least && path.length <= 2 * most;
      return isWhole && (mark === 'place' || (page !== null && (least > 0 || box !== null)));
    },
    { path: ['path'], params: { code: 'value.invalid' } },
  );
