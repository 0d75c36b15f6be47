import { approvalNeeds } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { writeEvents } from '../sessions/events.ts';
import { lockSession } from '../sessions/session-row.ts';
import type { DueWait } from '../waits/keep-time.ts';
import { proofEvent, writeTo } from './ask.ts';
import { decideByDeadline, tellHouse } from './decide-proof.ts';
import { isThroughGate } from './outcome.ts';
import { isWaiting, judgedOf, type ProofRow, pending, readProof, rulesOf, settingsOf, voters } from './proof-row.ts';

/**
 * Writes once more to those who have not decided, up to this many times; to whoever looked already only where the profile
 * says so.
 */
async function remind(tx: Transaction, proof: ProofRow, most = Number.POSITIVE_INFINITY): Promise<void> {
  const { stopsOnView } = settingsOf(proof).reminder;
  const late = pending(proof).filter(
    ({ firstViewedAt, remindersSent }) => remindersSent < most && (!stopsOnView || firstViewedAt === null),
  );
  for (const recipient of late) {
    const no = recipient.remindersSent + 1;
    await writeTo(tx, { proof, recipient, template: 'proofReminder', no });
    await tx.$executeRaw`update proof_recipients set reminders_sent = ${no} where id = ${recipient.id}`;
    const data = { name: recipient.name, email: recipient.email, no };
    await writeEvents(tx, [
      proofEvent(proof, { kind: 'ProofReminded', cause: `${recipient.id} reminded ${no}`, data }),
    ]);
  }
}

/** The next reminder comes after the profile's pause, as long as somebody may get one. */
async function remindAndPlan(tx: Transaction, proof: ProofRow, waitId: string): Promise<void> {
  const { everyHours, max } = settingsOf(proof).reminder;
  await remind(tx, proof, max);
  const isMore = pending(proof).some(({ remindersSent }) => remindersSent + 1 < max);
  await tx.$executeRaw`
    update waits
       set remind_at = case when ${isMore} then clock_timestamp() + make_interval(secs => ${everyHours * 3600}) end
     where id = ${waitId}`;
}

/** Closes the proof for its recipients; the house decides, or gives more time. */
async function holdProof(tx: Transaction, proof: ProofRow, waitId: string): Promise<void> {
  await tx.$executeRaw`update proofs set state = 'Held' where id = ${proof.id}`;
  await tx.$executeRaw`update waits set due_at = null, remind_at = null where id = ${waitId}`;
  await tellHouse(tx, proof);
  const cause = `${proof.id} held ${proof.dueAt?.toISOString()}`;
  await writeEvents(tx, [proofEvent(proof, { kind: 'ProofHeld', cause, data: {} })]);
}

async function atDeadline(tx: Transaction, proof: ProofRow, waitId: string): Promise<void> {
  const { policy, level } = judgedOf(proof);
  switch (settingsOf(proof).onDeadline) {
    case 'AutoApprove':
      // Silence accepts no findings and passes no gatekeeper.
      if (approvalNeeds[policy][level] === 'nothing' && isThroughGate(rulesOf(proof), voters(proof)))
        return decideByDeadline(tx, proof, 'Approved');
      return holdProof(tx, proof, waitId);
    case 'AutoDecline':
      return decideByDeadline(tx, proof, 'Declined');
    case 'Expire':
      return decideByDeadline(tx, proof, 'Expired');
    case 'Hold':
      return holdProof(tx, proof, waitId);
    default:
      await tx.$executeRaw`update waits set due_at = null where id = ${waitId}`;
      return remind(tx, proof);
  }
}

/** Does what is due at a proof, once: its deadline before a reminder. */
export async function keepProofTime(deps: EngineDeps, wait: DueWait): Promise<void> {
  await deps.database.withSubscriber({ subscriberId: wait.subscriberId }, async (tx) => {
    const { sessionId, stepRunId } = await tx.wait.findUniqueOrThrow({
      where: { id: wait.id },
      select: { sessionId: true, stepRunId: true },
    });
    await lockSession(tx, sessionId);
    const row = await tx.proof.findFirst({ where: { stepRunId }, select: { id: true } });
    const proof = row && (await readProof(tx, row.id));
    const [times] = await tx.$queryRaw<{ isOver: boolean }[]>`
      select coalesce(due_at <= clock_timestamp(), false) as "isOver" from waits
       where id = ${wait.id} and decided_at is null and least(due_at, remind_at) <= clock_timestamp()`;
    if (!proof || !times || !isWaiting(proof) || proof.state !== 'Open') return;
    if (times.isOver) await atDeadline(tx, proof, wait.id);
    else await remindAndPlan(tx, proof, wait.id);
    failpoint('insideWait');
  });
  failpoint('afterWait');
}
