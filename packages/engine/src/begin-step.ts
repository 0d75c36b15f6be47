import type { VariableValues, WorkflowStep } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { StepContext } from '@pdf2press/steps/contracts';
import type { ClaimedStep } from './claim-step.ts';
import { loadVersion, type PublishedVersion } from './definition.ts';
import type { EngineDeps } from './deps.ts';
import { writeEvents } from './events.ts';
import { lockSession, takesResults } from './session-row.ts';

/** What travels along the edges of the graph. */
export interface StepRunInput {
  /** The file as it is now. */
  fileId: string;
  /** First step of a run only: the variables as they were handed in, for a restart. */
  variables?: VariableValues;
}

/** Everything a step runs on, but for the bytes. */
export interface BegunStep {
  version: PublishedVersion;
  node: WorkflowStep;
  input: StepRunInput;
  file: { sha256: string };
  context: Omit<StepContext, 'workDir' | 'signal' | 'file'> & { file: Omit<StepContext['file'], 'path'> };
}

const inputFile = (row: { id: string; name: string; mediaType: string; sha256: string; size: bigint }) => ({
  id: row.id,
  name: row.name,
  mediaType: row.mediaType,
  sha256: row.sha256,
  size: Number(row.size),
});

async function readContext(tx: Transaction, step: ClaimedStep, version: PublishedVersion, node: WorkflowStep) {
  const session = await tx.session.findUniqueOrThrow({ where: { id: step.sessionId } });
  const row = await tx.stepRun.findUniqueOrThrow({ where: { id: step.id }, select: { input: true } });
  const original = await tx.file.findFirst({
    where: { sessionId: step.sessionId, kind: 'OriginalFile' },
    orderBy: { createdAt: 'desc' },
  });
  const input = row.input as unknown as StepRunInput;
  const current = original?.id === input.fileId ? original : await tx.file.findUnique({ where: { id: input.fileId } });
  if (!original || !current) throw new Error(`session ${step.sessionId} has lost its file`);
  const profileId = node.settings.profileId;
  const profile = typeof profileId === 'string' ? version.profiles[profileId] : undefined;
  const context: BegunStep['context'] = {
    settings: node.settings,
    step: { id: step.id, kind: step.kind, name: node.name },
    session: {
      id: session.id,
      subscriberId: session.subscriberId,
      runNo: session.runNo,
      fileName: session.fileName,
      source: session.source,
      sourceName: session.sourceName,
      createdAt: session.createdAt,
      result: session.result,
      errorCount: session.errorCount,
      warningCount: session.warningCount,
      variables: session.variables as VariableValues,
      rerouteCount: session.rerouteCount,
    },
    workflow: { id: version.workflowId, name: version.workflowName, version: version.no },
    file: inputFile(current),
    original: inputFile(original),
    ...(profile && { profile }),
  };
  return { input, context };
}

/**
 * Marks the session as processing, writes that the step began, and reads what it needs. Undefined = the claim or the
 * session is gone by now.
 */
export function beginStep(deps: EngineDeps, step: ClaimedStep): Promise<BegunStep | undefined> {
  return deps.database.withSubscriber({ subscriberId: step.subscriberId }, async (tx) => {
    const session = await lockSession(tx, step.sessionId);
    if (!takesResults(session, step.runNo)) return undefined;
    const held = await tx.$queryRaw<unknown[]>`
      select 1 from step_runs where id = ${step.id} and epoch = ${step.epoch} and status = 'Running'`;
    if (held.length === 0) return undefined;
    if (session.status !== 'Processing') {
      await tx.$executeRaw`
        update sessions set status = 'Processing', started_at = coalesce(started_at, clock_timestamp()),
                            version = version + 1, updated_at = clock_timestamp()
         where id = ${step.sessionId}`;
    }
    const version = await loadVersion(tx, session.workflowVersionId);
    const node = version.definition.steps.find((candidate) => candidate.id === step.nodeId);
    if (!node) throw new Error(`version ${version.id} has no step ${step.nodeId}`);
    await writeEvents(tx, [
      {
        sessionId: step.sessionId,
        stepRunId: step.id,
        runNo: step.runNo,
        kind: 'StepStarted',
        cause: `${step.id} started ${step.epoch}`,
        data: { nodeId: step.nodeId, kind: step.kind, attempt: step.attempt },
      },
    ]);
    const { input, context } = await readContext(tx, step, version, node);
    return { version, node, input, file: { sha256: context.file.sha256 }, context };
  });
}
