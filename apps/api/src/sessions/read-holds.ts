import {
  actionPermissions,
  type HoldField,
  holdAnswers,
  isHoldAnswer,
  type ListedHold,
  mayAct,
  problem,
  type SessionAction,
  type SessionHold,
  type VariableValues,
  type WorkflowDefinition,
} from '@pdf2press/contract';
import { assigneeNames } from '@pdf2press/engine';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';

/** The ids under which decisions are assigned to the caller: a person's own and those of the roles. */
export const assignedTo = (caller: Caller): readonly string[] =>
  caller.kind === 'user' ? [caller.id, ...caller.roleIds] : [];

/** An open wait of a step that holds a session. */
export const openHold = {
  kind: 'hold',
  decidedAt: null,
  stepRun: { status: 'Waiting' },
} as const satisfies Prisma.WaitWhereInput;

type HoldRow = Pick<
  Prisma.WaitGetPayload<object>,
  | 'sessionId'
  | 'stepRunId'
  | 'allowed'
  | 'assigneeId'
  | 'data'
  | 'dueAt'
  | 'onDue'
  | 'escalateAt'
  | 'escalateTo'
  | 'createdAt'
>;

const readHolds = (tx: Transaction, sessionIds: readonly string[]): Promise<HoldRow[]> =>
  tx.wait.findMany({ where: { ...openHold, sessionId: { in: [...sessionIds] } } });

const namesOf = (tx: Transaction, rows: readonly HoldRow[]) =>
  assigneeNames(tx, [
    ...new Set(rows.flatMap(({ assigneeId, escalateTo }) => [assigneeId, escalateTo].filter((id) => id !== null))),
  ]);

function listedHoldOf(caller: Caller, names: ReadonlyMap<string, string>, row: HoldRow): ListedHold {
  const { assigneeId, allowed } = row;
  return {
    answers: holdAnswers.filter((answer) => allowed.includes(answer)),
    assignee: assigneeId === null ? null : { id: assigneeId, name: names.get(assigneeId) ?? null },
    isMine: assigneeId !== null && assignedTo(caller).includes(assigneeId),
  };
}

/** The holds that sessions wait in, by session. */
export async function listHolds(
  tx: Transaction,
  caller: Caller,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, ListedHold>> {
  if (sessionIds.length === 0) return new Map();
  const rows = await readHolds(tx, sessionIds);
  const names = await namesOf(tx, rows);
  return new Map(rows.map((row) => [row.sessionId, listedHoldOf(caller, names, row)]));
}

/** The hold that a session waits in, with all that the person who decides needs. */
export async function readHold(
  tx: Transaction,
  caller: Caller,
  session: { id: string; variables: VariableValues; definition: WorkflowDefinition },
): Promise<SessionHold | null> {
  const [row] = await readHolds(tx, [session.id]);
  if (!row) return null;
  const names = await namesOf(tx, [row]);
  const {
    reason = '',
    fields = [],
    releaseWhen = null,
  } = storedAs<{ reason?: string; fields?: HoldField[]; releaseWhen?: string }>(row.data);
  const { escalateAt, escalateTo } = row;
  return {
    ...listedHoldOf(caller, names, row),
    stepRunId: row.stepRunId,
    reason,
    since: row.createdAt.toISOString(),
    dueAt: row.dueAt?.toISOString() ?? null,
    onDue: row.onDue === 'continue' || row.onDue === 'cancel' ? row.onDue : null,
    escalation:
      escalateAt && escalateTo !== null
        ? { at: escalateAt.toISOString(), to: { id: escalateTo, name: names.get(escalateTo) ?? null } }
        : null,
    releaseWhen,
    fields: fields.flatMap(({ variable: name, use }) => {
      const variable = session.definition.variables.find((one) => one.name === name);
      return variable ? [{ variable, use, value: session.variables[name] ?? null }] : [];
    }),
  };
}

/**
 * Who may take an action on a session: whoever has its permission, and the assignee of a hold whose step offers it.
 * @throws ProblemError `access.denied` naming the permission
 */
export async function demandAction(
  deps: ApiDeps,
  caller: Caller,
  { action, sessionId }: { action: SessionAction; sessionId: string },
): Promise<void> {
  const permission = actionPermissions[action];
  if (caller.permissions.has(permission)) return;
  const hold = isHoldAnswer(action)
    ? (await asCaller(deps, caller, (tx) => listHolds(tx, caller, [sessionId]))).get(sessionId)
    : undefined;
  if (!mayAct(action, hold ?? null, (name) => caller.permissions.has(name)))
    throw problem('access.denied', { permission });
}
