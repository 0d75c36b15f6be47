import { contractMessages, type ErrorCode, ProblemError, sentence } from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import type { FoundItem } from '@pdf2press/sources/contracts';
import type { Inlet, IntakeDeps } from './deps.ts';

/** Refusals that the same file will meet again whenever it is tried; others may pass later. */
const final: ReadonlySet<ErrorCode> = new Set([
  'file.tooLarge',
  'file.notPdf',
  'workflow.variableMissing',
  'workflow.variableInvalid',
]);

/** Writes into the log of everything a source ever showed what became of an item that was not taken. */
const note = (
  deps: IntakeDeps,
  { subscriberId, kind }: Inlet,
  item: FoundItem,
  state: 'Rejected' | 'Retry',
  reason: string,
) =>
  deps.db.withSubscriber(
    { subscriberId },
    (tx) => tx.$executeRaw`
      insert into ingest_items (source_kind, source_key, state, reason, name, size, attempts)
      values (${kind}, ${item.key}, ${state}::ingest_state, ${reason}, ${item.name}, ${item.size}::bigint, 1)
      on conflict (subscriber_id, source_kind, source_key) do update
        set state = excluded.state, reason = excluded.reason, attempts = ingest_items.attempts + 1,
            updated_at = clock_timestamp()
      where ingest_items.state <> 'Accepted'`,
  );

/**
 * Hands a found file to the engine, and only then settles it at its source: dying in between, it is found again, known by
 * its key, and settled without a second session.
 */
export async function takeItem(
  deps: IntakeDeps,
  inlet: Inlet,
  item: FoundItem,
  source: 'CloudFolder' | 'Email',
): Promise<void> {
  const { subscriberId, workflowId, kind } = inlet;
  try {
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
    await item.settle('accepted');
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [first] = error.problems;
    const code = first?.code ?? 'internal.unexpected';
    const isFinal = final.has(code);
    await note(deps, inlet, item, isFinal ? 'Rejected' : 'Retry', code);
    deps.log.warn({ inlet: inlet.id, code, isFinal }, 'intake.refused');
    if (isFinal) await item.settle('rejected', sentence(contractMessages, 'en', code, first?.params));
  }
}
