import { contractMessages, type ErrorCode, ProblemError, type SessionSource, sentence } from '@pdf2press/contract';
import { isUnanswered, noteNotTaken, receiveFile } from '@pdf2press/engine';
import type { FoundItem } from '@pdf2press/sources/contracts';
import type { Inlet, IntakeDeps } from './deps.ts';

/** Refusals that the same file will meet again whenever it is tried; others may pass later. */
const final: ReadonlySet<ErrorCode> = new Set([
  'file.tooLarge',
  'file.notPdf',
  'workflow.variableMissing',
  'workflow.variableInvalid',
]);

async function hand(deps: IntakeDeps, inlet: Inlet, item: FoundItem, source: SessionSource): Promise<void> {
  const { subscriberId, workflowId, kind } = inlet;
  if (!/\.pdf$/i.test(item.name)) throw new ProblemError({ code: 'file.notPdf' });
  const { sessionId, isDuplicate } = await receiveFile(deps.engine, {
    context: { subscriberId },
    workflowId,
    source,
    sourceName: item.sourceName,
    fileName: item.name,
    bytes: item.open(),
    maxBytes: deps.env.maxUploadBytes,
    variables: item.variables ?? {},
    createdBy: { kind: 'system', name: item.sourceName },
    ingest: { kind, key: item.key },
  });
  deps.log.info({ inlet: inlet.id, sessionId, isDuplicate }, 'intake.taken');
}

/**
 * Hands a found file to the engine, and only then settles it at its source: dying in between, it is found again, known by
 * its key, and settled without a second session. What is not taken is written down with the reason.
 * @throws what Postgres says while it does not answer; the file waits where it is
 */
export async function takeItem(deps: IntakeDeps, inlet: Inlet, item: FoundItem, source: SessionSource): Promise<void> {
  try {
    await hand(deps, inlet, item, source);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    const [first] = error instanceof ProblemError ? error.problems : [];
    const code = first?.code ?? 'internal.unexpected';
    const isFinal = final.has(code);
    const { key, name, size } = item;
    const state = isFinal ? 'Rejected' : 'Retry';
    const context = { subscriberId: inlet.subscriberId };
    await noteNotTaken(deps.engine, context, { kind: inlet.kind, key, name, size, state, reason: code });
    deps.log.warn({ err: first ? undefined : error, inlet: inlet.id, code, isFinal }, 'intake.notTaken');
    if (isFinal) await item.settle('rejected', sentence(contractMessages, 'en', code, first?.params));
    return;
  }
  await item.settle('accepted');
}
