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
import type { MergedOfZip } from '@pdf2press/steps/contracts';

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

/** Parts and merged files that a session's page lists. */
const mostListed = 100;

type Skipped = readonly { name: string; code: string; params?: ErrorParams }[];

const tell = (skipped: Skipped, locale: Locale) =>
  skipped.map(({ name, code, params }) => ({ name, message: sentence(contractMessages, locale, code, params ?? {}) }));

interface Divided {
  parts?: number;
  /** Sessions of an earlier run that go on being parts. */
  kept?: string[];
  skipped?: Skipped;
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
  return { count, sessions, skipped: tell(skipped, locale) };
}

/** What a session's file was merged from by the newest run that did; null for a session of one file. */
export function readMerged(locale: Locale, steps: readonly { output: Prisma.JsonValue }[]): Session['merged'] {
  const merged = steps
    .map(({ output }) => storedAs<StepOutput | null>(output)?.summary?.merged as MergedOfZip | undefined)
    .findLast((found) => found !== undefined);
  if (!merged) return null;
  const { files, skipped } = merged;
  return { count: files.length, files: files.slice(0, mostListed), skipped: tell(skipped, locale) };
}
