import { createHash } from 'node:crypto';
import {
  type Box,
  boundsOfPath,
  type DrawnNote,
  type KeptNote,
  mostDrawnNotes,
  mostNoteAnswers,
  mostNotes,
  mostNotesInRecord,
  type NoteMark,
  type NotePlaces,
  type NotesPage,
  type ProofNote,
  type ProofRecord,
  problem,
  type WrittenNote,
} from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { lockSession } from '../sessions/session-row.ts';
import { readNoteFiles, removeFilesOfNote } from './note-file-rows.ts';
import { demandProof, isWaiting, type ProofRow, settingsOf, stateOf } from './proof-row.ts';

/** Who writes or reads: a recipient through the own link, or the house. */
export type Author = { recipientId: string; name: string } | { recipientId: null; name: string };

/** A note as somebody sent it, or an answer to one. */
export interface NewNote {
  proofId: string;
  by: Author;
  /** Repetitions with the same key change nothing. */
  key: string;
  text: string;
  /** A note, or an answer to one. */
  answersId?: string | undefined;
  /** Of notes: from 1; null = the whole file. */
  page?: number | null;
  /** Points, in the page's unrotated space; null = the whole page. */
  box?: Box | null;
  mark?: NoteMark;
  /** Of arrows and lines, instead of a box: x and y in turn. */
  path?: readonly number[];
  /** Runs last in the transaction, for the caller's audit row. */
  alongside?: (tx: Transaction) => Promise<void>;
}

/** Whether recipients may write on the proof now: while it waits for them, and the profile allows it. */
export function canNote(proof: ProofRow): boolean {
  const state = stateOf(proof);
  return settingsOf(proof).allowNotes && isWaiting(proof) && (state === 'Open' || state === 'Held');
}

/** Whether recipients may mark places; a proof that was opened before there was the choice lets them. */
export const canMark = ({ allowMarks }: ReturnType<typeof settingsOf>): boolean => allowMarks ?? true;

/**
 * The proof with its session locked, so that notes are numbered without gaps. The house may answer as long as the session
 * is there: what was declined is mended by what was written.
 */
export async function lockedProof(tx: Transaction, proofId: string, by: Author): Promise<ProofRow> {
  const { sessionId } = await demandProof(tx, proofId);
  const session = await lockSession(tx, sessionId);
  const proof = await demandProof(tx, proofId);
  if (!session || session.isDeleted) throw problem('session.deleted');
  if (by.recipientId !== null && !canNote(proof)) throw problem('proof.notesNotPossible');
  return proof;
}

/**
 * Writes a note on a place of a proof, answers one, or replies to an answer, which stays with the note. A repetition changes
 * nothing and answers the same.
 * @throws ProblemError `proof.notesNotPossible`, `proof.tooManyNotes`, `proof.tooManyAnswers`, `resource.notFound` for an
 * answer to nothing
 */
export function writeNote(deps: EngineDeps, context: SubscriberContext, note: NewNote): Promise<WrittenNote> {
  return deps.database.withSubscriber(context, async (tx) => {
    const { proofId, by, key, text, answersId } = note;
    const proof = await lockedProof(tx, proofId, by);
    const isMarked = (note.box ?? null) !== null || (note.path ?? []).length > 0;
    if (by.recipientId !== null && isMarked && !canMark(settingsOf(proof))) throw problem('proof.notesNotPossible');
    const before = await tx.proofNote.findFirst({ where: { proofId, requestKey: key } });
    if (before) return writtenAt(tx, before);
    if ((await tx.proofNote.count({ where: { proofId } })) >= mostNotes)
      throw problem('proof.tooManyNotes', { limit: mostNotes });
    const answered =
      answersId === undefined
        ? null
        : await tx.proofNote.findFirst({ where: { id: answersId, proofId, removedAt: null } });
    if (answersId !== undefined && !answered) throw problem('resource.notFound');
    const noteId = answered && (answered.answersId ?? answered.id);
    if (answered && (await tx.proofNote.count({ where: { proofId, answersId: noteId } })) >= mostNoteAnswers)
      throw problem('proof.tooManyAnswers', { limit: mostNoteAnswers });
    const last = await tx.proofNote.aggregate({ where: { proofId }, _max: { no: true } });
    const written = await tx.proofNote.create({
      data: {
        id: newId('proofNote'),
        sessionId: proof.sessionId,
        proofId,
        no: answered ? null : (last._max.no ?? 0) + 1,
        answersId: noteId,
        repliesToId: noteId === answered?.id ? null : (answered?.id ?? null),
        ...(!answered && placeOf(note)),
        text,
        recipientId: by.recipientId,
        authorName: by.name,
        requestKey: key,
      },
    });
    await note.alongside?.(tx);
    return writtenAt(tx, written);
  });
}

