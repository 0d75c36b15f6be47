import type { Transaction } from '@pdf2press/prisma';
import type { StepResult } from '@pdf2press/steps/contracts';
import { type FoundInFile, tellSender } from '../sessions/answer-sender.ts';
import type { ClaimedStep } from './claim-step.ts';

/** Why a result says that the file, or files in it, are not used. */
export function refusedIn(result: StepResult): FoundInFile[] {
  const skipped = (result.summary?.skipped ?? []) as readonly FoundInFile[];
  return [...(result.end === 'failure' ? [result.failure] : []), ...skipped];
}

/**
 * Tells the sender of the file what the step that opens it found. Later steps judge what a workflow is for, and a restart is
 * somebody's who knows: of these nothing is told.
 */
export async function tellSenderOf(
  tx: Transaction,
  step: ClaimedStep,
  problems: readonly FoundInFile[],
): Promise<void> {
  if (step.kind === 'Inject' && step.runNo === 1 && problems.length > 0)
    await tellSender(tx, { sessionId: step.sessionId, problems });
}
