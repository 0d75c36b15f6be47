import { mostNoteAnswers, mostPrivateNotes, type PrivateNote, problem } from '@pdf2press/contract';
import { newId, type SubscriberContext, storedAs, type Transaction, toJson } from '@pdf2press/prisma';
import type { Actor, EngineDeps } from '../deps.ts';
import { lockedProof } from './notes.ts';

interface OnProof {
  proofId: string;
  by: Actor;
  /** Runs last in the transaction, for the caller's audit row. */
  alongside?: (tx: Transaction) => Promise<void>;
}

const locked = (tx: Transaction, { proofId, by }: OnProof) =>
  lockedProof(tx, proofId, { recipientId: null, name: by.name });

/**
 * Writes what only the house reads, about a proof or about a note on it. A repetition changes nothing and answers the same.
 * @returns id of the private note
 * @throws ProblemError `proof.tooManyPrivateNotes`, `session.deleted`, `resource.notFound` for a note that is not there
 */
export const writePrivateNote = (
  deps: EngineDeps,
  context: SubscriberContext,
  ask: OnProof & { key: string; text: string; noteId: string | null },
): Promise<string> =>
  deps.database.withSubscriber(context, async (tx) => {
    const { proofId, by, key, text, noteId } = ask;
    const { sessionId } = await locked(tx, ask);
    const before = await tx.privateNote.findFirst({ where: { proofId, requestKey: key }, select: { id: true } });
    if (before) return before.id;
    const about = { id: noteId ?? '', proofId, answersId: null, removedAt: null };
    if (noteId !== null && (await tx.proofNote.count({ where: about })) === 0) throw problem('resource.notFound');
    if ((await tx.privateNote.count({ where: { proofId } })) >= mostPrivateNotes)
      throw problem('proof.tooManyPrivateNotes', { limit: mostPrivateNotes });
    if (noteId !== null && (await tx.privateNote.count({ where: { proofId, noteId } })) >= mostNoteAnswers)
      throw problem('proof.tooManyPrivateNotes', { limit: mostNoteAnswers });
    const id = newId('privateNote');
    await tx.privateNote.create({
      data: { id, sessionId, proofId, noteId, author: toJson(by), text, requestKey: key },
    });
    await ask.alongside?.(tx);
    return id;
  });

/** Whether they are the same person, key or embedded page; names may change. */
const isSame = (one: Actor, other: Actor): boolean => one.kind === other.kind && one.id === other.id;

/** Removes an own private note. @throws ProblemError `resource.notFound` also for another's, `session.deleted` */
export const removePrivateNote = (
  deps: EngineDeps,
  context: SubscriberContext,
  ask: OnProof & { noteId: string },
): Promise<void> =>
  deps.database.withSubscriber(context, async (tx) => {
    await locked(tx, ask);
    const row = await tx.privateNote.findFirst({ where: { id: ask.noteId, proofId: ask.proofId } });
    if (!row || !isSame(storedAs<Actor>(row.author), ask.by)) throw problem('resource.notFound');
    await tx.privateNote.deleteMany({ where: { id: row.id } });
    await ask.alongside?.(tx);
  });

/** What the house wrote about a proof for itself, oldest first, as one of its people sees it. */
export async function readPrivateNotes(tx: Transaction, proofId: string, reader: Actor): Promise<PrivateNote[]> {
  const rows = await tx.privateNote.findMany({
    where: { proofId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: mostPrivateNotes,
  });
  const about = rows.flatMap(({ noteId }) => noteId ?? []);
  const there = await tx.proofNote.findMany({
    where: { id: { in: about }, proofId, removedAt: null },
    select: { id: true },
  });
  const ids = new Set(there.map(({ id }) => id));
  return rows.map(({ id, noteId, text, author, createdAt }) => {
    const by = storedAs<Actor>(author);
    const isThere = noteId !== null && ids.has(noteId);
    return {
      id,
      noteId: isThere ? noteId : null,
      text,
      by: by.name,
      isMine: isSame(by, reader),
      at: createdAt.toISOString(),
    };
  });
}
