import type { NoteFile } from '@pdf2press/contract';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';

/** Of files that are attached to notes. They are files of the session: whatever removes its files removes them, too. */
export const noteFileRole = 'noteFile';

/** What is kept with a file of a note. */
export interface NoteFileMeta {
  role: typeof noteFileRole;
  proofId: string;
  noteId: string;
}

const meta = (key: keyof NoteFileMeta, value: string): Prisma.FileWhereInput => ({
  meta: { path: [key], equals: value },
});

/** The files of a proof's notes that are still there. */
const ofProof = async (tx: Transaction, proofId: string): Promise<Prisma.FileWhereInput> => {
  const { sessionId } = await tx.proof.findUniqueOrThrow({ where: { id: proofId }, select: { sessionId: true } });
  const role = meta('role', noteFileRole);
  return { sessionId, kind: 'Others', removedAt: null, AND: [role, meta('proofId', proofId)] };
};

/** The files at each note of a proof, by the ids of the notes, in the order in which they were attached. */
export async function readNoteFiles(tx: Transaction, proofId: string): Promise<Map<string, NoteFile[]>> {
  const rows = await tx.file.findMany({
    where: await ofProof(tx, proofId),
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const files = new Map<string, NoteFile[]>();
  for (const { id, name, mediaType, size, sha256, meta: kept } of rows) {
    const { noteId } = storedAs<NoteFileMeta>(kept);
    files.set(noteId, [...(files.get(noteId) ?? []), { id, name, mediaType, size: Number(size), sha256 }]);
  }
  return files;
}

/** Marks the files at a note and at the answers to it as removed; the collector takes their bytes. */
export async function removeFilesOfNote(
  tx: Transaction,
  { proofId, noteId }: { proofId: string; noteId: string },
): Promise<void> {
  const answers = await tx.proofNote.findMany({ where: { proofId, answersId: noteId }, select: { id: true } });
  const notes = [noteId, ...answers.map(({ id }) => id)];
  await tx.file.updateMany({
    where: { ...(await ofProof(tx, proofId)), OR: notes.map((id) => meta('noteId', id)) },
    data: { removedAt: new Date() },
  });
}
