import type { WorkflowDefinition } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { StepRunInput } from './begin-step.ts';
import { endSession } from './end-session.ts';
import { kindVersionOf } from './start-session.ts';

export interface NextStep {
  sessionId: string;
  runNo: number;
  nodeId: string;
  definition: WorkflowDefinition;
  outcome: string;
  input: StepRunInput;
}

/**
 * Makes the step at the other end of the edge that the outcome names. The row's key (session, run, node) makes a second
 * one impossible. An outcome without an edge cannot be published; met all the same, it ends the session as failed.
 */
export async function createNextStep(
  tx: Transaction,
  { definition, outcome, input, ...from }: NextStep,
): Promise<void> {
  const edge = definition.edges.find((candidate) => candidate.from === from.nodeId && candidate.outcome === outcome);
  const node = edge && definition.steps.find((step) => step.id === edge.to);
  if (!node) {
    const failure = { code: 'SETTINGS_INVALID', params: { field: `edges.${outcome}` } };
    await endSession(tx, { sessionId: from.sessionId, runNo: from.runNo, status: 'Failed', failure });
    return;
  }
  await tx.$executeRaw`
    insert into step_runs (id, session_id, run_no, node_id, kind, kind_version, input, is_heavy, priority)
    values (${newId('stepRun')}, ${from.sessionId}, ${from.runNo}, ${node.id}, ${node.kind}, ${kindVersionOf(node.kind)},
            ${JSON.stringify(input)}::jsonb, false, 0)
    on conflict do nothing`;
}
