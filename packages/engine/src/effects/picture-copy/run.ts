import { createReadStream } from 'node:fs';
import path from 'node:path';
import { nearestLocale, problem } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import { nameKey, namesIn, oneLine, resolvePlaceholders } from '@pdf2press/settings';
import { stepFacts } from '@pdf2press/steps/facts';
import type { EngineDeps } from '../../deps.ts';
import { demandSource } from '../../files/demand-here.ts';
import { demandProof, type ProofRow, settingsOf } from '../../proofs/proof-row.ts';
import { knownOfPast } from '../../steps/evaluate-session.ts';
import { storeDerived, withInputs } from '../derived-file.ts';
import { withEffectFolder } from '../effect-folder.ts';
import { type AskedEffect, askForEffect } from '../enqueue.ts';
import { proofFacts, withFacts } from '../proof-facts.ts';
import type { ClaimedEffect, EffectRun } from '../run.ts';

/**
 * Draws the pages of a PDF into another one, with a line of words in each, or its first page as JPEG; resolves to the path of
 * what was made.
 */
export type MakePictureCopy = (request: {
  pdf: string;
  /** Pixels per inch. */
  dpi: number;
  watermark: string;
  format: 'pdf' | 'jpeg';
  workDir: string;
  signal: AbortSignal;
}) => Promise<string>;

/** A proof, and who asks for a copy of its file. */
export interface CopyOfProof {
  proof: ProofRow;
  recipientId: string;
}

/** Whether the words are others for each reader. */
const namesReader = (watermark: string): boolean =>
  namesIn(watermark).some((name) => nameKey(name).startsWith('recipient.'));

/** Whose copy a reader gets: null = the one that all get. */
const ownerOf = ({ proof, recipientId }: CopyOfProof): string | null =>
  namesReader(settingsOf(proof).watermark) ? recipientId : null;

/** What a copy is stored under. */
const roleOf = (recipientId: string | null): string => `pictureCopy ${recipientId ?? 'all'}`;

/** The copy that a reader gets; null when none was made. */
export const findPictureCopy = (
  tx: Transaction,
  asked: CopyOfProof,
): Promise<{ id: string; sha256: string; size: bigint; name: string } | null> =>
  tx.file.findFirst({
    where: {
      sessionId: asked.proof.sessionId,
      removedAt: null,
      AND: [
        { meta: { path: ['role'], equals: roleOf(ownerOf(asked)) } },
        { meta: { path: ['proofId'], equals: asked.proof.id } },
      ],
    },
    select: { id: true, sha256: true, size: true, name: true },
  });

/**
 * Asks for the copy that a reader gets; asking again does nothing more. `dead` = it cannot be made.
 * @throws ProblemError `resource.notFound` where the profile offers none, `file.removed`, `session.archived`
 */
export async function askForPictureCopy(
  deps: EngineDeps,
  context: SubscriberContext,
  asked: CopyOfProof,
): Promise<AskedEffect> {
  const { id, sessionId, session, version } = asked.proof;
  if (settingsOf(asked.proof).allowDownload !== 'lowResolution') throw problem('resource.notFound');
  const recipientId = ownerOf(asked);
  const name = `${path.parse(session.fileName).name}-proof-${version}.pdf`;
  return deps.database.withSubscriber(context, async (tx) => {
    await demandSource(tx, asked.proof.fileId);
    return askForEffect(
      tx,
      {
        kind: 'pictureCopy',
        key: `${roleOf(recipientId)} ${id}`,
        sessionId,
        payload: { proofId: id, recipientId, format: 'pdf', name },
      },
      () => findPictureCopy(tx, asked),
    );
  });
}

/** Pixels per inch of a picture that goes with messages: an A4 page has about a million pixels. */
const messageDpi = 110;

/** What the picture of the first page is stored under. */
const pictureRole = 'proofPicture';

/**
 * The picture of a proof's first page for messages, with the words of the profile's watermark: its file, `asked` while it is
 * being made, or null where there is none: the proof's file is not here any more, or cannot be drawn.
 */
export async function pictureOfProof(
  deps: EngineDeps,
  context: SubscriberContext,
  { id, sessionId, session, version, fileId }: ProofRow,
): Promise<{ id: string } | 'asked' | null> {
  return deps.database.withSubscriber(context, async (tx) => {
    const find = () =>
      tx.file.findFirst({
        where: {
          sessionId,
          removedAt: null,
          AND: [{ meta: { path: ['role'], equals: pictureRole } }, { meta: { path: ['proofId'], equals: id } }],
        },
        select: { id: true },
      });
    const made = await find();
    if (made) return made;
    const isHere = (await tx.file.count({ where: { id: fileId, removedAt: null } })) > 0;
    if (!isHere || session.deletedAt !== null) return null;
    const name = `${path.parse(session.fileName).name}-proof-${version}.jpg`;
    const { state } = await askForEffect(
      tx,
      {
        kind: 'pictureCopy',
        key: `${pictureRole} ${id}`,
        sessionId,
        payload: { proofId: id, recipientId: null, format: 'jpeg', name },
      },
      find,
    );
    return state === 'asked' ? 'asked' : null;
  });
}

/** The words of the profile with the values of the session, of the proof, and of its reader. */
async function watermarkOf(
  deps: EngineDeps,
  { subscriberId, payload: { recipientId } }: ClaimedEffect<'pictureCopy'>,
  proof: ProofRow,
): Promise<string> {
  const { watermark } = settingsOf(proof);
  const names = namesIn(watermark);
  if (names.length === 0) return watermark;
  const past = await knownOfPast(deps, { subscriberId }, { sessionId: proof.sessionId });
  const { facts } = await stepFacts(past, names);
  const recipient = proof.recipients.find(({ id }) => id === recipientId);
  const all = withFacts(facts, {
    ...proofFacts(proof, null),
    'recipient.name': recipient && (recipient.name || recipient.email),
    'recipient.email': recipient?.email,
  });
  const locale = recipient ? nearestLocale(recipient.locale) : past.reader.locale;
  return oneLine(resolvePlaceholders(watermark, all, { ...past.reader, locale }));
}

/** Makes the copies that readers asked for. */
export function makePictureCopies(
  deps: EngineDeps,
  { makePictureCopy, workFolder }: { makePictureCopy: MakePictureCopy; workFolder: string },
): EffectRun<'pictureCopy'> {
  return {
    run: (effect, signal) => {
      const { proofId, recipientId, format, name } = effect.payload;
      return withEffectFolder(workFolder, effect, async (workDir) => {
        const proof = await deps.database.withSubscriber(effect, (tx) => demandProof(tx, proofId));
        const watermark = await watermarkOf(deps, effect, proof);
        const isPicture = format === 'jpeg';
        const dpi = isPicture ? messageDpi : settingsOf(proof).downloadDpi;
        return withInputs(deps, effect, [proof.fileId], async ([file]) => {
          const made = await makePictureCopy({ pdf: file.localPath, dpi, watermark, format, workDir, signal });
          return storeDerived(deps, effect, file, createReadStream(made), {
            kind: 'Others',
            name,
            mediaType: isPicture ? 'image/jpeg' : 'application/pdf',
            meta: { role: isPicture ? pictureRole : roleOf(recipientId), proofId },
          });
        });
      });
    },
    onDead: async (_, { payload: { name } }) => ({ name }),
  };
}
