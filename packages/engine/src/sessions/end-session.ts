import { type ErrorParams, isDone, type SessionEvent, type SessionStatus } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { Actor } from '../deps.ts';
import { writeEvents } from './events.ts';
import { endNotices, tellOfFailure } from './notices.ts';
import { cancelOpenSteps } from './session-row.ts';

const eventOf: Partial<Record<SessionStatus, SessionEvent['kind']>> = {
  Completed: 'Completed',
  CompletedWithWarnings: 'Completed',
  Failed: 'Failed',
  CanceledByUser: 'Cancelled',
  CanceledByOperator: 'Cancelled',
  Rerouted: 'Rerouted',
};

export interface SessionEnd {
  sessionId: string;
  runNo: number;
  status: SessionStatus;
  stepRunId?: string;
  actor?: Actor;
  failure?: { code: string; params: ErrorParams };
  data?: Record<string, unknown>;
}

/** Ends a run of a locked session and all its open steps. An ended run stays ended; only a restart begins a new run. */
export async function endSession(tx: Transaction, end: SessionEnd): Promise<void> {
  await cancelOpenSteps(tx, end.sessionId);
  await tx.$executeRaw`
    update sessions
       set status = ${end.status}::session_status, finished_at = clock_timestamp(), updated_at = clock_timestamp(),
           version = version + 1, stop_requested_at = null, error_code = ${end.failure?.code ?? null},
           error_params = ${end.failure ? JSON.stringify(end.failure.params) : null}::jsonb
     where id = ${end.sessionId}`;
  if (end.status === 'Failed') await tellOfFailure(tx, end.sessionId);
  else if (isDone(end.status)) await endNotices(tx, end.sessionId, ['session.assigned']);
  const kind = eventOf[end.status];
  if (!kind) return;
  await writeEvents(tx, [
    {
      sessionId: end.sessionId,
      runNo: end.runNo,
      kind,
      cause: `${end.sessionId} run ${end.runNo} ended`,
      ...(end.actor && { actor: end.actor }),
      ...(end.stepRunId && { stepRunId: end.stepRunId }),
      data: { status: end.status, ...(end.failure && { failure: end.failure }), ...end.data },
    },
  ]);
}
