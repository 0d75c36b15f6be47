import { nearestLocale, type Unit } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { KnownOfSession, StepContext } from '@pdf2press/steps/contracts';
import type { StepRunInput } from '../sessions/next-step.ts';
import type { PublishedVersion } from '../workflows/definition.ts';

/*
 * What is known of a session at one of its steps: read when the step begins, and when rules are tried on a session of the
 * past. The step is the row of a table expression `held` (id, session_id, run_no, input, started_at).
 */

/** Of the installation: where a subscriber has chosen none. */
const serverTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

type Chosen = Pick<HeldRow, 'unit' | 'culture' | 'timeZone'>;

const readerBy = ({ unit, culture, timeZone }: Chosen): KnownOfSession['reader'] => ({
  locale: nearestLocale(culture),
  unit: unit ?? 'Millimeters',
  timeZone: timeZone ?? serverTimeZone,
});

/** Whose language, unit and time zone count where there is no session. */
export async function readerOf(tx: Transaction, subscriberId: string): Promise<KnownOfSession['reader']> {
  const [chosen] = await tx.$queryRaw<Chosen[]>`
    select measurement_settings->>'defaultUnit' as unit, culture, nullif(extra->>'timeZone', '') as "timeZone"
      from system_settings where subscriber_id = ${subscriberId}`;
  return readerBy(chosen ?? { unit: null, culture: null, timeZone: null });
}

type Session = StepContext['session'];
/** Read by names of their own: the caller knows them already, or a column may be empty. */
type Apart = 'id' | 'subscriberId' | 'runNo' | 'previous';

/** What is read of a session beside a step of it. */
export interface HeldRow extends Omit<Session, Apart> {
  now: Date;
  input: StepRunInput;
  previous: Session['previous'] | null;
  unit: Unit | null;
  culture: string | null;
  timeZone: string | null;
  file: StepContext['original'] | null;
  original: StepContext['original'] | null;
}

/** The files of the session of `held`, as a table expression. */
export const fileOfHeld = Prisma.sql`    file as (
      select files.id, kind, created_at, jsonb_build_object('id', files.id, 'name', name, 'mediaType', media_type,
             'sha256', sha256, 'size', size) as columns
        from files join held on held.session_id = files.session_id
       where kind = 'OriginalFile' or files.id = held.input->>'fileId')`;

/** One row of `HeldRow`. */
export const columnsOfHeld = Prisma.sql`    select clock_timestamp() as now, held.input, session.file_name as "fileName", session.source::text as source, session.source_name as "sourceName",
           session.created_at as "createdAt", session.result::text as result, session.error_count as "errorCount",
           (select output->>'level' from step_runs arrived
             where arrived.session_id = held.session_id and arrived.run_no = held.run_no and arrived.kind = 'Inject'
               and arrived.ended_at is not null order by arrived.ended_at, arrived.id limit 1) as "arrivalResult",
           session.warning_count as "warningCount", session.variables, session.reroute_count as "rerouteCount",
           session.page_count as "pageCount",
           (select jsonb_build_object('outcome', outcome, 'result', output->>'level') from step_runs other
             where other.session_id = held.session_id and other.run_no = held.run_no and other.id <> held.id
               and other.ended_at is not null and (held.started_at is null or other.ended_at <= held.started_at)
             order by other.ended_at desc, other.id desc limit 1) as previous,
           (select coalesce(jsonb_agg(distinct other.name), '[]') from files other
             where other.session_id = held.session_id and other.id <> held.input->>'fileId' and other.removed_at is null
               and (other.kind = 'OriginalFile' or (other.kind = 'ProductionFile' and other.run_no = held.run_no))
           ) as "otherFileNames", session.arrival,
           (select measurement_settings->>'defaultUnit' from system_settings
             where subscriber_id = session.subscriber_id) as unit,
           (select culture from system_settings where subscriber_id = session.subscriber_id) as culture,
           (select nullif(extra->>'timeZone', '') from system_settings
             where subscriber_id = session.subscriber_id) as "timeZone",
           (select columns from file where id = held.input->>'fileId') as file,
           (select columns from file where kind = 'OriginalFile' order by created_at desc limit 1) as original
      from held join sessions session on session.id = held.session_id`;

/** All that a row tells of a session. */
export type HeldSession = Omit<KnownOfSession, 'readMade' | 'readAround' | 'takeCounters'> & Pick<StepContext, 'now'>;

/** @throws Error when the session has lost its file */
export function heldSessionOf(
  row: HeldRow,
  about: {
    sessionId: string;
    subscriberId: string;
    runNo: number;
    step: HeldSession['step'];
    version: PublishedVersion;
  },
): HeldSession {
  const { now, file, original, input: _, unit, culture, timeZone, previous, ...session } = row;
  const { version } = about;
  if (!file || !original) throw new Error(`session ${about.sessionId} has lost its file`);
  return {
    now,
    step: about.step,
    session: {
      ...session,
      id: about.sessionId,
      subscriberId: about.subscriberId,
      runNo: about.runNo,
      previous: previous ?? { outcome: null, result: null },
    },
    workflow: {
      id: version.workflowId,
      name: version.workflowName,
      version: version.no,
      variables: version.definition.variables,
    },
    reader: readerBy({ unit, culture, timeZone }),
    file,
    original,
  };
}
