import { type ErrorParams, type FileFault, FileFaultError, ProblemError } from '@pdf2press/contract';
import { Prisma } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { interval } from '../postgres/interval.ts';
import { isDiskFull } from '../postgres/postgres-errors.ts';
import { storable } from '../postgres/storable.ts';
import { backoff, classOf, mayRetry, type Tries } from '../retry.ts';
import { endSession } from '../sessions/end-session.ts';
import { writeEvents } from '../sessions/events.ts';
import { lockSession, takesResults } from '../sessions/session-row.ts';
import type { Timing } from '../timing.ts';
import type { ClaimedStep } from './claim-step.ts';
import { LostStepError } from './record-result.ts';
import { tellSenderOf } from './tell-sender-of.ts';

/**
 * A failure as it is stored: a stable code with parameters; the screen that shows it has the sentence in the reader's
 * language.
 */
export interface Failure {
  code: FileFault;
  params: ErrorParams;
}

/** The failure's code; an error without a code is a fault of this program. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FileFaultError) return { code: error.code, params: storable(error.params) };
  if (isDiskFull(error)) return { code: 'STORAGE_FULL', params: {} };
  if (error instanceof ProblemError)
    return { code: 'STORAGE_UNAVAILABLE', params: { problem: error.problems[0]?.code ?? '' } };
  return { code: 'INTERNAL', params: {} };
}

interface Row extends Tries {
  age: number;
}

/**
 * Records that a step failed: it is tried again, or it ends the session. Checks the epoch as a result does.
 * @throws LostStepError when the step belongs to another worker by now
 */
export async function recordFailure(
  deps: EngineDeps,
  step: ClaimedStep,
  failure: Failure,
  timing: Timing,
): Promise<void> {
  const kind = classOf(failure.code);
  await deps.database.withSubscriber({ subscriberId: step.subscriberId }, async (tx) => {
    const session = await lockSession(tx, step.sessionId);
    if (!takesResults(session, step.runNo)) throw new LostStepError();
    const [row] = await tx.$queryRaw<Row[]>`
      select crash_count as "crashCount", resource_count as "resourceCount", remote_count as "remoteCount",
             (extract(epoch from clock_timestamp() - coalesce(started_at, created_at)) * 1000)::float8 as age
        from step_runs where id = ${step.id} and epoch = ${step.epoch} and status = 'Running' for update`;
    if (!row) throw new LostStepError();
    const isRetried = mayRetry(kind, row, row.age, timing.remotePatience);
    const pause =
      kind === 'remote'
        ? backoff(timing.remoteBackoff, row.remoteCount, timing.remoteBackoffMax) * (0.75 + Math.random() / 2)
        : 0;
    const again = Prisma.sql`
      status = 'Ready', dispatched_at = null, ready_at = clock_timestamp() + ${interval(pause)},
      is_heavy = is_heavy or ${kind === 'resource'}`;
    await tx.$executeRaw`
      update step_runs
         set crash_count = crash_count + ${kind === 'crash' ? 1 : 0}, resource_count = resource_count + ${kind === 'resource' ? 1 : 0},
             remote_count = remote_count + ${kind === 'remote' ? 1 : 0}, progress = null,
             error_code = ${failure.code}, error_params = ${JSON.stringify(failure.params)}::jsonb,
             lease_owner = null, lease_until = null,
             ${isRetried ? again : Prisma.sql`status = 'Failed', ended_at = clock_timestamp()`}
       where id = ${step.id}`;
    const about = { sessionId: step.sessionId, stepRunId: step.id, runNo: step.runNo };
    await writeEvents(tx, [
      {
        ...about,
        kind: isRetried ? 'StepRetried' : 'StepFailed',
        cause: `${step.id} failed ${step.epoch}`,
        data: { nodeId: step.nodeId, kind: step.kind, failure: { ...failure }, attempt: step.attempt },
      },
    ]);
    if (isRetried) return;
    await endSession(tx, { ...about, status: 'Failed', failure });
    await tellSenderOf(tx, step, [failure]);
  });
}
