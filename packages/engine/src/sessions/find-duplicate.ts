import { type Arrival, problem, type SessionSource } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { injectSettingsOf } from '@pdf2press/steps/inject';
import type { PublishedVersion } from '../workflows/definition.ts';

interface Arriving {
  file: { sha256: string };
  source: SessionSource;
  ingest: { key: string };
  arrival?: Arrival;
  isTrial?: boolean;
}

/**
 * The earlier session with the same bytes, where the workflow warns of such files. Trials, pages of a file that was divided
 * and files that other workflows send on are nobody's second delivery and are not compared; sessions that failed or were
 * canceled do not count, nor does the session that the same delivery made. Of two at the same time, the second waits for
 * the first.
 * @returns what a session remembers of it; nothing where earlier files were not looked at
 * @throws ProblemError `file.duplicate` naming the earlier session, where the workflow refuses such files
 */
export async function findDuplicate(
  tx: Transaction,
  version: PublishedVersion,
  { file: { sha256 }, source, ingest, arrival, isTrial }: Arriving,
): Promise<Pick<Arrival, 'duplicateOf' | 'isCompared'>> {
  const { duplicates, duplicatesIn } = injectSettingsOf(version.definition);
  const isCompared = !isTrial && !arrival?.part?.pages && source !== 'InjectedFromPreviousWorkflow';
  if (duplicates === 'accept' || !isCompared) return {};
  await tx.$executeRaw`
    select pg_advisory_xact_lock(hashtextextended(current_subscriber() || ' same file ' || ${sha256}, 0))`;
  const isEverywhere = duplicatesIn === 'everywhere';
  const [earlier] = await tx.$queryRaw<{ id: string }[]>`
    select session.id
      from files file join sessions session on session.id = file.session_id
     where session.source_ref <> ${ingest.key} and file.sha256 = ${sha256} and file.kind = 'OriginalFile' and not session.is_trial and session.deleted_at is null
       and session.status not in ('Failed', 'CanceledByUser', 'CanceledByOperator')
       and (${isEverywhere} or session.workflow_id = ${version.workflowId})
     order by session.created_at, session.id limit 1`;
  if (earlier && duplicates === 'refuse') throw problem('file.duplicate', { session: earlier.id }, 'file');
  return { isCompared: true, ...(earlier && { duplicateOf: earlier.id }) };
}