/** Where a note, or the one that an answer is to, stands in the list. */
async function writtenAt(
  tx: Transaction,
  { id, proofId, no, answersId }: { id: string; proofId: string; no: number | null; answersId: string | null },
): Promise<WrittenNote> {
  const answered = answersId === null ? null : await tx.proofNote.findUniqueOrThrow({ where: { id: answersId } });
  const at = (answered ?? { no }).no ?? 0;
  return { id, place: await tx.proofNote.count({ where: { ...listed(proofId), no: { lt: at } } }) };
}

/** The columns of a note's place. */
function placeOf({ page = null, box = null, mark = 'place', path = [] }: NewNote) {
  if (page === null) return { page };
  return { page, mark, path: [...path], box: [...(path.length > 0 ? boundsOfPath(path) : (box ?? []))] };
}

interface OnNote {
  proofId: string;
  noteId: string;
  by: Author;
  alongside?: (tx: Transaction) => Promise<void>;
}

/** Takes back what its author wrote, with the answers to it. @throws ProblemError `resource.notFound` also for another's */
export function removeNote(deps: EngineDeps, context: SubscriberContext, ask: OnNote): Promise<void> {
  return deps.database.withSubscriber(context, async (tx) => {
    await lockedProof(tx, ask.proofId, ask.by);
    const { count } = await tx.proofNote.updateMany({
      where: { id: ask.noteId, proofId: ask.proofId, recipientId: ask.by.recipientId, removedAt: null },
      data: { removedAt: new Date() },
    });
    if (count === 0) throw problem('resource.notFound');
    await removeFilesOfNote(tx, ask);
    await ask.alongside?.(tx);
  });
}

/** What the house makes of a note. @throws ProblemError `resource.notFound` */
function changeNote(
  deps: EngineDeps,
  context: SubscriberContext,
  ask: OnNote & { to: { isToDo: boolean } | { resolvedAt: Date | null } },
): Promise<void> {
  return deps.database.withSubscriber(context, async (tx) => {
    await lockedProof(tx, ask.proofId, ask.by);
    const { count } = await tx.proofNote.updateMany({
      where: { id: ask.noteId, proofId: ask.proofId, answersId: null, removedAt: null },
      data: ask.to,
    });
    if (count === 0) throw problem('resource.notFound');
    await ask.alongside?.(tx);
  });
}

/** Ticks a note off, or opens it again. @throws ProblemError `resource.notFound` */
export const resolveNote = (
  deps: EngineDeps,
  context: SubscriberContext,
  { isResolved, ...ask }: OnNote & { isResolved: boolean },
): Promise<void> => changeNote(deps, context, { ...ask, to: { resolvedAt: isResolved ? new Date() : null } });

/** Takes a note on as something to do, or not. @throws ProblemError `resource.notFound` */
export const markNote = (
  deps: EngineDeps,
  context: SubscriberContext,
  { isToDo, ...ask }: OnNote & { isToDo: boolean },
): Promise<void> => changeNote(deps, context, { ...ask, to: { isToDo } });

/** Notes that are read, of a proof: not what was taken back. */
const listed = (proofId: string) => ({ proofId, no: { not: null }, removedAt: null }) as const;

/**
 * Notes of a proof with their answers, in the order in which they were written, as one reader sees them (null: the house).
 * @param part `skip` notes, or those up to the number `after`, are left out
 */
