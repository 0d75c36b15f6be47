import { problem, type VariableValues } from '@pdf2press/contract';
import { newId, type SubscriberContext } from '@pdf2press/prisma';
import type { Stored } from '@pdf2press/storage';
import { demandHere } from './archive-session.ts';
import { writeBlobs } from './blob-rows.ts';
import { decideIn } from './decide.ts';
import type { EngineDeps } from './deps.ts';
import { endSession } from './end-session.ts';
import { writeEvents } from './events.ts';
import { cleanFileName } from './file-name.ts';
import { beginRun, command, readBegin, type SessionCommand } from './session-commands.ts';
import { announceStop } from './session-row.ts';
import { startSession } from './start-session.ts';

/* The operator's answers to a session on hold (specification §2): continue, replace the file and run again, use a
   different workflow, cancel. */

/**
 * Lets a session go on that one of its steps holds.
 * @throws ProblemError `session.actionNotAllowed` too where the step waits for another answer, a proof's for instance
 */
export const continueSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'continue', async (tx, session) => {
    const wait = await tx.wait.findFirst({
      where: { sessionId: session.id, decidedAt: null, allowed: { has: 'continue' }, stepRun: { status: 'Waiting' } },
      select: { id: true },
    });
    if (!wait) throw problem('session.actionNotAllowed', { status: session.status });
    await decideIn(tx, { waitId: wait.id, decision: 'continue', by: ask.by });
  });

/** Ends a session that is not at its end yet. What runs is taken from its worker; files and history stay. */
export const cancelSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'cancel', async (tx, session) => {
    const { id: sessionId, runNo } = session;
    await endSession(tx, { sessionId, runNo, status: 'CanceledByOperator', actor: ask.by });
    await announceStop(tx, sessionId);
  });

export interface FileReplacement extends SessionCommand {
  /** What the store holds already. */
  file: Stored & { name: string };
}

/**
 * Puts another file in the place of the one that came, and runs the session's workflow again with the variables that it
 * was given. The earlier file and run stay readable.
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
    await writeEvents(tx, [{ ...about, kind: 'FileReplaced', cause, data: { fileId, name, size } }]);
    await beginRun(tx, session, { ...begin, fileId }, ask.by);
  });

export interface Rerouting extends SessionCommand {
  workflowId: string;
  variables?: VariableValues;
}

/**
 * Uses a different workflow: begins a session there with the file as it came, and ends this one as rerouted. Its
 * variables go along, the ones given now over them.
 * @returns id of the new session
 * @throws ProblemError what keeps the other workflow from taking the file, too (see `startSession`)
 */
export async function rerouteSession(deps: EngineDeps, context: SubscriberContext, ask: Rerouting): Promise<string> {
  let begun = '';
  await command(deps, context, ask, 'reroute', async (tx, session) => {
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
      ...(from.organizationId !== null && { organizationId: from.organizationId }),
    });
    await endSession(tx, { sessionId, runNo, status: 'Rerouted', actor: ask.by, data: { to } });
    await announceStop(tx, sessionId);
    begun = to;
  });
  return begun;
}
