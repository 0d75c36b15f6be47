import type { VariableValues } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { Actor } from '../deps.ts';
import { writeEvents } from './events.ts';
import type { SessionRow } from './session-row.ts';

/**
 * Writes values of a session's variables that differ from those it had, each with its event. The session is locked.
 * @param cause beginning of the events' cause; the name of the variable follows
 * @returns the values that have changed
 */
export async function writeVariables(
  tx: Transaction,
  {
    session,
    before,
    values,
    by,
    cause,
    stepRunId,
  }: {
    session: SessionRow;
    before: VariableValues;
    values: VariableValues;
    by: Actor;
    cause: string;
    stepRunId?: string;
  },
): Promise<VariableValues> {
  const changed = Object.entries(values).filter(([name, value]) => value !== (before[name] ?? null));
  if (changed.length === 0) return {};
  const written = Object.fromEntries(changed);
  await tx.$executeRaw`
    update sessions set variables = variables || ${JSON.stringify(written)}::jsonb,
                        version = version + 1, updated_at = clock_timestamp()
     where id = ${session.id}`;
  await writeEvents(
    tx,
    changed.map(([name, value]) => ({
      sessionId: session.id,
      ...(stepRunId !== undefined && { stepRunId }),
      runNo: session.runNo,
      kind: 'VariableSet',
      cause: `${cause} ${name}`,
      actor: by,
      data: { name, from: before[name] ?? null, to: value },
    })),
  );
  return written;
}
