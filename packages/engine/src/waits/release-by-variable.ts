import type { HoldField, VariableValues } from '@pdf2press/contract';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import type { Actor } from '../deps.ts';
import { decideIn } from './decide.ts';

interface Releasing {
  fields?: HoldField[];
  /** The variable whose value the hold waits for. */
  releaseWhen?: string;
}

const isMissing = (value: VariableValues[string] | undefined): boolean =>
  value === undefined || value === null || value === '';

/**
 * Lets a held session continue when the variable has a value that its step waits for, and every variable that must have one.
 * For the transaction that wrote the variables.
 * @returns whether it continues
 */
export async function releaseByVariable(
  tx: Transaction,
  { sessionId, variables, by }: { sessionId: string; variables: VariableValues; by: Actor },
): Promise<boolean> {
  const wait = await tx.wait.findFirst({
    where: { sessionId, kind: 'hold', decidedAt: null, stepRun: { status: 'Waiting' } },
    select: { id: true, data: true },
  });
  const { releaseWhen = '', fields = [] } = storedAs<Releasing>(wait?.data ?? {});
  const needed = fields.flatMap(({ variable, use }) => (use === 'required' ? [variable] : []));
  if (!wait || releaseWhen === '' || [releaseWhen, ...needed].some((name) => isMissing(variables[name]))) return false;
  const data = { releasedBy: releaseWhen };
  await decideIn(tx, { waitId: wait.id, decision: 'continue', by, isRelease: true, data });
  return true;
}
