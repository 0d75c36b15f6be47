import { newId, type Transaction, toJson } from '@pdf2press/prisma';
import type { StepWaits } from '@pdf2press/steps/contracts';
import { writeEvents } from '../sessions/events.ts';
import { tell } from '../sessions/notices.ts';

/** Puts the session on hold until a decision is made. No worker slot is occupied meanwhile. */
export async function holdSession(
  tx: Transaction,
  step: { id: string; sessionId: string; runNo: number },
  wait: StepWaits<string>['wait'],
): Promise<void> {
  const id = newId('wait');
  await tx.wait.create({
    data: {
      id,
      sessionId: step.sessionId,
      stepRunId: step.id,
      kind: wait.kind,
      allowed: [...wait.allowed],
      data: toJson({ ...wait.data, ...(wait.leavesBy && { leavesBy: wait.leavesBy }) }),
      assigneeId: wait.assigneeId ?? null,
      dueAt: wait.dueAt ?? null,
      onDue: wait.onDue ?? null,
      remindAt: wait.remindAt ?? null,
      escalateAt: wait.escalation?.at ?? null,
      escalateTo: wait.escalation?.to ?? null,
    },
    select: { id: true },
  });
  await tx.$executeRaw`
    update sessions set status = 'OnHold', version = version + 1, updated_at = clock_timestamp() where id = ${step.sessionId}`;
  // A hold that is nobody's in particular waits for everybody who may decide; a proof waits for its recipients.
  if (wait.kind === 'hold')
    await tell(tx, {
      kind: 'hold.waiting',
      sessionId: step.sessionId,
      stepRunId: step.id,
      to: wait.assigneeId === undefined ? { permission: 'sessions.hold.decide' } : { ids: [wait.assigneeId] },
    });
  await writeEvents(tx, [
    {
      sessionId: step.sessionId,
      stepRunId: step.id,
      runNo: step.runNo,
      kind: 'HoldEntered',
      cause: `${id} entered`,
      data: { waitId: id, kind: wait.kind, allowed: [...wait.allowed], dueAt: wait.dueAt?.toISOString() ?? null },
    },
  ]);
}
