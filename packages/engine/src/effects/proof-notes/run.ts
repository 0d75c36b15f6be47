import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ProofNote, problem } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import { readNotes } from '../../proofs/notes.ts';
import { demandProof } from '../../proofs/proof-row.ts';
import { storeDerived, withInputs } from '../derived-file.ts';
import { withEffectFolder } from '../effect-folder.ts';
import { type AskedEffect, askForEffect } from '../enqueue.ts';
import type { EffectRun } from '../run.ts';

/** Writes the notes, a JSON file, into a copy of the PDF in a folder; resolves to the path of the copy. */
export type MakeNotesCopy = (request: {
  pdf: string;
  notes: string;
  workDir: string;
  signal: AbortSignal;
}) => Promise<string>;

/** What tells one state of the notes from another. */
const digestOf = (notes: readonly ProofNote[]): string =>
  createHash('sha256').update(JSON.stringify(notes)).digest('hex').slice(0, 32);
const roleOf = (digest: string): string => `proofNotes ${digest}`;

/** The copy with all notes as they are now; null when none was made. */
export async function findNotesCopy(
  tx: Transaction,
  proofId: string,
): Promise<{ id: string; sha256: string; size: bigint; name: string } | null> {
  const role = roleOf(digestOf(await readNotes(tx, proofId, null)));
  return tx.file.findFirst({
    where: {
      removedAt: null,
      AND: [{ meta: { path: ['role'], equals: role } }, { meta: { path: ['proofId'], equals: proofId } }],
    },
    select: { id: true, sha256: true, size: true, name: true },
  });
}

/**
 * Asks for a copy of the proof's file with all notes as they are now; asking again does nothing more. `dead` = it cannot be
 * made.
 * @throws ProblemError `resource.notFound` without a note
 */
export const askForNotesCopy = (deps: EngineDeps, context: SubscriberContext, proofId: string): Promise<AskedEffect> =>
  deps.database.withSubscriber(context, async (tx) => {
    const { sessionId, session, version } = await demandProof(tx, proofId);
    const notes = await readNotes(tx, proofId, null);
    if (notes.length === 0) throw problem('resource.notFound');
    const digest = digestOf(notes);
    const name = `${path.parse(session.fileName).name}-notes-${version}.pdf`;
    return askForEffect(tx, {
      kind: 'proofNotes',
      key: `proofNotes ${proofId} ${digest}`,
      sessionId,
      payload: { proofId, digest, name },
    });
  });

/** Makes the copies that somebody asked for. */
export function makeNotesCopies(
  deps: EngineDeps,
  { makeNotesCopy, workFolder }: { makeNotesCopy: MakeNotesCopy; workFolder: string },
): EffectRun<'proofNotes'> {
  return {
    run: (effect, signal) => {
      const { proofId, digest, name } = effect.payload;
      return withEffectFolder(workFolder, effect, async (workDir) => {
        const { fileId, list } = await deps.database.withSubscriber(effect, async (tx) => ({
          fileId: (await demandProof(tx, proofId)).fileId,
          list: await readNotes(tx, proofId, null),
        }));
        const notes = path.join(workDir, 'notes.json');
        await writeFile(notes, JSON.stringify(list));
        return withInputs(deps, effect, [fileId], async ([file]) => {
          const made = await makeNotesCopy({ pdf: file.localPath, notes, workDir, signal });
          return storeDerived(deps, effect, file, createReadStream(made), {
            kind: 'Others',
            name,
            mediaType: 'application/pdf',
            meta: { role: roleOf(digest), proofId },
          });
        });
      });
    },
    onDead: async (_, { payload: { name } }) => ({ name }),
  };
}
