import { type ProofNote, problem, type RouteResult, type routes } from '@pdf2press/contract';
import { askForNotesCopy, demandHere, findNotesCopy } from '@pdf2press/engine';
import type { SubscriberContext } from '@pdf2press/prisma';
import type { FastifyReply } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { cell } from '../frame/csv.ts';
import { found } from '../frame/rows.ts';
import { sendPdf } from '../sessions/download.ts';

interface Wanted {
  context: SubscriberContext;
  proofId: string;
}

type Cells = readonly (string | number | boolean | null)[];

const columns = [
  'no',
  'answer',
  'page',
  'mark',
  'left',
  'bottom',
  'right',
  'top',
  'by',
  'house',
  'at',
  'toDo',
  'done',
  'text',
  'files',
];

const namesOf = ({ files }: Pick<ProofNote, 'files'>): string => files.map(({ name }) => name).join('; ');

/** A line for the note, and one for each answer to it; places are points of the page. */
const linesOf = ({ no, page, mark, box, isToDo, resolvedAt, answers, ...note }: ProofNote): Cells[] => [
  [
    no,
    null,
    page,
    box && mark,
    ...(box ?? [null, null, null, null]),
    note.by,
    note.isHouse,
    note.at,
    isToDo,
    resolvedAt,
    note.text,
    namesOf(note),
  ],
  ...answers.map((answer, place): Cells => {
    const { by, isHouse, at, text } = answer;
    return [no, place + 1, null, null, null, null, null, null, by, isHouse, at, null, null, text, namesOf(answer)];
  }),
];

const csvOf = (lines: readonly Cells[]): string => lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');

/** The notes of a proof as CSV, some at a time; the byte order mark makes spreadsheets read it as UTF-8. */
export async function* notesCsv(notes: AsyncIterable<readonly ProofNote[]>): AsyncGenerator<string> {
  yield `\ufeff${csvOf([columns])}`;
  for await (const some of notes) yield csvOf(some.flatMap(linesOf));
}

/**
 * Where the copy of the file with the notes lies; one that does not exist yet is made by a worker, and the client asks
 * again.
 * @param address of its bytes
 * @throws ProblemError `resource.notFound` without a note, `proof.notesCopyNotPossible`
 */
export async function readNotesCopy(
  deps: ApiDeps,
  { context, proofId }: Wanted,
  address: string,
): Promise<RouteResult<typeof routes.proofs.notesCopy>> {
  const made = await deps.db.withSubscriber(context, (tx) => findNotesCopy(tx, proofId));
  if (made) return { name: made.name, downloadUrl: address };
  const { state } = await askForNotesCopy(deps.engine, context, proofId);
  if (state === 'dead') throw problem('proof.notesCopyNotPossible');
  return { name: '', downloadUrl: null };
}

/** Sends the copy. @throws ProblemError `resource.notFound` for one that was not made */
export async function sendNotesCopy(deps: ApiDeps, { context, proofId }: Wanted, reply: FastifyReply) {
  const file = await deps.db.withSubscriber(context, async (tx) => {
    const row = found(await findNotesCopy(tx, proofId));
    await demandHere(tx, row.sha256);
    return row;
  });
  return sendPdf(deps, reply, context, file);
}
