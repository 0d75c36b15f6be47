import type { SessionEvent } from '@pdf2press/contract';
import { type Database, Prisma, type SubscriberContext, type Transaction } from '@pdf2press/prisma';
import { type Actor, system } from '../deps.ts';
import { announce, announcementsOf } from './announce.ts';

export interface NewEvent {
  sessionId: string;
  runNo: number;
  kind: SessionEvent['kind'];
  /** Events with the same cause are written once, however often the cause is retried. */
  cause: string;
  actor?: Actor;
  stepRunId?: string;
  data?: Record<string, unknown>;
}

/** The insertion of `writeEvents`, for a statement that writes more than history. */
export function insertEvents(events: readonly NewEvent[]): Prisma.Sql {
  const rows = events.map((event) => ({
    session_id: event.sessionId,
    step_run_id: event.stepRunId ?? null,
    run_no: event.runNo,
    kind: event.kind,
    actor: event.actor ?? system,
    data: event.data ?? {},
    cause_key: event.cause,
  }));
  return Prisma.sql`
    insert into session_events (session_id, step_run_id, run_no, kind, actor, data, cause_key)
    select session_id, step_run_id, run_no, kind, actor, data, cause_key
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as event (session_id text, step_run_id text, run_no int, kind text, actor jsonb, data jsonb, cause_key text)
    on conflict (subscriber_id, cause_key) do nothing`;
}

/**
 * Appends to history, in the transaction of the cause, and announces what the session's communication profile writes
 * about. The caller holds the lock on the session's row, so that the numbers
 * of one session rise in the order of what happened.
 */
export async function writeEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  await tx.$executeRaw(insertEvents(events));
  await announce(tx, announcementsOf(events));
}

interface EventRow {
  seq: bigint;
  session_id: string;
  step_run_id: string | null;
  run_no: number;
  kind: SessionEvent['kind'];
  actor: Actor;
  data: Record<string, unknown>;
  at: Date;
}

export interface EventQuery {
  /** Only events of this session. Without it and `trialId`: of all sessions that the context may see, except trials. */
  sessionId?: string | undefined;
  /** Only events of the sessions of this trial of a workflow. */
  trialId?: string | undefined;
  /** Events after this number; 0 = from the beginning. */
  after: number;
  /** Default 500. */
  limit?: number;
}

/**
 * Events in order of their numbers. A number is assigned before its transaction commits, so a reader that went on after the
 * highest number seen could miss events of a slower transaction; reading stops below the oldest open transaction.
 */
export async function readEvents(
  database: Database,
  context: SubscriberContext,
  { sessionId, trialId, after, limit = 500 }: EventQuery,
): Promise<SessionEvent[]> {
  const ofWhat = sessionId
    ? Prisma.sql`session_id = ${sessionId}`
    : trialId
      ? Prisma.sql`session_id in (
          select trial.id from sessions trial where trial.is_trial and trial.workflow_version_id = ${trialId})`
      : Prisma.sql`not exists (
          select 1 from sessions trial where trial.id = session_events.session_id and trial.is_trial)`;
  const rows = await database.withSubscriber(
    context,
    (tx) => tx.$queryRaw<EventRow[]>`
      select seq, session_id, step_run_id, run_no, kind, actor, data, at
        from session_events
       where subscriber_id = ${context.subscriberId} and seq > ${after}::bigint
         and ${ofWhat}
         and transaction < pg_snapshot_xmin(pg_current_snapshot())
       order by seq limit ${limit}`,
  );
  return rows.map((row) => ({
    seq: Number(row.seq),
    sessionId: row.session_id,
    kind: row.kind,
    at: row.at.toISOString(),
    actor: { kind: row.actor.kind, name: row.actor.name },
    stepRunId: row.step_run_id,
    runNumber: row.run_no,
    data: row.data,
  }));
}
