import type { Problem } from '@pdf2press/contract';
import { answerSender, answerWaiting } from '@pdf2press/engine';
import type { SourceItem } from '@pdf2press/sources/contracts';
import type { IntakeDeps } from './deps.ts';
import type { Inlet } from './inlets.ts';

/** Notes what became of an item: null for one that was taken. */
export type NoteOutcome = (item: SourceItem, refusal: Pick<Problem, 'code' | 'params'> | null) => Promise<void>;

/**
 * Answers senders during one poll: recorded when the last item of what came together is taken or refused, before the original
 * is settled. After a crash in between all of it is found again, and the answer is known.
 */
export function createAnswers(deps: IntakeDeps, { subscriberId, workflowId }: Inlet): NoteOutcome {
  const open = new Map<string, Map<string, Pick<Problem, 'code' | 'params'> | null>>();
  return async ({ answer, externalId }, refusal) => {
    if (!answer) return;
    const outcomes = open.get(answer.key) ?? new Map();
    open.set(answer.key, outcomes.set(externalId, refusal));
    if (outcomes.size < answer.count) return;
    open.delete(answer.key);
    await answerSender(deps.engine, { subscriberId, workflowId, answer, outcomes: [...outcomes.values()] });
  };
}

/** Whether a file waits for room in the plan: people have to make some, and its sender is told. */
const isOverQuota = ({ code }: Pick<Problem, 'code'>): boolean => code.startsWith('quota.');

/** Tells the sender of an item that waits for room in the plan; once for all that came together. */
export async function tellWaiting(
  deps: IntakeDeps,
  { subscriberId, workflowId }: Inlet,
  { answer }: SourceItem,
  fault: Pick<Problem, 'code' | 'params'> | undefined,
): Promise<void> {
  if (!answer || !fault || !isOverQuota(fault)) return;
  await answerWaiting(deps.engine, { subscriberId, workflowId, answer, fault });
}
