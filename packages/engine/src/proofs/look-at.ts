import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { writeEvents } from '../sessions/events.ts';
import { lockSession } from '../sessions/session-row.ts';
import { proofEvent } from './ask.ts';
import { type ProofRow, type RecipientRow, readProof } from './proof-row.ts';

/** Notes that a recipient looks at a proof, and at which pages. The first time is in the session's history. */
export async function lookAt(
  deps: EngineDeps,
  context: SubscriberContext,
  { recipientId, isNew, pages }: { recipientId: string; isNew: boolean; pages: readonly number[] },
): Promise<void> {
  await deps.database.withSubscriber(context, async (tx) => {
    const { proofId, sessionId, firstViewedAt, name, email } = await tx.proofRecipient.findUniqueOrThrow({
      where: { id: recipientId },
    });
    if (firstViewedAt === null) await lockSession(tx, sessionId);
    await tx.$executeRaw`
      update proof_recipients
         set first_viewed_at = coalesce(first_viewed_at, clock_timestamp()), last_viewed_at = clock_timestamp(),
             view_count = view_count + ${isNew || firstViewedAt === null ? 1 : 0},
             pages_seen = (select coalesce(array_agg(distinct page order by page), '{}')
                             from unnest(pages_seen || ${[...pages]}::int[]) as page)
       where id = ${recipientId}`;
    if (firstViewedAt !== null) return;
    const proof = await readProof(tx, proofId);
    if (!proof) return;
    const actor = { kind: 'customer', id: recipientId, name: name || email } as const;
    await writeEvents(tx, [
      proofEvent(proof, { kind: 'ProofViewed', cause: `${recipientId} viewed`, data: { name, email }, actor }),
    ]);
  });
}

/** Notes that a recipient has loaded a file of a proof. The first time of each file is in the session's history. */
export async function noteDownload(
  tx: Transaction,
  { proof, recipient, file }: { proof: ProofRow; recipient: RecipientRow; file: { id: string; name: string } },
): Promise<void> {
  await lockSession(tx, proof.sessionId);
  const actor = { kind: 'customer', id: recipient.id, name: recipient.name || recipient.email } as const;
  const cause = `${recipient.id} downloaded ${file.id}`;
  await writeEvents(tx, [proofEvent(proof, { kind: 'Downloaded', cause, data: { name: file.name }, actor })]);
}
