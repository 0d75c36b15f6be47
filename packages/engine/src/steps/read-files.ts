import type { MadeFile } from '@pdf2press/steps/contracts';
import type { EngineDeps } from '../deps.ts';

/** The production files of a run, the oldest first. */
export function readFiles(
  deps: EngineDeps,
  { subscriberId, sessionId, runNo }: { subscriberId: string; sessionId: string; runNo: number },
): Promise<MadeFile[]> {
  return deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const rows = await tx.file.findMany({
      where: { sessionId, runNo, kind: 'ProductionFile', removedAt: null },
      select: {
        id: true,
        name: true,
        mediaType: true,
        sha256: true,
        size: true,
        stepRun: { select: { nodeId: true } },
      },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(({ stepRun, size, ...file }) => ({ ...file, size: Number(size), stepId: stepRun?.nodeId ?? '' }));
  });
}
