import type { Transaction } from '@pdf2press/prisma';
import { lockSession } from '../sessions/session-row.ts';

/**
 * Makes a step ready to run again when the last of the effects that it waits for has ended; for the transaction that ends
 * one. A step that is over by now stays as it is.
 */
export async function wakeStep(
  tx: Transaction,
  { sessionId, stepRunId }: { sessionId: string | null; stepRunId: string | null },
): Promise<void> {
  if (stepRunId === null || sessionId === null) return;
  // Of two effects that end at the same time, the second waits here and then sees the end of the first.
  await lockSession(tx, sessionId);
  await tx.$executeRaw`
    update step_runs
       set status = 'Ready', attempt = attempt - 1, dispatched_at = null, ready_at = clock_timestamp()
     where id = ${stepRunId} and status = 'Waiting' and not exists (
       select 1 from effects
        where subscriber_id = current_subscriber() and step_run_id = ${stepRunId} and state in ('Pending', 'Sending'))`;
}
