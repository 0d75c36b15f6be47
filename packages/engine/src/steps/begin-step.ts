import { storedAs, type Transaction } from '@pdf2press/prisma';
import {
  type EffectOutcome,
  type StepContext,
  type StepContract,
  type StepEffect,
  stepContracts,
} from '@pdf2press/steps/contracts';
import { type EngineDeps, system } from '../deps.ts';
import type { StepRunInput } from '../sessions/next-step.ts';
import { lockSession, takesResults } from '../sessions/session-row.ts';
import { loadVersion, type PublishedVersion } from '../workflows/definition.ts';
import type { ClaimedStep } from './claim-step.ts';
import { columnsOfHeld, fileOfHeld, type HeldRow, type HeldSession, heldSessionOf } from './held-session.ts';

/** Everything that a step needs, except the bytes. */
export interface BegunStep {
  version: PublishedVersion;
  input: StepRunInput;
  isTrial: boolean;
  /** The trace of its session. */
  trace: string | null;
  context: HeldSession & Pick<StepContext, 'settings' | 'profile' | 'outcomes'>;
}

/**
 * Moves the session to Processing, writes the beginning into history and reads what the step needs: one statement, because
 * this is done for every step and most of the cost of a small step is round trips. No row = the claim is lost.
 */
async function markAndRead(tx: Transaction, step: ClaimedStep): Promise<HeldRow | undefined> {
  const data = JSON.stringify({ nodeId: step.nodeId, kind: step.kind, attempt: step.attempt });
  const rows = await tx.$queryRaw<HeldRow[]>`
    with held as (
      select id, session_id, run_no, input, started_at from step_runs
       where id = ${step.id} and epoch = ${step.epoch} and status = 'Running'),
    processing as (
      update sessions set status = 'Processing', started_at = coalesce(started_at, clock_timestamp()),
                          version = version + 1, updated_at = clock_timestamp()
       where id = (select session_id from held) and status <> 'Processing'),
    begun as (
      insert into session_events (session_id, step_run_id, run_no, kind, actor, data, cause_key)
      select session_id, id, run_no, 'StepStarted', ${JSON.stringify(system)}::jsonb, ${data}::jsonb,
             ${`${step.id} started ${step.epoch}`}
        from held
       where not exists (
         select 1 from effects
          where effects.subscriber_id = current_subscriber() and effects.step_run_id = held.id)
      on conflict (subscriber_id, cause_key) do nothing),
    ${fileOfHeld}
    ${columnsOfHeld}`;
  return rows[0];
}

/** How the effects ended that a step asked for, in the order in which it did. */
async function outcomesOf(tx: Transaction, stepRunId: string): Promise<EffectOutcome[]> {
  const rows = await tx.effect.findMany({
    where: { stepRunId },
    orderBy: { key: 'asc' },
    select: { kind: true, payload: true, state: true, answer: true, lastError: true, attempt: true },
  });
  return rows.map(({ kind, payload, state, answer, lastError, attempt }) => ({
    // What was recorded for this step is what it asked for.
    effect: storedAs<StepEffect>({ kind, payload }),
    isDone: state === 'Done',
    answer,
    error: lastError,
    tries: attempt,
  }));
}

/**
 * Marks the session as processing, records that the step began, and reads what it needs. Undefined = the claim or the
 * session no longer exists.
 */
export function beginStep(deps: EngineDeps, step: ClaimedStep): Promise<BegunStep | undefined> {
  return deps.database.withSubscriber({ subscriberId: step.subscriberId }, async (tx) => {
    const session = await lockSession(tx, step.sessionId);
    if (!takesResults(session, step.runNo)) return undefined;
    const row = await markAndRead(tx, step);
    if (!row) return undefined;
    const version = await loadVersion(tx, session.workflowVersionId);
    const node = version.definition.steps.find((candidate) => candidate.id === step.nodeId);
    if (!node) throw new Error(`version ${version.id} has no step ${step.nodeId}`);
    const { profileId } = node.settings;
    const profile = typeof profileId === 'string' ? version.profiles[profileId] : undefined;
    const known = heldSessionOf(row, { ...step, step: { id: step.id, kind: step.kind, name: node.name }, version });
    const contract: StepContract = stepContracts[step.kind];
    const outcomes = contract.asksForEffects ? await outcomesOf(tx, step.id) : [];
    const more = { ...(profile && { profile }), ...(outcomes.length > 0 && { outcomes }) };
    const context = { ...known, settings: node.settings, ...more };
    return { version, input: row.input, isTrial: session.isTrial, trace: session.trace, context };
  });
}
