import type { Transaction } from '@pdf2press/prisma';
import { deleteSession } from '../commands/session-commands.ts';
import { type EngineDeps, system } from '../deps.ts';
import { interval } from '../postgres/interval.ts';
import { keepProofTime } from '../proofs/keep-proof-time.ts';
import { backoff, maxLost } from '../retry.ts';
import { endSession } from '../sessions/end-session.ts';
import { writeEvents } from '../sessions/events.ts';
import { lockSession } from '../sessions/session-row.ts';
import type { Timing } from '../timing.ts';
import { type DueWait, keepTime } from '../waits/keep-time.ts';

/** A running step whose lease ran out. */
export interface ExpiredStep {
  id: string;
  subscriberId: string;
  sessionId: string;
  runNo: number;
  nodeId: string;
  epoch: number;
}

export const expiredSteps = (tx: Transaction): Promise<ExpiredStep[]> => tx.$queryRaw<ExpiredStep[]>`
  select id, subscriber_id as "subscriberId", session_id as "sessionId", run_no as "runNo", node_id as "nodeId", epoch
    from step_runs where status = 'Running' and lease_until < clock_timestamp() limit 200`;

const maxLostBackoff = 60_000;

/**
 * Takes a step from a worker that is lost and makes it ready again. The file did not cause this, so such losses have their
 * own counter and a high limit; beyond it the session fails with a code of its own.
 */
export async function releaseExpired(deps: EngineDeps, step: ExpiredStep, timing: Timing): Promise<void> {
  await deps.database.withSubscriber({ subscriberId: step.subscriberId }, async (tx) => {
    await lockSession(tx, step.sessionId);
    const [row] = await tx.$queryRaw<{ lost: number }[]>`
      select lost_count + 1 as lost from step_runs
       where id = ${step.id} and epoch = ${step.epoch} and status = 'Running' and lease_until < clock_timestamp()
         for update`;
    if (!row) return;
    const isOver = row.lost >= maxLost;
    const pause = row.lost === 1 ? 0 : backoff(timing.lostBackoff, row.lost - 2, maxLostBackoff);
    // The epoch is raised here already, so that the lost worker can write nothing from now on.
    await tx.$executeRaw`
      update step_runs
         set status = ${isOver ? 'Failed' : 'Ready'}::step_status, epoch = epoch + 1, lost_count = ${row.lost},
             error_code = 'WORKER_LOST', error_params = ${JSON.stringify({ count: row.lost })}::jsonb,
             lease_owner = null, lease_until = null, dispatched_at = null, progress = null,
             ready_at = clock_timestamp() + ${interval(pause)},
             ended_at = case when ${isOver} then clock_timestamp() end
       where id = ${step.id}`;
    const failure = { code: 'WORKER_LOST', params: { count: row.lost } };
    const about = { sessionId: step.sessionId, stepRunId: step.id, runNo: step.runNo };
    const kind = isOver ? 'StepFailed' : 'StepRetried';
    await writeEvents(tx, [
      { ...about, kind, cause: `${step.id} lost ${step.epoch}`, data: { nodeId: step.nodeId, failure } },
    ]);
    if (isOver) await endSession(tx, { ...about, status: 'Failed', failure });
  });
}

/** Handles what a run of the pump found. A failure in one item does not stop the others. */
export async function sweep(
  deps: EngineDeps,
  found: {
    expired: readonly ExpiredStep[];
    dueWaits: readonly DueWait[];
    oldTrials: readonly { id: string; subscriberId: string }[];
  },
  timing: Timing,
): Promise<void> {
  const work = [
    ...found.expired.map((step) => () => releaseExpired(deps, step, timing)),
    ...found.dueWaits.map((wait) => () => (wait.kind === 'proof' ? keepProofTime : keepTime)(deps, wait)),
    ...found.oldTrials.map(
      ({ id, subscriberId }) =>
        () =>
          deleteSession(deps, { subscriberId }, { sessionId: id, by: system }),
    ),
  ];
  for (const run of work) {
    try {
      await run();
    } catch (error) {
      deps.log?.({ level: 'warn', event: 'sweep.failed', error });
    }
  }
}
