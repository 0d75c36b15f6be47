import {
  cleanFileName,
  type Problem,
  ProblemError,
  problem,
  readVariables,
  type VariableValues,
} from '@pdf2press/contract';
import { newId, type SubscriberContext, type Transaction } from '@pdf2press/prisma';
import type { Stored } from '@pdf2press/storage';
import type { EngineDeps } from '../deps.ts';
import { writeBlobs } from '../files/blob-rows.ts';
import { demandHere } from '../files/demand-here.ts';
import { endSession } from '../sessions/end-session.ts';
import { writeEvents } from '../sessions/events.ts';
import { announceStop } from '../sessions/session-row.ts';
import { startSession } from '../sessions/start-session.ts';
import { writeVariables } from '../sessions/write-variables.ts';
import { decideIn } from '../waits/decide.ts';
import { releaseByVariable } from '../waits/release-by-variable.ts';
import { writeAnswers } from '../waits/write-answers.ts';
import { loadVersion } from '../workflows/definition.ts';
import { beginRun, command, readBegin, type SessionCommand } from './session-commands.ts';

/*
 * What an operator can do with a session on hold: continue, replace the file and run again, use a different workflow,
 * cancel.
 */

export interface Continuation extends SessionCommand {
  /** Values for the variables that the step asks for. */
  variables?: VariableValues;
}

/**
 * Lets a session go on that is held by one of its steps. What the step asks for is written to the session's variables.
 * @throws ProblemError `session.actionNotAllowed`, also where the step waits for another decision, for example on a proof;
 * `workflow.variableMissing`, `workflow.variableInvalid`, `request.invalid` for a variable that it does not ask for
 */
export const continueSession = (deps: EngineDeps, context: SubscriberContext, ask: Continuation): Promise<void> =>
  command(deps, context, ask, 'continue', async (tx, session) => {
    const wait = await tx.wait.findFirst({
      where: { sessionId: session.id, decidedAt: null, allowed: { has: 'continue' }, stepRun: { status: 'Waiting' } },
      select: { id: true, stepRunId: true, data: true },
    });
    if (!wait) throw problem('session.actionNotAllowed', { status: session.status });
    const variables = await writeAnswers(tx, { session, wait, given: ask.variables ?? {}, by: ask.by });
    await decideIn(tx, { waitId: wait.id, decision: 'continue', by: ask.by, data: { variables } });
  });

/** Ends a session that has not ended yet. Running steps are taken from their workers; files and history stay. */
export const cancelSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'cancel', async (tx, session) => {
    const { id: sessionId, runNo } = session;
    await endSession(tx, { sessionId, runNo, status: 'CanceledByOperator', actor: ask.by });
    await announceStop(tx, sessionId);
  });

export interface FileReplacement extends SessionCommand {
  /** The file is in the store already. */
  file: Stored & { name: string };
  /** The file is a copy of the one before, without its password. */
  isUnlocked?: boolean;
}

/**
 * Replaces the file that came in, and runs the session's workflow again with the variables it was given. The earlier file
 * and run stay readable.
 */
export const replaceFile = (deps: EngineDeps, context: SubscriberContext, ask: FileReplacement): Promise<void> =>
  command(deps, context, ask, 'replaceFile', async (tx, session) => {
    const begin = await readBegin(tx, session);
    const { sha256, size } = ask.file;
    const name = cleanFileName(ask.file.name);
    const fileId = newId('file');
    const runNo = session.runNo + 1;
    await writeBlobs(tx, [{ sha256, size }]);
    await tx.file.create({
      data: {
        id: fileId,
        sessionId: session.id,
        sha256,
        runNo,
        kind: 'OriginalFile',
        name,
        mediaType: 'application/pdf',
        size,
      },
      select: { id: true },
    });
    await tx.$executeRaw`
      update sessions set file_name = ${name}, file_size = ${size}::bigint, page_count = null,
                          source = 'ReplacedFileAndRestartedWorkflow', source_name = ${ask.by.name}
       where id = ${session.id}`;
    const cause = `${session.id} run ${runNo} file replaced`;
    const about = { sessionId: session.id, runNo, actor: ask.by };
    const kind = ask.isUnlocked ? 'FileUnlocked' : 'FileReplaced';
    await writeEvents(tx, [{ ...about, kind, cause, data: { fileId, name, size } }]);
    await beginRun(tx, session, { ...begin, fileId }, ask.by);
  });

