import { type HoldField, ProblemError, problem, readVariables, type VariableValues } from '@pdf2press/contract';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { Actor } from '../deps.ts';
import type { SessionRow } from '../sessions/session-row.ts';
import { writeVariables } from '../sessions/write-variables.ts';
import { loadVersion } from '../workflows/definition.ts';

/** A wait whose step may ask for variables of the workflow. */
interface AskingWait {
  id: string;
  stepRunId: string;
  data: Prisma.JsonValue;
}

/**
 * Writes what a hold asked for to the session's variables, each change with its event. A variable that has a value already
 * need not be given again.
 * @returns the values that have changed
 */
export async function writeAnswers(
  tx: Transaction,
  { session, wait, given, by }: { session: SessionRow; wait: AskingWait; given: VariableValues; by: Actor },
): Promise<VariableValues> {
  const { fields = [] } = storedAs<{ fields?: HoldField[] }>(wait.data);
  const uses = new Map(fields.flatMap(({ variable, use }) => (use === 'shown' ? [] : [[variable, use]])));
  const stranger = Object.keys(given).find((name) => !uses.has(name));
  if (stranger !== undefined) throw problem('request.invalid', {}, `variables.${stranger}`);
  if (uses.size === 0) return {};
  const { definition } = await loadVersion(tx, session.workflowVersionId);
  const row = await tx.session.findUniqueOrThrow({ where: { id: session.id }, select: { variables: true } });
  const before = storedAs<VariableValues>(row.variables);
  const asked = definition.variables
    .filter(({ name }) => uses.has(name))
    .map((variable) => ({ ...variable, default: null, isRequired: uses.get(variable.name) === 'required' }));
  const known = Object.fromEntries(asked.map(({ name }) => [name, given[name] ?? before[name] ?? null]));
  const { values, problems } = readVariables(asked, { ...known, ...given });
  if (problems.length > 0) throw new ProblemError(problems.map((one) => ({ ...one, field: `variables.${one.field}` })));
  return writeVariables(tx, { session, before, values, by, cause: wait.id, stepRunId: wait.stepRunId });
}
