import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { problem } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import { demandSource } from '../../files/demand-here.ts';
import { readNoteFiles } from '../../proofs/note-file-rows.ts';
import { eachNote } from '../../proofs/notes.ts';
import { demandProof } from '../../proofs/proof-row.ts';
import { storeDerived, withInputs } from '../derived-file.ts';
import { withEffectFolder } from '../effect-folder.ts';
import { type AskedEffect, askForEffect } from '../enqueue.ts';
import type { EffectRun } from '../run.ts';

/** Writes the notes, a file with one as JSON on each line, into a copy of the PDF in a folder; resolves to the path of the copy. */
export type MakeNotesCopy = (request: {
  pdf: string;
  notes: string;
  workDir: string;
  signal: AbortSignal;
}) => Promise<string>;

/** What tells one state of the notes from another: which there are, which are ticked off, and the files at them. */
async function readState(tx: Transaction, proofId: string): Promise<{ digest: string; hasNotes: boolean }> {
  const [state] = await tx.$queryRaw<{ digest: string; hasNotes: boolean }[]>`
    select encode(sha256(convert_to(coalesce(
             string_agg(id || coalesce(resolved_at::text, ''), ' ' order by created_at, id), ''), 'UTF8')), 'hex') as digest,
           count(*) filter (where no is not null) > 0 as "hasNotes"
      from proof_notes where proof_id = ${proofId} and removed_at is null`;
  const files = [...(await readNoteFiles(tx, proofId)).values()].flat().map(({ id }) => id);
  const digest = createHash('sha256')
    .update(JSON.stringify([state?.digest, files]))
    .digest('hex')
    .slice(0, 32);
  return { digest, hasNotes: state?.hasNotes === true };
}
const roleOf = (digest: string): string => `proofNotes ${digest}`;

/** The copy with all notes as they are now; null when none was made. */
export async function findNotesCopy(
  tx: Transaction,
  proofId: string,
): Promise<{ id: string; sha256: string; size: bigint; name: string } | null> {
  const role = roleOf((await readState(tx, proofId)).digest);
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
 * @throws ProblemError `resource.notFound` without a note, `file.removed`, `session.archived`
 */
export const askForNotesCopy = (deps: EngineDeps, context: SubscriberContext, proofId: string): Promise<AskedEffect> =>
  deps.database.withSubscriber(context, async (tx) => {
    const { sessionId, session, version, fileId } = await demandProof(tx, proofId);
    const { digest, hasNotes } = await readState(tx, proofId);
    if (!hasNotes) throw problem('resource.notFound');
    await demandSource(tx, fileId);
    const name = `${path.parse(session.fileName).name}-notes-${version}.pdf`;
    return askForEffect(
      tx,
      { kind: 'proofNotes', key: `proofNotes ${proofId} ${digest}`, sessionId, payload: { proofId, digest, name } },
      () => findNotesCopy(tx, proofId),
    );
  });

async function* linesOf(notes: ReturnType<typeof eachNote>): AsyncGenerator<string> {
  for await (const some of notes) yield some.map((note) => `${JSON.stringify(note)}\n`).join('');
}

/** Makes the copies that somebody asked for. */
export function makeNotesCopies(
  deps: EngineDeps,
  { makeNotesCopy, workFolder }: { makeNotesCopy: MakeNotesCopy; workFolder: string },
): EffectRun<'proofNotes'> {
  return {
    run: (effect, signal) => {
      const { proofId, digest, name } = effect.payload;
      return withEffectFolder(workFolder, effect, async (workDir) => {
        const read = <T>(work: (tx: Transaction) => Promise<T>) => deps.database.withSubscriber(effect, work);
        const { fileId } = await read((tx) => demandProof(tx, proofId));
        const notes = path.join(workDir, 'notes.jsonl');
        await pipeline(Readable.from(linesOf(eachNote(read, proofId))), createWriteStream(notes));
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
