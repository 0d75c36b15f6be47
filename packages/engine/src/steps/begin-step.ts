import {
  nearestLocale,
  type ResultLevel,
  type SessionSource,
  type Unit,
  type VariableValues,
  type WorkflowStep,
} from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { StepContext } from '@pdf2press/steps/contracts';
import { type EngineDeps, system } from '../deps.ts';
import type { StepRunInput } from '../sessions/next-step.ts';
import { lockSession, takesResults } from '../sessions/session-row.ts';
import { loadVersion, type PublishedVersion } from '../workflows/definition.ts';
import type { ClaimedStep } from './claim-step.ts';

const serverTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Everything that a step needs, except the bytes. */
export interface BegunStep {
  version: PublishedVersion;
  input: StepRunInput;
  context: Omit<StepContext, 'workDir' | 'signal' | 'file' | 'readMade'> & { file: Omit<StepContext['file'], 'path'> };
}

interface FileColumns {
  id: string;
  name: string;
  mediaType: string;
  sha256: string;
  size: number;
}

interface BegunRow {
  input: StepRunInput;
  fileName: string;
  source: SessionSource;
  sourceName: string;
  createdAt: Date;
  result: ResultLevel | null;
  errorCount: number;
  warningCount: number;
  variables: VariableValues;
  rerouteCount: number;
  pageCount: number | null;
  previous: { outcome: string | null; result: ResultLevel | null } | null;
  otherFileNames: string[];
  unit: Unit | null;
  culture: string | null;
  file: FileColumns | null;
  original: FileColumns | null;
}

/**
 * Moves the session to Processing, writes the beginning into history and reads what the step needs: one statement, because
 * this is done for every step and most of the cost of a small step is round trips. No row = the claim is lost.
 */
async function markAndRead(tx: Transaction, step: ClaimedStep): Promise<BegunRow | undefined> {
  const data = JSON.stringify({ nodeId: step.nodeId, kind: step.kind, attempt: step.attempt });
  const rows = await tx.$queryRaw<BegunRow[]>`
    with held as (
      select id, session_id, run_no, input from step_runs
       where id = ${step.id} and epoch = ${step.epoch} and status = 'Running'),
    processing as (
      update sessions set status = 'Processing', started_at = coalesce(started_at, clock_timestamp()),
                          version = version + 1, updated_at = clock_timestamp()
       where id = (select session_id from held) and status <> 'Processing'),
    begun as (
      insert into session_events (session_id, step_run_id, run_no, kind, actor, data, cause_key)
      select session_id, id, run_no, 'StepStarted', ${JSON.stringify(system)}::jsonb, ${data}::jsonb,
             ${`${step.id} started ${step.epoch}`}
        from held
      on conflict (subscriber_id, cause_key) do nothing),
    file as (
      select files.id, kind, created_at, jsonb_build_object('id', files.id, 'name', name, 'mediaType', media_type,
             'sha256', sha256, 'size', size) as columns
        from files join held on held.session_id = files.session_id
       where kind = 'OriginalFile' or files.id = held.input->>'fileId')
    select held.input, session.file_name as "fileName", session.source::text as source, session.source_name as "sourceName",
           session.created_at as "createdAt", session.result::text as result, session.error_count as "errorCount",
           session.warning_count as "warningCount", session.variables, session.reroute_count as "rerouteCount",
           session.page_count as "pageCount",
           (select jsonb_build_object('outcome', outcome, 'result', output->>'level') from step_runs other
             where other.session_id = held.session_id and other.run_no = held.run_no and other.id <> held.id
               and other.ended_at is not null
             order by other.ended_at desc, other.id desc limit 1) as previous,
           (select coalesce(jsonb_agg(distinct other.name), '[]') from files other
             where other.session_id = held.session_id and other.id <> held.input->>'fileId' and other.removed_at is null
               and (other.kind = 'OriginalFile' or (other.kind = 'ProductionFile' and other.run_no = held.run_no))
           ) as "otherFileNames",
           (select measurement_settings->>'defaultUnit' from system_settings
             where subscriber_id = session.subscriber_id) as unit,
           (select culture from system_settings where subscriber_id = session.subscriber_id) as culture,
           (select columns from file where id = held.input->>'fileId') as file,
           (select columns from file where kind = 'OriginalFile' order by created_at desc limit 1) as original
      from held join sessions session on session.id = held.session_id`;
  return rows[0];
}

function contextOf(
  step: ClaimedStep,
  row: BegunRow,
  version: PublishedVersion,
  node: WorkflowStep,
): BegunStep['context'] {
  const { file, original, input: _, unit, culture, previous, ...session } = row;
  if (!file || !original) throw new Error(`session ${step.sessionId} has lost its file`);
  const { profileId } = node.settings;
  const profile = typeof profileId === 'string' ? version.profiles[profileId] : undefined;
  return {
    settings: node.settings,
    step: { id: step.id, kind: step.kind, name: node.name },
    session: {
      ...session,
      id: step.sessionId,
      subscriberId: step.subscriberId,
      runNo: step.runNo,
      previous: previous ?? { outcome: null, result: null },
    },
    workflow: {
      id: version.workflowId,
      name: version.workflowName,
      version: version.no,
      variables: version.definition.variables,
    },
    reader: { locale: nearestLocale(culture), unit: unit ?? 'Millimeters', timeZone: serverTimeZone },
    file,
    original,
    ...(profile && { profile }),
  };
}

/**
 * Marks the session as processing, records that the step began, and reads what it needs. Undefined = the claim or the
 * session no longer exists.
 */
export function beginStep(deps: EngineDeps, step: ClaimedStep): Promise<BegunStep | undefined> {
  return deps.database.withSubscriber({ subscriberId: step.subscriberId }, async (tx) => {
    const session = await lockSession(tx, step.sessionId);
    if (!takesResults(session, step.runNo)) return undefined;
    const row = await markAndRead(tx, step);
    if (!row) return undefined;
    const version = await loadVersion(tx, session.workflowVersionId);
    const node = version.definition.steps.find((candidate) => candidate.id === step.nodeId);
    if (!node) throw new Error(`version ${version.id} has no step ${step.nodeId}`);
    return { version, input: row.input, context: contextOf(step, row, version, node) };
  });
}
