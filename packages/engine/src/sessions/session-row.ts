import { isFinal, type ResultLevel, type SessionStatus } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { NoticeKind } from './notices.ts';

/** Whether a row of `sessions` is on legal hold. */
export const isHeld = Prisma.sql`coalesce(legal_hold, decisions #> '{retention,isLegalHold}' = 'true', false)`;

/** The columns that the engine decides by; read under lock. */
export interface SessionRow {
  id: string;
  runNo: number;
  status: SessionStatus;
  archiveState: string;
  version: number;
  isStopped: boolean;
  isDeleted: boolean;
  isTrial: boolean;
  isUrgent: boolean;
  /** On legal hold: by a person, or by its policy and not released by a person. */
  isHeld: boolean;
  workflowVersionId: string;
  result: ResultLevel | null;
  /** The trace that it was made in. */
  trace: string | null;
}

/**
 * Locks a session's row for the rest of the transaction. Whatever changes a session or its steps takes this lock first:
 * locks are always taken in one order, and commands and results of one session are serialized.
 */
export async function lockSession(tx: Transaction, sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await tx.$queryRaw<SessionRow[]>`
    select id, run_no as "runNo", status::text as status, archive_state::text as "archiveState", version,
           stop_requested_at is not null as "isStopped", deleted_at is not null as "isDeleted",
           is_trial as "isTrial", priority > 0 as "isUrgent", ${isHeld} and not is_trial as "isHeld",
           workflow_version_id as "workflowVersionId", result::text as result,
           trace
      from sessions where id = ${sessionId} for update`;
  return row;
}

/** Whether the session still accepts results of this run. */
export const takesResults = (session: SessionRow | undefined, runNo: number): session is SessionRow =>
  session !== undefined &&
  session.runNo === runNo &&
  !session.isDeleted &&
  !session.isStopped &&
  !isFinal(session.status);

/** What people are told while a step waits for one of them. */
const waitingNotices: readonly NoticeKind[] = ['hold.waiting', 'proof.waiting', 'proof.refused'];

/** Marks as read what people were told of a step that waits no more. */
export const closeNotices = (tx: Transaction, stepRunId: string): Promise<number> =>
  tx.$executeRaw`
    update notifications set read_at = clock_timestamp(), ended_at = clock_timestamp()
     where subscriber_id = current_subscriber() and kind = any(${waitingNotices}) and read_at is null
       and data->>'stepRunId' = ${stepRunId}`;

/**
 * Ends all open steps of a session; a worker that runs one finds its epoch changed. What a waiting step asked for and
 * nobody has begun is not done any more, a wait has no times any more, and nobody is told of it any more.
 */
export const cancelOpenSteps = (tx: Transaction, sessionId: string): Promise<number> =>
  tx.$executeRaw`
    with ended as (
      update step_runs
         set status = 'Canceled', epoch = epoch + 1, lease_owner = null, lease_until = null, ended_at = clock_timestamp()
       where session_id = ${sessionId} and status in ('Blocked', 'Ready', 'Running', 'Waiting')
      returning subscriber_id, id),
    timeless as (
      update waits set due_at = null, remind_at = null, escalate_at = null
        from ended where waits.subscriber_id = ended.subscriber_id and waits.step_run_id = ended.id),
    noticed as (
      update notifications set read_at = clock_timestamp(), ended_at = clock_timestamp()
        from ended
       where notifications.subscriber_id = ended.subscriber_id and kind = any(${waitingNotices}) and read_at is null
         and data->>'stepRunId' = ended.id)
    update effects set state = 'Dead', last_error = 'its step has ended'
      from ended
     where effects.subscriber_id = ended.subscriber_id and effects.step_run_id = ended.id and effects.state = 'Pending'`;

/** Tells workers to check whether the steps they run are still wanted. */
export const announceStop = (tx: Transaction, sessionId: string): Promise<unknown> =>
  tx.$queryRaw`select pg_notify('pdf2press_stops', ${sessionId})::text`;

/** Tells the pump that steps are ready to run. */
export const announceSteps = (tx: Transaction): Promise<unknown> =>
  tx.$queryRaw`select pg_notify('pdf2press_steps', '')::text`;
