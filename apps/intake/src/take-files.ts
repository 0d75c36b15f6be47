import { ProblemError } from '@pdf2press/contract';
import { type EngineDeps, isUnanswered, noteNotTaken, type PolledSource, receiveFile } from '@pdf2press/engine';
import { type FoundItem, type SourceKind, sourceContracts } from '@pdf2press/sources/contracts';
import { poll } from '@pdf2press/sources/runners';

export interface TakeOptions {
  hotFolders: string;
  maxBytes: number;
}

/** Problems of the file itself: it is put aside. Anything else may pass, and the file waits where it is. */
const rejections = new Set(['file.tooLarge', 'workflow.variableMissing', 'workflow.variableInvalid']);

async function takeOne(
  deps: EngineDeps,
  source: PolledSource,
  item: FoundItem,
  { maxBytes }: TakeOptions,
): Promise<void> {
  const context = { subscriberId: source.subscriberId };
  const about = { kind: source.kind, key: item.key, name: item.name, size: item.size };
  try {
    await receiveFile(deps, {
      context,
      workflowId: source.workflowId,
      source: sourceContracts[source.kind as SourceKind].sessionSource,
      sourceName: item.sourceName,
      fileName: item.name,
      bytes: item.open(),
      maxBytes,
      ...(item.variables && { variables: item.variables }),
      ingest: { kind: source.kind, key: item.key },
      createdBy: { kind: 'system', name: item.sourceName },
    });
  } catch (error) {
    const code = error instanceof ProblemError ? (error.problems[0]?.code ?? '') : '';
    const isRejected = rejections.has(code);
    if (isUnanswered(error)) throw error;
    await noteNotTaken(deps, context, {
      ...about,
      state: isRejected ? 'Rejected' : 'Retry',
      reason: code || 'internal.unexpected',
    });
    deps.log?.({ level: 'warn', event: 'intake.notTaken', data: { ...about, code }, error });
    if (isRejected) await item.settle('rejected');
    return;
  }
  // Only now: the session is there, so a crash from here on finds the file again and knows it.
  await item.settle('accepted');
}

/** Keeps what a source remembers between looks. */
const memories = new Map<string, Map<string, unknown>>();

/** Looks into one source and takes what is there, one file after the other. */
export async function takeFiles(deps: EngineDeps, source: PolledSource, options: TakeOptions): Promise<void> {
  const memory = memories.get(source.id) ?? new Map<string, unknown>();
  memories.set(source.id, memory);
  const found = poll(source.kind, source.settings, { root: options.hotFolders, memory, now: () => performance.now() });
  if (!found) return;
  for await (const item of found) await takeOne(deps, source, item, options);
}
