import type { Transaction } from '@pdf2press/prisma';
import { tell } from '../sessions/notices.ts';
import { isWaiting, pending, readProof } from './proof-row.ts';

/** A link by its recipient and its number. */
interface SentLink {
  recipientId: string;
  no: number;
}

/**
 * Notes that a message with somebody's link could not be delivered. While the proof waits for them, those who can send
 * another are told: nobody else would notice that the customer was never asked.
 */
export async function noteRefused(
  tx: Transaction,
  { recipientId, no, email }: SentLink & { email: string },
): Promise<void> {
  const written = await tx.$queryRaw<{ proofId: string }[]>`
    update proof_recipients set refused_at = clock_timestamp()
     where id = ${recipientId} and link_no = ${no} returning proof_id as "proofId"`;
  const proof = written[0] && (await readProof(tx, written[0].proofId));
  if (!proof || !isWaiting(proof) || !pending(proof).some(({ id }) => id === recipientId)) return;
  const { sessionId, stepRunId } = proof;
  const to = { permission: 'proofs.links.manage' } as const;
  await tell(tx, { kind: 'proof.refused', sessionId, stepRunId, to, about: { email } });
}

/** Notes that a message with somebody's link was delivered. */
export const noteReached = (tx: Transaction, { recipientId }: SentLink): Promise<number> =>
  tx.$executeRaw`
    update proof_recipients set refused_at = null where id = ${recipientId} and refused_at is not null`;
