import {
  type Arrival,
  contractMessages,
  type ErrorParams,
  type Locale,
  type Session,
  sentence,
} from '@pdf2press/contract';
import type { StepOutput } from '@pdf2press/engine';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';

/** How a session's file came, as a reader sees it; sessions that the reader may not see are not named. */
export async function readArrival(
  tx: Transaction,
  { arrival, parent }: { arrival: Arrival; parent: { id: string; fileName: string } | null },
): Promise<Pick<Session, 'partOf' | 'duplicateOf' | 'hasOtherName' | 'acknowledged'>> {
  const { part, duplicateOf, hasOtherName = false, acknowledged = null } = arrival;
  const earlier =
    duplicateOf === undefined
      ? null
      : await tx.session.findFirst({
          where: { id: duplicateOf, deletedAt: null },
          select: { id: true, fileName: true },
        });
  return {
    partOf:
      part && parent
        ? { id: parent.id, fileName: part.fileName, entry: part.entry ?? null, pages: part.pages ?? null }
        : null,
    duplicateOf: earlier,
    hasOtherName,
    acknowledged,
  };
}

/** Parts that a session's page lists. */
const mostListed = 100;

interface Divided {
  parts?: number;
  /** Sessions of an earlier run that go on being parts. */
  kept?: string[];
  skipped?: { name: string; code: string; params?: ErrorParams }[];
}

/** What a session's file was divided into by the newest run that did; null for a session that was not divided. */
export async function readParts(
  tx: Transaction,
  locale: Locale,
  { id, steps }: { id: string; steps: readonly { runNo: number; output: Prisma.JsonValue }[] },
): Promise<Session['parts']> {
  const step = steps.findLast(({ output }) => typeof storedAs<StepOutput | null>(output)?.summary?.parts === 'number');
  if (!step) return null;
  const { parts: count = 0, kept = [], skipped = [] } = storedAs<StepOutput>(step.output).summary as Divided;
  const sessions = await tx.session.findMany({
    where: {
      parentSessionId: id,
      OR: [{ sourceRef: { startsWith: `${id} ${step.runNo} ` } }, { id: { in: kept } }],
      deletedAt: null,
    },
    select: { id: true, fileName: true, status: true },
    orderBy: { id: 'asc' },
    take: mostListed,
  });
  const told = skipped.map(({ name, code, params }) => ({
    name,
    message: sentence(contractMessages, locale, code, params ?? {}),
  }));
  return { count, sessions, skipped: told };
}
