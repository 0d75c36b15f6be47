import type { Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import type { Cause, HouseAlarm, HouseState } from './alarm.ts';
import { certificateFact, readCertificates } from './certificates.ts';
import { releaseFact, releaseStateOf } from './releases.ts';

/** A process that was not heard of for so long is gone, seconds. */
const silence = 120;
/** With less of the store free there is time to make room; with less than a tenth no file is taken any more. */
const scarce = 0.15;
/** Backups are made every night: after three nights without one somebody has to look, seconds. */
const longWithoutBackup = 3 * 86_400;

/** The key of what `pdf2press backup` notes of its last run: whether it was good, and when the last good one was made. */
export const backupFact = 'backup';

/** Reads how the installation is. @param room of the store, asked for by whoever has it open */
export const readHouseState = async (
  { database, version }: Pick<EngineDeps, 'database' | 'version'>,
  room: HouseState['room'],
): Promise<HouseState> => {
  const [row] = await database.asHost(
    (tx) => tx.$queryRaw<
      (Omit<HouseState, 'room' | 'version' | 'certificates' | 'releases'> & {
        certificates: unknown;
        releases: unknown;
      })[]
    >`
      with fact as (select key, value, extract(epoch from clock_timestamp() - updated_at)::float8 as age from host_facts)
      select (select age from fact where key = 'pump') as "workerAge",
             (select age from fact where key = 'intake') as "intakeAge",
             exists (select 1 from step_runs step
                       join sessions session on session.id = step.session_id and session.run_no = step.run_no
                      where step.status = 'Ready' and step.priority >= 0
                        and step.ready_at < clock_timestamp() - interval '15 minutes'
                        and session.deleted_at is null and session.stop_requested_at is null) as "isWorkLate",
             (select jsonb_build_object('isGood', value -> 'isGood', 'goodAge',
                       extract(epoch from clock_timestamp() - (value ->> 'goodAt')::timestamptz))
                from fact where key = ${backupFact}) as backup,
             (select value from fact where key = ${certificateFact}) as certificates,
             (select value from fact where key = ${releaseFact}) as releases`,
  );
  if (!row) throw new Error('a query without a table gives a row');
  return {
    ...row,
    certificates: readCertificates(row.certificates),
    releases: releaseStateOf(row.releases),
    version,
    room,
  };
};

/** Notes how a backup ended, for the alarms. */
export const noteBackup = (tx: Transaction, { isGood }: { isGood: boolean }): Promise<unknown> =>
  tx.$executeRaw`
    insert into host_facts (key, value, updated_at)
    values (${backupFact}, jsonb_build_object('isGood', ${isGood}::boolean, 'goodAt', case when ${isGood} then clock_timestamp() end),
            clock_timestamp())
    on conflict (key) do update set updated_at = clock_timestamp(),
      value = jsonb_build_object('isGood', ${isGood}::boolean,
                'goodAt', case when ${isGood} then to_jsonb(clock_timestamp()) else host_facts.value -> 'goodAt' end)`;

const onlyCause = (isWrong: boolean, params: Cause['params'] = {}): Cause[] =>
  isWrong ? [{ id: 'house', params }] : [];
const shared = { of: 'house', leads: '/settings?tab=storage' } as const;

const isWorkerGone = ({ workerAge }: HouseState): boolean => workerAge === null || workerAge > silence;

export const workerGone: HouseAlarm = {
  ...shared,
  severity: 'Error',
  leads: '/workflows/sessions?status=InQueue',
  look: (state) => onlyCause(isWorkerGone(state)),
};

export const workLate: HouseAlarm = {
  ...shared,
  severity: 'Warning',
  leads: '/workflows/sessions?status=InQueue&status=Processing',
  look: (state) => onlyCause(state.isWorkLate && !isWorkerGone(state)),
};

export const intakeGone: HouseAlarm = {
  ...shared,
  severity: 'Error',
  leads: '/arrivals',
  look: ({ intakeAge }) => onlyCause(intakeAge !== null && intakeAge > silence),
};

export const roomLow: HouseAlarm = {
  ...shared,
  severity: 'Error',
  look: ({ room }) => {
    const share = room ? room.freeBytes / room.totalBytes : 1;
    return onlyCause(share < scarce, { percent: Math.floor(share * 100) });
  },
};

export const backupFailed: HouseAlarm = {
  ...shared,
  severity: 'Error',
  leads: '/backups',
  look: ({ backup }) => onlyCause(backup !== null && !backup.isGood),
};

export const backupLate: HouseAlarm = {
  ...shared,
  severity: 'Warning',
  leads: '/backups',
  look: ({ backup }) => onlyCause(backup?.isGood === true && (backup.goodAge ?? 0) > longWithoutBackup),
};
