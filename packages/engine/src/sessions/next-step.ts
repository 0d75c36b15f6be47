import type { VariableValues, WorkflowDefinition } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import { endSession } from './end-session.ts';
import { kindVersionOf } from './start-session.ts';

/** What one step passes to the next. */
export interface StepRunInput {
  /** The current file. */
  fileId: string;
  /** Only in the first step of a run: the variables as they were given, for a restart. */
  variables?: VariableValues;
}

export interface NextStep {
  sessionId: string;
  runNo: number;
  nodeId: string;
  definition: WorkflowDefinition;
  outcome: string;
  input: StepRunInput;
}

/**
 * Makes the step that the outcome's edge leads to. The row's key (session, run, node) makes a second one impossible. A
 * workflow with an outcome without an edge cannot be published; should it occur all the same, the session ends as failed.
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
    insert into step_runs (id, session_id, run_no, node_id, kind, kind_version, input, is_heavy)
    values (${newId('stepRun')}, ${from.sessionId}, ${from.runNo}, ${node.id}, ${node.kind}, ${kindVersionOf(node.kind)},
            ${JSON.stringify(input)}::jsonb, false)
    on conflict do nothing`;
}
