import {
  isActionOpen,
  isFinal,
  isHoldAnswer,
  problem,
  type SessionAction,
  type SessionPriority,
  sessionPriorities,
  type VariableValues,
} from '@pdf2press/contract';
import { newId, type SubscriberContext, storedAs, type Transaction } from '@pdf2press/prisma';
import type { Actor, EngineDeps } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { writeEvents } from '../sessions/events.ts';
import type { StepRunInput } from '../sessions/next-step.ts';
import { endNotices } from '../sessions/notices.ts';
import { announceSteps, announceStop, cancelOpenSteps, lockSession, type SessionRow } from '../sessions/session-row.ts';
import { kindVersionOf } from '../sessions/start-session.ts';

export interface SessionCommand {
  sessionId: string;
  by: Actor;
  /** The version of the session that the person saw; the command is refused when it has changed since. */
  version?: number;
  /** Runs last in the command's transaction, for the caller's audit row. */
  alongside?: (tx: Transaction) => Promise<void>;
}

/** @throws ProblemError `session.answerNotOffered` when a step holds the session that offers other answers */
async function demandOffered(tx: Transaction, { id, status }: SessionRow, action: SessionAction): Promise<void> {
  if (status !== 'OnHold' || !isHoldAnswer(action)) return;
  const wait = await tx.wait.findFirst({
    where: { sessionId: id, kind: 'hold', decidedAt: null, stepRun: { status: 'Waiting' } },
    select: { allowed: true },
  });
  if (wait && !wait.allowed.includes(action)) throw problem('session.answerNotOffered');
}

/**
 * Runs a command on a locked session whose status allows it. Commands take precedence over running steps: a step that ends
 * later finds its epoch changed and writes nothing.
 * @throws ProblemError `resource.notFound`, `resource.conflict`, `session.deleted`, `session.actionNotAllowed`,
 * `session.answerNotOffered`
 */
export async function command(
  deps: EngineDeps,
  context: SubscriberContext,
  { sessionId, version, alongside }: SessionCommand,
  action: SessionAction,
  work: (tx: Transaction, session: SessionRow) => Promise<void>,
): Promise<void> {
  await deps.database.withSubscriber(context, async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (!session) throw problem('resource.notFound');
    if (session.isDeleted) throw problem('session.deleted');
    if (version !== undefined && version !== session.version) throw problem('resource.conflict');
    if (!isActionOpen(action, session) || (session.isTrial && action !== 'delete'))
      throw problem('session.actionNotAllowed', { status: session.status });
    await demandOffered(tx, session, action);
    await work(tx, session);
    await alongside?.(tx);
    failpoint('insideDecision');
  });
  failpoint('afterDecision');
}

/** Stops a session at once: running steps are taken from their workers, which end the child process when notified. */
export const stopSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'stop', async (tx, session) => {
    await tx.$executeRaw`
      update sessions set status = 'OnHold', stop_requested_at = clock_timestamp(), version = version + 1,
                          updated_at = clock_timestamp()
       where id = ${session.id}`;
    await tx.$executeRaw`
      update step_runs
         set status = 'Ready', epoch = epoch + 1, attempt = attempt - 1, lease_owner = null, lease_until = null,
             dispatched_at = null, progress = null
       where session_id = ${session.id} and status = 'Running'`;
    await announceStop(tx, session.id);
    const cause = `${session.id} stopped ${session.version}`;
    await writeEvents(tx, [{ sessionId: session.id, runNo: session.runNo, kind: 'Stopped', cause, actor: ask.by }]);
  });

/** Lets a stopped session go on from where it was stopped. */
export const resumeSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'resume', async (tx, session) => {
    await tx.$executeRaw`
      update sessions
         set status = case when started_at is null then 'InQueue' else 'Processing' end::session_status,
             stop_requested_at = null, version = version + 1, updated_at = clock_timestamp()
       where id = ${session.id}`;
    await announceSteps(tx);
    const cause = `${session.id} resumed ${session.version}`;
    await writeEvents(tx, [{ sessionId: session.id, runNo: session.runNo, kind: 'Resumed', cause, actor: ask.by }]);
  });

