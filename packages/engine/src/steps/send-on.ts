import { type ErrorParams, type FileFault, ProblemError, priorityAt } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { StepResult } from '@pdf2press/steps/contracts';
import { system } from '../deps.ts';
import { startSession } from '../sessions/start-session.ts';
import type { BegunStep } from './begin-step.ts';
import type { ClaimedStep } from './claim-step.ts';

/** How many times workflows may reroute one file. */
const maxReroutes = 10;

/** Whether the workflow processed the same file before, in this session or in one that it was rerouted from. */
async function hadFile(
  tx: Transaction,
  sessionId: string,
  to: { workflowId: string; sha256: string },
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    with recursive line as (
      select id, parent_session_id, workflow_id from sessions where id = ${sessionId}
      union all
      select parent.id, parent.parent_session_id, parent.workflow_id
        from sessions parent join line on parent.id = line.parent_session_id)
    select 1 from line join files on files.session_id = line.id and files.kind = 'OriginalFile'
     where line.workflow_id = ${to.workflowId} and files.sha256 = ${to.sha256} limit 1`;
  return rows.length > 0;
}

/**
 * Begins the session in the workflow that a result reroutes its file to, in the same transaction. Other results are
 * returned unchanged; one that cannot be rerouted becomes a failure with the reason. When a result is recorded again, no
 * second session begins: the new session is identified by the step's session and run.
 */
export async function sendOn(
  tx: Transaction,
  { step, begun, result }: { step: ClaimedStep; begun: BegunStep; result: StepResult },
): Promise<StepResult> {
  if (result.end !== 'session' || !result.reroute) return result;
  const { workflowId, file: which, carriesVariables } = result.reroute;
  const { end: _, status: __, reroute: ___, ...shown } = result;
  const fails = (code: FileFault, params: ErrorParams): StepResult => ({
    ...shown,
    end: 'failure',
    failure: { code, params },
  });
  const { file: current, original, session, workflow } = begun.context;
  const { sha256, size, name, mediaType } = which === 'original' ? original : current;
  if (session.rerouteCount >= maxReroutes) return fails('REROUTE_LIMIT', { max: maxReroutes });
  if (await hadFile(tx, step.sessionId, { workflowId, sha256 })) return fails('REROUTE_LOOP', {});
  const from = await tx.session.findUniqueOrThrow({
    where: { id: step.sessionId },
    select: { organizationId: true, priority: true },
  });
  try {
    const { sessionId: to } = await startSession(tx, {
      workflowId,
      source: 'InjectedFromPreviousWorkflow',
      sourceName: workflow.name,
      ingest: { kind: 'reroute', key: `${step.sessionId} ${step.runNo}` },
      file: { sha256, size, name, mediaType },
      variables: carriesVariables ? session.variables : {},
      parentSessionId: step.sessionId,
      rerouteCount: session.rerouteCount + 1,
      priority: priorityAt(from.priority),
      createdBy: system,
      ...(from.organizationId !== null && { organizationId: from.organizationId }),
    });
    return { ...result, summary: { ...result.summary, to } };
  } catch (error) {
    // The other workflow takes no files: it was deleted, is disabled, or needs variables that are missing.
    if (error instanceof ProblemError) return fails('REROUTE_REFUSED', { problem: error.problems[0]?.code ?? '' });
    throw error;
  }
}
