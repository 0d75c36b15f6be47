import { type ErrorCode, type ErrorParams, ProblemError, SourceFaultError } from '@pdf2press/contract';
import type { GuardedFetch } from '@pdf2press/sources/contracts';
import type { EngineDeps } from '../../deps.ts';
import { isUnanswered } from '../../postgres/postgres-errors.ts';
import { announceRefusal, type Refused } from '../../sessions/announce-refusal.ts';
import { noteNotTaken } from '../../sessions/not-taken.ts';
import { receiveFile } from '../../sessions/receive-file.ts';
import { LostEffectError } from '../progress.ts';
import { type ClaimedEffect, EffectError, type EffectRun } from '../run.ts';
import { fetchSource } from './ask-for-file.ts';
import { AddressRefusedError, openAddress } from './read-address.ts';

export interface FileFetching {
  fetch: GuardedFetch;
  /** The largest file that is taken, in bytes. */
  maxBytes: number;
}

type Claimed = ClaimedEffect<'fetch'>;

interface Fault {
  code: string;
  params: ErrorParams;
  /** Another try is useless. */
  isFinal: boolean;
}

/** Refusals that may be over with the next try; all others are of the file, or of what was said of it. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'storage.full',
  'workflow.disabled',
  'workflow.notPublished',
  'service.unavailable',
  'resource.conflict',
]);

const isPassing = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

/** What is told to people, of whatever went wrong. Of programming errors the log has more. */
function faultOf(error: unknown): Fault {
  if (error instanceof AddressRefusedError)
    return { code: 'address.refused', params: { status: error.status }, isFinal: !isPassing(error.status) };
  if (error instanceof SourceFaultError && error.code === 'source.hostBlocked')
    return { code: 'address.blocked', params: { host: String(error.params.host) }, isFinal: true };
  if (error instanceof SourceFaultError) return { code: error.code, params: error.params, isFinal: false };
  const [problem] = error instanceof ProblemError ? error.problems : [];
  if (problem) return { code: problem.code, params: problem.params ?? {}, isFinal: !passing.has(problem.code) };
  return { code: 'source.unreachable', params: {}, isFinal: false };
}

/** Opens the address and hands its bytes on as they come. @throws why it is not taken */
async function take(deps: EngineDeps, fetching: FileFetching, effect: Claimed, signal: AbortSignal): Promise<string> {
  const { payload, subscriberId } = effect;
  const { fetch, maxBytes } = fetching;
  const file = await openAddress(payload.fileUrl, { fetch, signal });
  try {
    if ((file.size ?? 0) > maxBytes) throw new ProblemError({ code: 'file.tooLarge', params: { limit: maxBytes } });
    const { sessionId } = await receiveFile(deps, {
      context: { subscriberId },
      workflowId: payload.workflowId,
      source: payload.source,
      ...(payload.way && { way: payload.way }),
      sourceName: payload.sourceName,
      fileName: payload.fileName ?? file.name ?? 'file',
      bytes: file.bytes,
      maxBytes,
      variables: payload.variables,
      priority: payload.priority,
      createdBy: payload.createdBy,
      ingest: { kind: fetchSource, key: payload.ingestKey },
      ...(payload.organizationId !== null && { organizationId: payload.organizationId }),
    });
    return sessionId;
  } finally {
    await file.close().catch(() => undefined);
  }
}

/**
 * Fetches files from their addresses. A try that dies leaves nothing: the next one begins anew, and what has become a session is
 * known by its key. Why a try failed stands in what arrived.
 */
export const fetchFiles = (deps: EngineDeps, fetching: FileFetching): EffectRun<'fetch'> => ({
  run: async (effect, signal) => {
    const { subscriberId, payload } = effect;
    try {
      const sessionId = await take(deps, fetching, effect, signal);
      return {
        remoteRef: sessionId,
        commit: async (tx) => {
          await tx.$executeRaw`
            update effects set payload = jsonb_set(payload, '{fileUrl}', '""') where id = ${effect.id}`;
        },
      };
    } catch (error) {
      if (signal.aborted || error instanceof LostEffectError || isUnanswered(error)) throw error;
      const { code, params, isFinal } = faultOf(error);
      await noteNotTaken(
        deps,
        { subscriberId },
        {
          workflowId: payload.workflowId,
          kind: fetchSource,
          key: payload.ingestKey,
          name: payload.fileName ?? payload.host,
          size: null,
          way: payload.source === 'ExternalApi' ? 'api' : 'manual',
          sourceName: [payload.sourceName, payload.externalId].filter(Boolean).join(' · '),
          state: 'Retry',
          reason: code,
          params,
        },
      );
      throw new EffectError(code, { isFinal, answer: { code, params }, cause: error });
    }
  },
  onDead: async (tx, { payload }) => {
    const [refused] = await tx.$queryRaw<Omit<Refused, 'workflowId' | 'kind'>[]>`
      update ingest_items set state = 'Rejected', next_at = null, updated_at = clock_timestamp()
       where source_kind = ${fetchSource} and source_key = ${payload.ingestKey} and state = 'Retry'
      returning source_key as key, name, size::float8 as size, way, source_name as "sourceName", reason, reason_params as params`;
    if (refused) await announceRefusal(tx, { ...refused, workflowId: payload.workflowId, kind: fetchSource });
    return undefined;
  },
});
