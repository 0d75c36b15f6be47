import { isFinal, type ResultLevel, type SessionStatus } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';

/** What the engine decides by; read under lock. */
export interface SessionRow {
  id: string;
  runNo: number;
  status: SessionStatus;
  archiveState: string;
  version: number;
  isStopped: boolean;
  isDeleted: boolean;
  workflowVersionId: string;
  result: ResultLevel | null;
}

/**
 * Locks a session for the rest of the transaction. Whatever changes a session or its steps takes this lock first: so
 * there is one order of locks, and commands and results of one session come one after the other.
 */
export async function lockSession(tx: Transaction, sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await tx.$queryRaw<SessionRow[]>`
    select id, run_no as "runNo", status::text as status, archive_state::text as "archiveState", version,
           stop_requested_at is not null as "isStopped", deleted_at is not null as "isDeleted",
           workflow_version_id as "workflowVersionId", result::text as result
      from sessions where id = ${sessionId} for update`;
  return row;
}

/** Whether the session still takes results of this run. */
export const takesResults = (session: SessionRow | undefined, runNo: number): session is SessionRow =>
  session !== undefined &&
  session.runNo === runNo &&
  !session.isDeleted &&
  !session.isStopped &&
  !isFinal(session.status);

/** Ends what is still to be done in a session's runs; a worker that is at it finds its epoch gone. */
export const cancelOpenSteps = (tx: Transaction, sessionId: string): Promise<number> =>
  tx.$executeRaw`
    update step_runs
       set status = 'Canceled', epoch = epoch + 1, lease_owner = null, lease_until = null, ended_at = clock_timestamp()
     where session_id = ${sessionId} and status in ('Blocked', 'Ready', 'Running', 'Waiting')`;

/** Tells workers to look whether what they run is still wanted. */
export const announceStop = (tx: Transaction, sessionId: string): Promise<unknown> =>
  tx.$queryRaw`select pg_notify('pdf2press_stops', ${sessionId})::text`;

/** Tells the pump that steps may run. */
export const announceSteps = (tx: Transaction): Promise<unknown> =>
  tx.$queryRaw`select pg_notify('pdf2press_steps', '')::text`;
