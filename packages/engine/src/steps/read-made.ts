import type { EngineDeps } from '../deps.ts';

/** Reports are small compared with their PDFs; a larger file cannot be a report. */
const maxReportBytes = 256 * 1024 * 1024;

/** The newest JSON file that a step of a run made in a role; undefined when there is none. */
export async function readMade(
  deps: EngineDeps,
  { subscriberId, sessionId, runNo }: { subscriberId: string; sessionId: string; runNo: number },
  role: string,
): Promise<unknown> {
  const where = { sessionId, runNo, removedAt: null, meta: { path: ['role'], equals: role } };
  const file = await deps.database.withSubscriber({ subscriberId }, (tx) =>
    tx.file.findFirst({ where, orderBy: { createdAt: 'desc' } }),
  );
  return readReport(deps, subscriberId, file);
}

/**
 * The newest JSON file that a step made in a role for the file that came before the session's present one; undefined when
 * there is none. A run that was only begun again has the same file.
 */
export async function readMadeBefore(
  deps: EngineDeps,
  { subscriberId, sessionId, nodeId }: { subscriberId: string; sessionId: string; nodeId: string },
  role: string,
): Promise<unknown> {
  const file = await deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const came = await tx.file.aggregate({ where: { sessionId, kind: 'OriginalFile' }, _max: { runNo: true } });
    return tx.file.findFirst({
      where: {
        sessionId,
        runNo: { lt: came._max.runNo ?? 0 },
        removedAt: null,
        stepRun: { nodeId },
        meta: { path: ['role'], equals: role },
      },
      orderBy: { createdAt: 'desc' },
    });
  });
  return readReport(deps, subscriberId, file);
}

async function readReport(
  deps: EngineDeps,
  subscriberId: string,
  file: { sha256: string; size: bigint } | null,
): Promise<unknown> {
  if (!file || file.size > maxReportBytes) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of await deps.storage.open({ subscriberId, sha256: file.sha256 }))
    parts.push(part as Uint8Array);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}
