import { cleanFileName } from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction } from '@pdf2press/prisma';
import type { Stored } from '@pdf2press/storage';
import type { EngineDeps } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { largestFile } from '../plans/demand-in-plan.ts';
import { traced } from '../tracing.ts';
import { demandHarmlessZip } from './demand-harmless-zip.ts';
import { admit, findDelivered, type NewSession, type StartedSession, startSession } from './start-session.ts';

export interface Delivery extends Omit<NewSession, 'file' | 'ingest'> {
  context: SubscriberContext;
  fileName: string;
  /** Read to its end unless the delivery is known or refused; or bytes that the store holds already (a finished upload). */
  bytes: AsyncIterable<Uint8Array> | Stored;
  maxBytes?: number;
  /** A resumable upload that this completes, in the same transaction. */
  uploadId?: string;
  /**
   * What identifies the delivery at its source (an Idempotency-Key, a revision of a cloud file, an upload's id). The same
   * key gives the same session without a time limit; without a key every delivery is new.
   */
  ingest: { kind: string; key?: string };
}

/** What an upload has become, under a lock until the transaction ends. */
async function sessionOfUpload(tx: Transaction, uploadId: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ sessionId: string | null }[]>`
    select session_id as "sessionId" from uploads where id = ${uploadId} for update`;
  return row?.sessionId ?? null;
}

/**
 * Takes a file: first the bytes, durably and hashed while they are written, then one transaction with the session. When
 * this returns, the delivery may be acknowledged. It needs no queue: the pump finds the step.
 * @throws ProblemError why it was refused; nothing is kept then
 */
export async function receiveFile(deps: EngineDeps, delivery: Delivery): Promise<StartedSession> {
  const { context, bytes, maxBytes, fileName, uploadId, ...rest } = delivery;
  const ingest = { kind: delivery.ingest.kind, key: delivery.ingest.key ?? newId('upload') };
  const isStored = 'sha256' in bytes;
  const { known, limit } = await deps.database.withSubscriber(context, async (tx) => {
    const sessionId = delivery.ingest.key === undefined ? undefined : await findDelivered(tx, ingest);
    // Refused before the first byte is read, where possible.
    if (!sessionId)
      await admit(tx, { ...delivery, fileName: cleanFileName(fileName), ...(isStored && { size: bytes.size }) });
    return { known: sessionId, limit: await largestFile(tx, maxBytes ?? Number.POSITIVE_INFINITY) };
  });
  if (known) return { sessionId: known, isDuplicate: true };
  const { subscriberId } = context;
  const stored = isStored
    ? { sha256: bytes.sha256, size: bytes.size }
    : await deps.storage.put({ subscriberId, bytes, ...(Number.isFinite(limit) && { maxBytes: limit }) });
  failpoint('afterSpool');
  await demandHarmlessZip(deps.storage, { subscriberId, fileName: cleanFileName(fileName), ...stored });
  const begin = async (): Promise<StartedSession> =>
    deps.database.withSubscriber(context, async (tx) => {
      // Named twice at the same moment, it becomes one session.
      const before = uploadId ? await sessionOfUpload(tx, uploadId) : null;
      if (before) return { sessionId: before, isDuplicate: true };
      const session = await startSession(tx, { ...rest, ingest, file: { ...stored, name: cleanFileName(fileName) } });
      if (uploadId)
        await tx.upload.update({
          where: { id: uploadId },
          data: { state: 'Completed', sessionId: session.sessionId },
          select: { id: true },
        });
      failpoint('beforeStartCommit');
      return session;
    });
  const attributes = { 'pdf2press.subscriber': subscriberId, 'pdf2press.workflow': delivery.workflowId };
  const started = await traced({ name: 'session', attributes }, begin, ({ sessionId }) => ({
    'pdf2press.session': sessionId,
  }));
  failpoint('afterStartCommit');
  return started;
}