export async function readNotes(
  tx: Transaction,
  proofId: string,
  readerId: string | null,
  { skip = 0, after = 0, take }: { skip?: number; after?: number; take: number },
): Promise<ProofNote[]> {
  const notes = await tx.proofNote.findMany({
    where: { ...listed(proofId), no: { gt: after } },
    orderBy: { no: 'asc' },
    skip,
    take,
  });
  const answers = await tx.proofNote.findMany({
    where: { proofId, answersId: { in: notes.map(({ id }) => id) }, removedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const files = await readNoteFiles(tx, proofId);
  const said = ({ id, text, authorName, recipientId, createdAt }: (typeof notes)[number]) => ({
    id,
    text,
    by: authorName,
    isHouse: recipientId === null,
    isMine: recipientId === readerId,
    at: createdAt.toISOString(),
    files: files.get(id) ?? [],
  });
  const answersTo = new Map<string | null, (typeof answers)[number][]>();
  for (const answer of answers) answersTo.set(answer.answersId, [...(answersTo.get(answer.answersId) ?? []), answer]);
  return notes.map((row) => ({
    ...said(row),
    no: row.no ?? 0,
    page: row.page,
    box: row.box.length === 4 ? (row.box as Box) : null,
    mark: row.mark as NoteMark,
    path: row.path,
    isToDo: row.isToDo,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    answers: (answersTo.get(row.id) ?? []).map((answer) => ({ ...said(answer), repliesToId: answer.repliesToId })),
  }));
}

/** A page of the notes of a proof, counted from 1. */
export async function readNotesPage(
  tx: Transaction,
  proofId: string,
  readerId: string | null,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<NotesPage> {
  const total = await tx.proofNote.count({ where: listed(proofId) });
  const items = await readNotes(tx, proofId, readerId, { skip: (page - 1) * pageSize, take: pageSize });
  return { items, total, page, pageSize };
}

/** So many notes are read at once where all of them are wanted. */
const batch = 500;

/** All notes of a proof as the house sees them, some at a time. `read` lends a transaction for each time. */
export async function* eachNote(
  read: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>,
  proofId: string,
): AsyncGenerator<ProofNote[]> {
  let after = 0;
  while (true) {
    const notes = await read((tx) => readNotes(tx, proofId, null, { after, take: batch }));
    if (notes.length > 0) yield notes;
    if (notes.length < batch) return;
    after = notes.at(-1)?.no ?? after;
  }
}

interface PlaceRow extends Omit<DrawnNote, 'isDone'> {
  isDone: boolean;
  among: number;
}

/** How many notes there are on each page of a proof, and where those on these pages stand. */
export async function readNotePlaces(tx: Transaction, proofId: string, on: readonly number[]): Promise<NotePlaces> {
  const counts = await tx.proofNote.groupBy({
    by: ['page'],
    where: listed(proofId),
    _count: true,
    orderBy: { page: 'asc' },
  });
  const rows = await tx.$queryRaw<PlaceRow[]>`
    with listed as (
      select id, no, page, mark, path, box, is_to_do, resolved_at, (row_number() over (order by no) - 1)::int as place
        from proof_notes where proof_id = ${proofId} and no is not null and removed_at is null)
    select id, no, page, mark, path, box, is_to_do as "isToDo", resolved_at is not null as "isDone", place, (count(*) over ())::int as among
      from listed where page = any (${[...on]}::int[]) and cardinality(box) = 4
     order by resolved_at is not null, no desc limit ${mostDrawnNotes}`;
  const among = rows[0]?.among ?? 0;
  return {
    total: counts.reduce((sum, { _count }) => sum + _count, 0),
    pages: counts.flatMap(({ page, _count }) => (page === null ? [] : [{ page, count: _count }])),
    places: rows.map(({ among: _, ...place }) => place).sort((one, other) => one.place - other.place),
    undrawn: among - rows.length,
  };
}

/**
 * The notes of a proof as the record of a decision keeps them: in the record itself or, where they are too many, their
 * number and hash, and the list as JSON to be kept beside it.
 */
export async function notesToKeep(
  tx: Transaction,
  proofId: string,
): Promise<{ inRecord: Pick<ProofRecord, 'notes' | 'notesBeside'>; beside: string | null }> {
  const kept = <T extends { isMine: boolean }>({ isMine: _, ...note }: T) => note;
  const notes: KeptNote[] = [];
  for await (const some of eachNote((work) => work(tx), proofId))
    for (const { answers, ...note } of some) notes.push({ ...kept(note), answers: answers.map(kept) });
  const count = notes.reduce((sum, { answers }) => sum + 1 + answers.length, 0);
  if (count <= mostNotesInRecord) return { inRecord: { notes }, beside: null };
  const beside = JSON.stringify(notes);
  const sha256 = createHash('sha256').update(beside).digest('hex');
  return { inRecord: { notes: null, notesBeside: { count: notes.length, sha256 } }, beside };
}
