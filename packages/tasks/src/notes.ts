import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ProofNote, proofNoteSchema } from '@pdf2press/contract';
import { annotateFile, openPdf, type PageNote } from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface NotesParams extends PdfInput {
  /** Absolute path of the notes on a proof, one as JSON on each line. */
  notesPath: string;
}

export interface NotesResult {
  /** File name in the work directory. */
  name: string;
}

/** Violet, like the marks of notes in the app: findings are red, amber and blue. */
const colour = [0.486, 0.227, 0.929] as const;

/** Words, and the names of the files that are attached to them. */
const wordsOf = ({ text, files }: Pick<ProofNote, 'text' | 'files'>): string =>
  [text, ...files.map(({ name }) => `[${name}]`)].join('\n');

/** A note with its answers, each with its author, as the text of an annotation. */
const textOf = ({ answers, ...note }: ProofNote): string =>
  [wordsOf(note), ...answers.map((answer) => `${answer.by}: ${wordsOf(answer)}`)].join('\n\n');

const annotationOf = (note: ProofNote): PageNote => ({
  page: note.page ?? 1,
  box: note.box,
  ...(note.mark !== 'place' && { mark: note.mark, path: note.path }),
  colour: [...colour],
  title: `${note.no} · ${note.by}`,
  text: textOf(note),
});

/** Writes a copy of a file with the notes on it as annotations; those on the whole file stand on the first page. */
export const run: Task<NotesParams, NotesResult> = async ({ notesPath, ...input }, { workDir }) => {
  const notes: PageNote[] = [];
  for await (const line of createInterface({ input: createReadStream(notesPath), crlfDelay: Number.POSITIVE_INFINITY }))
    notes.push(annotationOf(proofNoteSchema.parse(JSON.parse(line))));
  const name = 'notes.pdf';
  annotateFile(openPdf(input), join(workDir, name), notes);
  return { name };
};