export interface Rerouting extends Omit<SessionCommand, 'alongside'> {
  workflowId: string;
  variables?: VariableValues;
  /** Runs last in the command's transaction, for the caller's audit row; `to` is the id of the new session. */
  alongside?: (tx: Transaction, to: string) => Promise<void>;
}

/**
 * Uses a different workflow: starts a session there with the original file and ends this one as rerouted. Its variables are
 * passed on; variables given now override them.
 * @returns id of the new session
 * @throws ProblemError also what keeps the other workflow from taking the file (see `startSession`)
 */
export async function rerouteSession(deps: EngineDeps, context: SubscriberContext, ask: Rerouting): Promise<string> {
  const { alongside, ...plain } = ask;
  let begun = '';
  await command(deps, context, plain, 'reroute', async (tx, session) => {
    const { id: sessionId, runNo } = session;
    const from = await tx.session.findUniqueOrThrow({
      where: { id: sessionId },
      select: { variables: true, organizationId: true, rerouteCount: true, workflow: { select: { name: true } } },
    });
    const { fileId } = await readBegin(tx, session);
    const file = await tx.file.findUniqueOrThrow({ where: { id: fileId } });
    await demandHere(tx, file.sha256);
    const { sessionId: to } = await startSession(tx, {
      workflowId: ask.workflowId,
      source: 'InjectedFromPreviousWorkflow',
      sourceName: from.workflow.name,
      ingest: { kind: 'reroute', key: `${sessionId} ${runNo}` },
      file: { sha256: file.sha256, size: Number(file.size), name: file.name, mediaType: file.mediaType },
      variables: { ...(from.variables as VariableValues), ...ask.variables },
      parentSessionId: sessionId,
      rerouteCount: from.rerouteCount + 1,
      createdBy: ask.by,
      ...(from.organizationId !== null && { sourceOrganizationId: from.organizationId }),
    });
    await endSession(tx, { sessionId, runNo, status: 'Rerouted', actor: ask.by, data: { to } });
    await announceStop(tx, sessionId);
    begun = to;
    await alongside?.(tx, to);
  });
  return begun;
}

export interface Overwriting extends SessionCommand {
  variables: VariableValues;
}

/**
 * Gives variables of a session on hold other values, of their types; the steps that follow use them. Each change is in the
 * history, with what it was before. A step that waits for one of them lets the session continue.
 * @throws ProblemError for each that the workflow does not have or that does not fit: `workflow.variableUnknown`,
 * `workflow.variableInvalid`, `workflow.variableMissing`
 */
export const overwriteVariables = (deps: EngineDeps, context: SubscriberContext, ask: Overwriting): Promise<void> =>
  command(deps, context, ask, 'overwriteVariables', async (tx, session) => {
    const { definition } = await loadVersion(tx, session.workflowVersionId);
    const row = await tx.session.findUniqueOrThrow({ where: { id: session.id }, select: { variables: true } });
    const before = row.variables as VariableValues;
    const given = new Map(Object.entries(ask.variables).map(([name, value]) => [name.toLowerCase(), { name, value }]));
    const named = definition.variables.filter(({ name }) => given.has(name.toLowerCase()));
    const known = new Set(named.map(({ name }) => name.toLowerCase()));
    const unknown = [...given].flatMap(([key, { name }]) => (known.has(key) ? [] : [name]));
    // What a person empties is empty: the default is for what nobody said anything about.
    const read = readVariables(
      named.map((variable) => ({ ...variable, default: null })),
      ask.variables,
    );
    const problems: Problem[] = [
      ...unknown.map(
        (name): Problem => ({
          code: 'workflow.variableUnknown',
          params: { name },
          field: `variables.${name}`,
        }),
      ),
      ...read.problems.map((each) => ({ ...each, field: `variables.${each.field}` })),
    ];
    if (problems.length > 0) throw new ProblemError(problems);
    const cause = `${session.id} variable ${session.version}`;
    await writeVariables(tx, { session, before, values: read.values, by: ask.by, cause });
    await releaseByVariable(tx, { sessionId: session.id, variables: { ...before, ...read.values }, by: ask.by });
  });
