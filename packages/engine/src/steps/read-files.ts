import type { Prisma } from '@pdf2press/prisma';
import type { MadeFile } from '@pdf2press/steps/contracts';
import type { EngineDeps } from '../deps.ts';

interface Run {
  subscriberId: string;
  sessionId: string;
  runNo: number;
}

function read(
  deps: EngineDeps,
  { subscriberId, sessionId, runNo }: Run,
  which: Prisma.FileWhereInput,
): Promise<MadeFile[]> {
  return deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const rows = await tx.file.findMany({
      where: { ...which, sessionId, runNo, removedAt: null },
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

/** The production files of a run, the oldest first. */
export const readFiles = (deps: EngineDeps, run: Run): Promise<MadeFile[]> =>
  read(deps, run, { kind: 'ProductionFile' });

/** The files that the steps of a run made in a role, the oldest first. */
export const findMade = (deps: EngineDeps, run: Run, role: string): Promise<MadeFile[]> =>
  read(deps, run, { meta: { path: ['role'], equals: role } });
