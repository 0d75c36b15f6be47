import { type ErrorParams, ProblemError, priorityAt, type WayIn } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { StepPart, StepResult } from '@pdf2press/steps/contracts';
import { system } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { startSession } from '../sessions/start-session.ts';
import type { BegunStep } from './begin-step.ts';
import type { ClaimedStep } from './claim-step.ts';

/** A part whose bytes are in the store. */
export interface StoredPart {
  file: StepPart;
  sha256: string;
  size: number;
}

/** A part that the workflow does not take, and why. */
interface RefusedPart {
  name: string;
  code: string;
  params?: ErrorParams;
}

/** Sessions of parts that earlier runs began, by the name and the bytes of the part. What failed or was canceled is no more. */
async function readEarlier(tx: Transaction, sessionId: string): Promise<ReadonlyMap<string, string[]>> {
  const rows = await tx.$queryRaw<{ ids: string[]; key: string }[]>`
    select session.file_name || ' ' || first.sha256 as key, array_agg(session.id order by session.created_at, session.id) as ids
      from sessions session
      join ingest_items item on item.session_id = session.id and item.source_kind = 'part'
      join lateral (select sha256 from files
                     where session_id = session.id and kind = 'OriginalFile' order by created_at limit 1) first on true
     where session.parent_session_id = ${sessionId} and session.deleted_at is null
       and session.status not in ('Failed', 'CanceledByUser', 'CanceledByOperator')
     group by key`;
  return new Map(rows.map(({ key, ids }) => [key, ids]));
}

/**
 * Begins a session for each part that a result divides its file into, in the same transaction. Other results are returned
 * unchanged. A part that the workflow's rules refuse is told in the summary; where all are refused, the result is a failure.
 * When a result is recorded again, no part begins a second time: each is identified by the step's session, its run and its
 * number. Nor does a restart begin again what an earlier run began from the same bytes, unless that failed or was canceled.
 */
export async function beginParts(
  tx: Transaction,
  {
    step,
    begun,
    result,
    parts,
  }: { step: ClaimedStep; begun: BegunStep; result: StepResult; parts: readonly StoredPart[] },
): Promise<StepResult> {
  if (result.end !== 'session' || !result.parts) return result;
  const { session, original } = begun.context;
  const row = await tx.session.findUniqueOrThrow({
    where: { id: step.sessionId },
    select: { organizationId: true, source: true, rerouteCount: true, priority: true },
  });
  const came = await tx.ingestItem.findFirst({ where: { sessionId: step.sessionId }, select: { way: true } });
  const refused: RefusedPart[] = [];
  const earlier = step.runNo > 1 ? await readEarlier(tx, step.sessionId) : new Map<string, string[]>();
  const kept: string[] = [];
  for (const [at, { file, sha256, size }] of parts.entries()) {
    const known = earlier.get(`${file.name} ${sha256}`)?.shift();
    if (known !== undefined) {
      kept.push(known);
      continue;
    }
    try {
      await startSession(tx, {
        workflowId: begun.version.workflowId,
        versionId: begun.version.id,
        source: row.source,
        ...(came?.way && { way: came.way as WayIn }),
        sourceName: session.sourceName,
        ingest: { kind: 'part', key: `${step.sessionId} ${step.runNo} ${at + 1}` },
        file: { sha256, size, name: file.name, mediaType: file.mediaType },
        variables: session.variables,
        sidecar: file.sidecar,
        parentSessionId: step.sessionId,
        rerouteCount: row.rerouteCount,
        priority: priorityAt(row.priority),
        arrival: {
          ...session.arrival,
          part: { ...file.from, fileName: original.name, index: at + 1, count: parts.length },
        },
        createdBy: system,
        ...(row.organizationId !== null && { sourceOrganizationId: row.organizationId }),
      });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const [first] = error.problems;
      refused.push({ name: file.name, code: first?.code ?? '', ...(first?.params && { params: first.params }) });
    }
    failpoint('insideParts');
  }
  const { end: _, status: __, parts: ___, ...shown } = result;
  const skipped = [...((result.summary?.skipped as RefusedPart[] | undefined) ?? []), ...refused];
  const summary = {
    ...result.summary,
    parts: parts.length - refused.length,
    ...(kept.length > 0 && { kept }),
    ...(skipped.length > 0 && { skipped }),
  };
  if (refused.length === parts.length)
    return { ...shown, summary, end: 'failure', failure: { code: 'ZIP_EMPTY', params: {} } };
  return skipped.length > 0
    ? { ...result, level: 'Warning', status: 'CompletedWithWarnings', summary }
    : { ...result, summary };
}
