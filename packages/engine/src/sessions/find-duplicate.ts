import { type Arrival, problem, type SessionSource } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { injectSettingsOf } from '@pdf2press/steps/inject';
import type { PublishedVersion } from '../workflows/definition.ts';

interface Coming {
  source: SessionSource;
  arrival?: Arrival;
  isTrial?: boolean;
}

interface Arriving extends Coming {
  file: { sha256: string };
  ingest: { key: string };
}

/** Whether somebody delivered the file: not a trial, not pages of a file that was divided, not sent on by a workflow. */
export const isDelivered = ({ source, arrival, isTrial }: Coming): boolean =>
  !isTrial && !arrival?.part?.pages && source !== 'InjectedFromPreviousWorkflow';

/**
 * The earlier session with the same bytes, where the workflow warns of such files. Only delivered files are compared;
 * sessions that failed or were canceled do not count, nor does the session that the same delivery made. Of two at the same
 * time, the second waits for the first.
 * @returns what a session remembers of it; nothing where earlier files were not looked at
 * @throws ProblemError `file.duplicate` naming the earlier session, where the workflow refuses such files
 */
export async function findDuplicate(
  tx: Transaction,
  version: PublishedVersion,
  arriving: Arriving,
): Promise<Pick<Arrival, 'duplicateOf' | 'isCompared'>> {
  const { duplicates, duplicatesIn } = injectSettingsOf(version.definition);
  if (duplicates === 'accept' || !isDelivered(arriving)) return {};
  const {
    file: { sha256 },
    ingest,
  } = arriving;
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
