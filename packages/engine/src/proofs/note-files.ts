import { cleanFileName, mostNoteFiles, mostProofFiles, problem } from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction, toJson } from '@pdf2press/prisma';
import type { Stored } from '@pdf2press/storage';
import type { EngineDeps } from '../deps.ts';
import { writeBlobs } from '../files/blob-rows.ts';
import { demandHere } from '../files/demand-here.ts';
import { type NoteFileMeta, noteFileRole, readNoteFiles } from './note-file-rows.ts';
import { type Author, lockedProof } from './notes.ts';
import { demandProof } from './proof-row.ts';

/** A file that its sender attaches to what they wrote; its bytes are in the store already. */
export interface NewNoteFile {
  proofId: string;
  noteId: string;
  by: Author;
  file: Stored & { name: string; mediaType: string };
  /** Runs last in the transaction, for the caller's audit row. */
  alongside?: (tx: Transaction) => Promise<void>;
}

/** A note or an answer that is read: neither it nor what it answers was taken back. @throws ProblemError `resource.notFound` */
async function demandNote(tx: Transaction, { proofId, noteId }: Pick<NewNoteFile, 'proofId' | 'noteId'>) {
  const note = await tx.proofNote.findFirst({ where: { id: noteId, proofId, removedAt: null } });
  const answered = note?.answersId ?? null;
  const isRead =
    answered === null || (await tx.proofNote.count({ where: { id: answered, proofId, removedAt: null } })) > 0;
  if (!note || !isRead) throw problem('resource.notFound');
  return note;
}

/**
 * Attaches a file to a note or answer of the same author, for as long as notes may be written. The same file under the same
 * name is attached once, so that it can be sent again when an answer was lost.
 * @throws ProblemError `proof.notesNotPossible`, `proof.tooManyNoteFiles`, `resource.notFound` also for another's note
 */
export const attachToNote = (deps: EngineDeps, context: SubscriberContext, ask: NewNoteFile): Promise<void> =>
  deps.database.withSubscriber(context, async (tx) => {
    const { proofId, noteId, by, file } = ask;
    const proof = await lockedProof(tx, proofId, by);
    const note = await demandNote(tx, ask);
    if (note.recipientId !== by.recipientId) throw problem('resource.notFound');
    const all = await readNoteFiles(tx, proofId);
    const here = all.get(noteId) ?? [];
    const name = cleanFileName(file.name);
    if (here.some((other) => other.sha256 === file.sha256 && other.name === name)) return;
    if (here.length >= mostNoteFiles) throw problem('proof.tooManyNoteFiles', { limit: mostNoteFiles });
    if ([...all.values()].flat().length >= mostProofFiles)
      throw problem('proof.tooManyNoteFiles', { limit: mostProofFiles });
    const { sha256, size, mediaType } = file;
    const meta: NoteFileMeta = { role: noteFileRole, proofId, noteId };
    const { sessionId, runNo } = proof;
    await writeBlobs(tx, [{ sha256, size }]);
    await tx.file.create({
      data: { id: newId('file'), sessionId, runNo, sha256, kind: 'Others', name, mediaType, size, meta: toJson(meta) },
      select: { id: true },
    });
    await ask.alongside?.(tx);
  });

/** A file at a note of a proof, for its bytes. @throws ProblemError `resource.notFound`, `session.deleted`, `session.archived` */
export async function demandNoteFile(
  tx: Transaction,
  { fileId, ...of }: { proofId: string; noteId: string; fileId: string },
): Promise<{ id: string; name: string; mediaType: string; size: bigint; sha256: string }> {
  const { session } = await demandProof(tx, of.proofId);
  if (session.deletedAt !== null) throw problem('session.deleted');
  await demandNote(tx, of);
  const file = (await readNoteFiles(tx, of.proofId)).get(of.noteId)?.find(({ id }) => id === fileId);
  if (!file) throw problem('resource.notFound');
  await demandHere(tx, file.sha256);
  return { ...file, size: BigInt(file.size) };
}
