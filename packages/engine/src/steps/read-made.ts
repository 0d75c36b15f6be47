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
  if (!file || file.size > maxReportBytes) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of await deps.storage.open({ subscriberId, sha256: file.sha256 }))
    parts.push(part as Uint8Array);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}
