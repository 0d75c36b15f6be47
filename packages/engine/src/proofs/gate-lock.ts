import { problem } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { demandProof, maskedAddress, type ProofRow, voters } from './proof-row.ts';

/** So long a gatekeeper who is deciding keeps the others from it, unless they tell again that they are. Minutes. */
const lockMinutes = 3;

/** Gatekeepers who have not decided. */
const openGate = (proof: ProofRow) =>
  voters(proof)
    .filter(({ isGatekeeper, decision }) => isGatekeeper && decision === null)
    .map(({ recipient }) => recipient);

/** Whether somebody is a gatekeeper beside others who have not decided either. */
export function sharesGate(proof: ProofRow, recipientId: string): boolean {
  const gate = openGate(proof);
  return gate.length > 1 && gate.some(({ id }) => id === recipientId);
}

/** Another of the same gate who is deciding at this moment; null for whoever is no gatekeeper. */
export async function decidingNow(
  tx: Transaction,
  proof: ProofRow,
  recipientId: string,
): Promise<{ by: string; until: Date } | null> {
  if (!sharesGate(proof, recipientId)) return null;
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  const now = clock?.now ?? new Date();
  const other = openGate(proof).find(
    ({ id, decidingUntil }) => id !== recipientId && decidingUntil !== null && decidingUntil > now,
  );
  if (!other?.decidingUntil) return null;
  return { by: other.name || maskedAddress(other.email), until: other.decidingUntil };
}

/**
 * Notes that a gatekeeper is deciding, or is not any more. It ends by itself some minutes after it was told last. Of others it
 * changes nothing.
 * @throws ProblemError `proof.beingDecided` while another of the gate is, `resource.notFound`
 */
export async function noteDeciding(
  deps: EngineDeps,
  context: SubscriberContext,
  { proofId, recipientId, isDeciding }: { proofId: string; recipientId: string; isDeciding: boolean },
): Promise<void> {
  await deps.database.withSubscriber(context, async (tx) => {
    // One at a time: of two who begin in the same moment, the second one sees the first.
    await tx.$queryRaw`select 1 from proofs where id = ${proofId} for update`;
    const proof = await demandProof(tx, proofId);
    if (!sharesGate(proof, recipientId)) return;
    const other = isDeciding ? await decidingNow(tx, proof, recipientId) : null;
    if (other) throw problem('proof.beingDecided', { by: other.by });
    await tx.$executeRaw`
      update proof_recipients
         set deciding_until = case when ${isDeciding} then clock_timestamp() + make_interval(mins => ${lockMinutes}::int) end
       where id = ${recipientId}`;
  });
}
