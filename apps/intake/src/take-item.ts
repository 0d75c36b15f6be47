import {
  contractMessages,
  type ErrorCode,
  fileTypeOf,
  ProblemError,
  type SenderOfFile,
  SourceFaultError,
  sentence,
  wayOfSource,
} from '@pdf2press/contract';
import { isItemWaiting, isUnanswered, noteBounces, noteNotTaken, receiveFile } from '@pdf2press/engine';
import type { SourceAnswer, SourceItem } from '@pdf2press/sources/contracts';
import { type NoteOutcome, tellWaiting } from './answers.ts';
import type { IntakeDeps } from './deps.ts';
import type { Inlet } from './inlets.ts';

/** Refusals that do not change when the same file is tried again; all others may. */
const final: ReadonlySet<ErrorCode> = new Set([
  'file.tooLarge',
  'file.tooSmall',
  'file.notPdf',
  'file.typeNotAccepted',
  'file.nameNotAccepted',
  'file.zipTooLarge',
  'file.duplicate',
  'sidecar.tooLarge',
  'sidecar.invalid',
  'mail.gone',
  'workflow.variableMissing',
  'workflow.variableInvalid',
]);

/** What is kept with the session: its file may turn out to be unusable when it is opened. */
const senderOf = ({ count: _, ...sender }: SourceAnswer): SenderOfFile => sender;

async function hand(deps: IntakeDeps, inlet: Inlet, item: SourceItem): Promise<void> {
  const { subscriberId, workflowId, source } = inlet;
  const { maxUploadBytes } = deps.env;
  if (item.refusal) throw new ProblemError(item.refusal);
  if (!fileTypeOf(item.name)) throw new ProblemError({ code: 'file.notPdf' });
  if ((item.size ?? 0) > maxUploadBytes)
    throw new ProblemError({ code: 'file.tooLarge', params: { limit: maxUploadBytes } });
  const { sessionId, isDuplicate } = await receiveFile(deps.engine, {
    context: { subscriberId },
    workflowId,
    source: source.contract.sessionSource,
    ...(source.contract.way && { way: source.contract.way }),
    sourceName: item.sourceName,
    fileName: item.name,
    bytes: item.open(),
    maxBytes: maxUploadBytes,
    variables: item.variables ?? {},
    ...(item.sidecar && { sidecar: await item.sidecar() }),
    ...(item.answer && { arrival: { sender: senderOf(item.answer) } }),
    createdBy: { kind: 'system', name: item.sourceName },
    ingest: { kind: source.contract.kind, key: item.externalId },
  });
  deps.log.info({ inlet: inlet.id, sessionId, isDuplicate }, 'intake.taken');
}

/**
 * Passes a file to the engine, and only then settles it at its source: after a crash in between it is found again,
 * recognised by its external id, and settled without a second session. A file that is not taken is recorded with the
 * reason.
 * @returns whether the item is finished: taken or refused for good, and settled
 * @throws any error once the poll is aborted; errors of Postgres while it does not answer; why the item could not be
 *   settled
 */
export async function takeItem(
  deps: IntakeDeps,
  inlet: Inlet,
  item: SourceItem,
  { signal, noteOutcome }: { signal: AbortSignal; noteOutcome: NoteOutcome },
): Promise<boolean> {
  const context = { subscriberId: inlet.subscriberId };
  const { kind } = inlet;
  const { externalId: key, name, size = null } = item;
  if (await isItemWaiting(deps.engine, context, { kind, key })) return false;
  try {
    await hand(deps, inlet, item);
  } catch (error) {
    if (signal.aborted || isUnanswered(error)) throw error;
    const [problem] = error instanceof ProblemError ? error.problems : [];
    const isFinal = problem !== undefined && (item.refusal !== undefined || final.has(problem.code));
    const fault = problem ?? (error instanceof SourceFaultError ? error : undefined);
    const reason = fault?.code ?? 'internal.unexpected';
    const { sessionSource, way = wayOfSource[sessionSource] } = inlet.source.contract;
    await noteNotTaken(deps.engine, context, {
      workflowId: inlet.workflowId,
      kind,
      key,
      name,
      size,
      way,
      sourceName: item.sourceName,
      state: isFinal ? 'Rejected' : 'Retry',
      reason,
      params: fault?.params ?? {},
    });
    deps.log.warn({ inlet: inlet.id, code: reason, isFinal, ...(!problem && { err: error }) }, 'intake.notTaken');
    if (!isFinal) await tellWaiting(deps, inlet, item, problem);
    if (isFinal) {
      // Before it is settled: after a crash in between, the report is found again.
      if (item.bounces) await noteBounces(deps.engine, context, item.bounces);
      await noteOutcome(item, problem);
      await item.settle('rejected', sentence(contractMessages, 'en', problem.code, problem.params));
    }
    return isFinal;
  }
  await noteOutcome(item, null);
  await item.settle('accepted');
  return true;
}
