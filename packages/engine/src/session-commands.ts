import { isActionOpen, isFinal, problem, type SessionAction, type VariableValues } from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction } from '@pdf2press/prisma';
import type { StepRunInput } from './begin-step.ts';
import type { Actor, EngineDeps } from './deps.ts';
import { writeEvents } from './events.ts';
import { announceSteps, announceStop, cancelOpenSteps, lockSession, type SessionRow } from './session-row.ts';
import { kindVersionOf } from './start-session.ts';

export interface SessionCommand {
  sessionId: string;
  by: Actor;
  /** The session's version as the person saw it; another one is refused as changed meanwhile. */
  version?: number;
}

/**
 * Runs a command on a locked session that may take it. Commands win: what a step reports later finds its epoch gone.
 * @throws ProblemError `resource.notFound`, `resource.conflict`, `session.deleted`, `session.actionNotAllowed`
 */
export function command(
  deps: EngineDeps,
  context: SubscriberContext,
  { sessionId, version }: SessionCommand,
  action: SessionAction,
  work: (tx: Transaction, session: SessionRow) => Promise<void>,
): Promise<void> {
  return deps.database.withSubscriber(context, async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (!session) throw problem('resource.notFound');
    if (session.isDeleted) throw problem('session.deleted');
    if (version !== undefined && version !== session.version) throw problem('resource.conflict');
    if (!isActionOpen(action, session)) throw problem('session.actionNotAllowed', { status: session.status });
    await work(tx, session);
  });
}

/** Stops a session at once: what runs is taken from its worker, which ends the child when it hears of it. */
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

/** Lets a stopped session go on where it was. */
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

/** What a run begins with. */
export interface RunBegin extends StepRunInput {
  nodeId: string;
}

/** How the newest run of a session began. */
export async function readBegin(tx: Transaction, session: SessionRow): Promise<RunBegin> {
  const { nodeId, input } = await tx.stepRun.findFirstOrThrow({
    where: { sessionId: session.id, runNo: session.runNo, kind: 'Inject' },
    select: { nodeId: true, input: true },
  });
  return { ...(input as unknown as StepRunInput), nodeId };
}

/** Begins the next run of a locked session, on the version it began with. The earlier runs stay as they are. */
export async function beginRun(
  tx: Transaction,
  session: SessionRow,
  { nodeId, ...input }: RunBegin,
  by: Actor,
): Promise<void> {
  const variables: VariableValues = input.variables ?? {};
  const runNo = session.runNo + 1;
  await cancelOpenSteps(tx, session.id);
  await tx.$executeRaw`
    update sessions
       set status = 'InQueue', run_no = ${runNo}, version = version + 1, stop_requested_at = null, result = null,
           error_count = 0, warning_count = 0, info_count = 0, error_code = null, error_params = null,
           variables = ${JSON.stringify(variables)}::jsonb, started_at = null, finished_at = null,
           updated_at = clock_timestamp()
     where id = ${session.id}`;
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
 * Runs a session again from the file and with the variables that its newest run began with. The earlier run stays as it
 * is.
 */
export const restartSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'restart', async (tx, session) =>
    beginRun(tx, session, await readBegin(tx, session), ask.by),
  );

/** Deletes a session: gone for people at once, its bytes when the janitor comes and no child reads them any more. */
export const deleteSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'delete', async (tx, session) => {
    await cancelOpenSteps(tx, session.id);
    const status = isFinal(session.status) ? session.status : 'CanceledByOperator';
    await tx.$executeRaw`
      update sessions
         set status = ${status}::session_status, deleted_at = clock_timestamp(), stop_requested_at = null,
             finished_at = coalesce(finished_at, clock_timestamp()), version = version + 1, updated_at = clock_timestamp()
       where id = ${session.id}`;
    await announceStop(tx, session.id);
    await writeEvents(tx, [
      { sessionId: session.id, runNo: session.runNo, kind: 'Deleted', cause: `${session.id} deleted`, actor: ask.by },
    ]);
  });