const prioritizing =
  (action: 'prioritize' | 'deprioritize', priority: SessionPriority, kind: 'Prioritized' | 'Deprioritized') =>
  (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
    command(deps, context, ask, action, async (tx, session) => {
      const rank = sessionPriorities.indexOf(priority);
      await tx.$executeRaw`
        update sessions set priority = ${rank}, version = version + 1, updated_at = clock_timestamp()
         where id = ${session.id}`;
      await tx.$executeRaw`
        update step_runs set priority = ${rank}
         where session_id = ${session.id} and status in ('Blocked', 'Ready', 'Running', 'Waiting')`;
      const cause = `${session.id} ${action} ${session.version}`;
      await writeEvents(tx, [{ sessionId: session.id, runNo: session.runNo, kind, cause, actor: ask.by }]);
    });

/** Lets a session's steps run before all others of its subscriber. */
export const prioritizeSession = prioritizing('prioritize', 'Urgent', 'Prioritized');
/** Lets an urgent session's steps wait for their turn again. */
export const deprioritizeSession = prioritizing('deprioritize', 'Normal', 'Deprioritized');

/** What a run starts with. */
export interface RunBegin extends StepRunInput {
  nodeId: string;
}

/** What the newest run of a session started with. */
export async function readBegin(tx: Transaction, session: SessionRow): Promise<RunBegin> {
  const { nodeId, input } = await tx.stepRun.findFirstOrThrow({
    where: { sessionId: session.id, runNo: session.runNo, kind: 'Inject' },
    select: { nodeId: true, input: true },
  });
  return { ...storedAs<StepRunInput>(input), nodeId };
}

/** Starts the next run of a locked session, on the workflow version it started with. Earlier runs stay as they are. */
export async function beginRun(
  tx: Transaction,
  session: SessionRow,
  { nodeId, ...input }: RunBegin,
  by: Actor,
): Promise<void> {
  const variables: VariableValues = input.variables ?? {};
  const runNo = session.runNo + 1;
  await cancelOpenSteps(tx, session.id);
  await endNotices(tx, session.id, ['session.failed']);
  await tx.$executeRaw`
    update sessions
       set status = 'InQueue', run_no = ${runNo}, version = version + 1, stop_requested_at = null, result = null,
           error_count = 0, warning_count = 0, info_count = 0, error_code = null, error_params = null,
           variables = ${JSON.stringify(variables)}::jsonb, decisions = '{}'::jsonb, started_at = null,
           finished_at = null,
           updated_at = clock_timestamp()
     where id = ${session.id}`;
  // A step may have given the file another name: the next run begins with the one that it came with.
  await tx.$executeRaw`
    update files set name = session.file_name
      from sessions session
     where session.id = ${session.id} and files.id = ${input.fileId} and files.session_id = session.id
       and kind = 'OriginalFile' and name <> session.file_name`;
  await tx.stepRun.create({
    data: {
      id: newId('stepRun'),
      sessionId: session.id,
      runNo,
      nodeId,
      kind: 'Inject',
      kindVersion: kindVersionOf('Inject'),
      input: { ...input },
    },
    select: { id: true },
  });
  await announceStop(tx, session.id);
  await writeEvents(tx, [
    { sessionId: session.id, runNo, kind: 'Restarted', cause: `${session.id} run ${runNo} restarted`, actor: by },
  ]);
}

/**
 * Runs a session again with the file and variables that its newest run started with. The earlier run stays as it is.
 * @throws ProblemError `session.filesGone` when that file was removed, and those of `command`
 */
export const restartSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'restart', async (tx, session) => {
    const begin = await readBegin(tx, session);
    const gone = await tx.file.count({ where: { id: begin.fileId, removedAt: { not: null } } });
    if (gone > 0) throw problem('session.filesGone');
    await beginRun(tx, session, begin, ask.by);
  });

/** Deletes a locked session; see `deleteSession`. */
export async function markDeleted(tx: Transaction, session: SessionRow, by: Actor): Promise<void> {
  await cancelOpenSteps(tx, session.id);
  await endNotices(tx, session.id, 'all');
  const status = isFinal(session.status) ? session.status : 'CanceledByOperator';
  await tx.$executeRaw`
    update sessions
       set status = ${status}::session_status, deleted_at = clock_timestamp(), stop_requested_at = null,
           finished_at = coalesce(finished_at, clock_timestamp()), version = version + 1, updated_at = clock_timestamp()
     where id = ${session.id}`;
  await announceStop(tx, session.id);
  await writeEvents(tx, [
    { sessionId: session.id, runNo: session.runNo, kind: 'Deleted', cause: `${session.id} deleted`, actor: by },
  ]);
}

/**
 * Deletes a session. People no longer see it from now on; garbage collection removes its bytes later, when no child process
 * reads them any more. @throws ProblemError `session.legalHold`, and those of `command`
 */
export const deleteSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'delete', async (tx, session) => {
    if (session.isHeld) throw problem('session.legalHold');
    await markDeleted(tx, session, ask.by);
  });
