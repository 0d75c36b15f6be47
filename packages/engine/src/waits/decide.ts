import { problem, type SessionStatus } from '@pdf2press/contract';
import { type SubscriberContext, storedAs, type Transaction } from '@pdf2press/prisma';
import type { Actor, EngineDeps } from '../deps.ts';
import { endSession } from '../sessions/end-session.ts';
import { writeEvents } from '../sessions/events.ts';
import { createNextStep, type StepRunInput } from '../sessions/next-step.ts';
import { closeNotices, lockSession } from '../sessions/session-row.ts';
import { loadVersion } from '../workflows/definition.ts';

export interface Decision {
  waitId: string;
  /** One of the wait's `allowed`. */
  decision: string;
  by: Actor;
  /** The step's own rule decides, whatever people may answer: what it waited for has come. */
  isRelease?: boolean;
  /** Stored with the decision: comment, accepted findings, address it came from. */
  data?: Record<string, unknown>;
}

/** Refuses a decision with the reason: somebody decided before, or the step is over. */
async function refuse(tx: Transaction, waitId: string, status: SessionStatus): Promise<never> {
  const wait = await tx.wait.findUniqueOrThrow({ where: { id: waitId } });
  if (!wait.decidedAt) throw problem('session.actionNotAllowed', { status });
  const by = storedAs<Actor | null>(wait.decidedBy)?.name ?? '';
  throw problem('session.alreadyDecided', { by, at: wait.decidedAt.toISOString(), decision: wait.decision });
}

/**
 * Decides a wait inside the caller's transaction, so that a caller that records more with the decision (for example a
 * proof) does it in the same transaction. A second decider is told who decided and when.
 * @throws ProblemError `session.alreadyDecided`, `session.deleted`, `session.actionNotAllowed`, `request.invalid`
 */
export async function decideIn(
  tx: Transaction,
  { waitId, decision, by, isRelease = false, data = {} }: Decision,
): Promise<void> {
  const wait = await tx.wait.findUnique({ where: { id: waitId }, include: { stepRun: true } });
  if (!wait) throw problem('resource.notFound');
  const session = await lockSession(tx, wait.sessionId);
  if (!session) throw problem('resource.notFound');
  if (session.isDeleted) throw problem('session.deleted');
  const isDue = by.kind === 'system' && decision === wait.onDue;
  if (!isDue && !isRelease && !wait.allowed.includes(decision)) throw problem('request.invalid', {}, 'decision');
  const decided = await tx.$executeRaw`
    update waits set decided_at = clock_timestamp(), decision = ${decision}, decided_by = ${JSON.stringify(by)}::jsonb,
                     decision_data = ${JSON.stringify(data)}::jsonb, due_at = null, remind_at = null, escalate_at = null
     where id = ${waitId} and decided_at is null
       and exists (select 1 from step_runs where id = ${wait.stepRunId} and status = 'Waiting')`;
  if (decided === 0) return refuse(tx, waitId, session.status);
  const { stepRun } = wait;
  const isCancel = decision === 'cancel';
  const { leavesBy } = storedAs<{ leavesBy?: string }>(wait.data);
  const outcome = (decision === 'continue' && leavesBy) || decision;
  await tx.$executeRaw`
    update step_runs set status = ${isCancel ? 'Canceled' : 'Succeeded'}::step_status, outcome = ${outcome},
                         ended_at = clock_timestamp()
     where id = ${stepRun.id} and status = 'Waiting'`;
  await closeNotices(tx, stepRun.id);
  const about = { sessionId: session.id, stepRunId: stepRun.id, runNo: session.runNo, actor: by };
  await writeEvents(tx, [
    { ...about, kind: 'HoldReleased', cause: `${waitId} decided`, data: { waitId, kind: wait.kind, decision } },
  ]);
  if (isCancel) {
    const status = by.kind === 'customer' ? 'CanceledByUser' : 'CanceledByOperator';
    await endSession(tx, { sessionId: session.id, runNo: session.runNo, status, actor: by });
    return;
  }
  await tx.$executeRaw`
    update sessions set status = 'Processing', version = version + 1, updated_at = clock_timestamp() where id = ${session.id}`;
  const version = await loadVersion(tx, session.workflowVersionId);
  const { fileId } = storedAs<StepRunInput>(stepRun.input);
  const next = { sessionId: session.id, runNo: session.runNo, nodeId: stepRun.nodeId, definition: version.definition };
  await createNextStep(tx, { ...next, outcome, input: { fileId } });
}

/** Decides a wait in a transaction of its own; see `decideIn`. */
export const decide = (deps: EngineDeps, context: SubscriberContext, decision: Decision): Promise<void> =>
  deps.database.withSubscriber(context, (tx) => decideIn(tx, decision));
