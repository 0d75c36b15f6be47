import {
  type Box,
  boundsOfPath,
  type KeptNote,
  mostNotes,
  type NoteMark,
  type ProofNote,
  problem,
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
 * Writes a note on a place of a proof, or answers one.
 * @throws ProblemError `proof.notesNotPossible`, `proof.tooManyNotes`, `resource.notFound` for an answer to nothing
 */
export function writeNote(deps: EngineDeps, context: SubscriberContext, note: NewNote): Promise<void> {
  return deps.database.withSubscriber(context, async (tx) => {
    const { proofId, by, key, text, answersId } = note;
    const proof = await lockedProof(tx, proofId, by);
    if ((await tx.proofNote.count({ where: { proofId, requestKey: key } })) > 0) return;
    if ((await tx.proofNote.count({ where: { proofId } })) >= mostNotes)
      throw problem('proof.tooManyNotes', { limit: mostNotes });
    const answered =
      answersId === undefined
        ? null
        : await tx.proofNote.findFirst({ where: { id: answersId, proofId, answersId: null, removedAt: null } });
    if (answersId !== undefined && !answered) throw problem('resource.notFound');
    const last = await tx.proofNote.aggregate({ where: { proofId }, _max: { no: true } });
    await tx.proofNote.create({
      data: {
        id: newId('proofNote'),
        sessionId: proof.sessionId,
        proofId,
        no: answered ? null : (last._max.no ?? 0) + 1,
        answersId: answered?.id ?? null,
        ...(!answered && placeOf(note)),
        text,
        recipientId: by.recipientId,
        authorName: by.name,
        requestKey: key,
      },
    });
    await note.alongside?.(tx);
  });
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

/** Ticks a note off, or opens it again. @throws ProblemError `resource.notFound` */
export function resolveNote(
  deps: EngineDeps,
  context: SubscriberContext,
  ask: OnNote & { isResolved: boolean },
): Promise<void> {
  return deps.database.withSubscriber(context, async (tx) => {
    await lockedProof(tx, ask.proofId, ask.by);
    const { count } = await tx.proofNote.updateMany({
      where: { id: ask.noteId, proofId: ask.proofId, answersId: null, removedAt: null },
      data: { resolvedAt: ask.isResolved ? new Date() : null },
    });
    if (count === 0) throw problem('resource.notFound');
    await ask.alongside?.(tx);
  });
}

/** The notes of a proof in the order in which they were written, as one reader sees them (null: the house). */
export async function readNotes(tx: Transaction, proofId: string, readerId: string | null): Promise<ProofNote[]> {
  const rows = await tx.proofNote.findMany({
    where: { proofId, removedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: mostNotes,
  });
  const files = await readNoteFiles(tx, proofId);
  const said = ({ id, text, authorName, recipientId, createdAt }: (typeof rows)[number]) => ({
    id,
    text,
    by: authorName,
    isHouse: recipientId === null,
    isMine: recipientId === readerId,
    at: createdAt.toISOString(),
    files: files.get(id) ?? [],
  });
  return rows.flatMap((row): ProofNote[] =>
    row.no === null
      ? []
      : [
          {
            ...said(row),
            no: row.no,
            page: row.page,
            box: row.box.length === 4 ? (row.box as Box) : null,
            mark: row.mark as NoteMark,
            path: row.path,
            resolvedAt: row.resolvedAt?.toISOString() ?? null,
            answers: rows.filter(({ answersId }) => answersId === row.id).map(said),
          },
        ],
  );
}

/** The notes of a proof as the record of a decision keeps them. */
export async function notesToKeep(tx: Transaction, proofId: string): Promise<KeptNote[]> {
  const kept = <T extends { isMine: boolean }>({ isMine: _, ...note }: T) => note;
  return (await readNotes(tx, proofId, null)).map(({ answers, ...note }) => ({
    ...kept(note),
    answers: answers.map(kept),
  }));
}
