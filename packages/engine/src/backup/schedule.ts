import path from 'node:path';
import {
  type BackupRun,
  type BackupSchedule,
  backupRunSchema,
  backupScheduleSchema,
  type KeptBackup,
  keptBackupSchema,
} from '@pdf2press/contract';
import { type Transaction, toJson } from '@pdf2press/prisma';
import { z } from 'zod';

const scheduleFact = 'backup.schedule';
const runFact = 'backup.run';
const keptFact = 'backup.kept';

const storedSchedule = backupScheduleSchema.extend({
  /** What was due before is not made up for. */
  since: z.iso.datetime().nullable().default(null),
  /** When somebody asked for one at once. */
  askedAt: z.iso.datetime().nullable().default(null),
});
type StoredSchedule = z.output<typeof storedSchedule>;
const storedRun = backupRunSchema.extend({
  /** The moment that it was due. */
  slot: z.iso.datetime(),
});

/** A run whose worker has not been heard of for so long was broken off, milliseconds. */
const brokenAfter = 5 * 60_000;

export interface BackupState {
  schedule: StoredSchedule;
  /** `aliveAt`: when its worker was heard of last. */
  run: (BackupRun & { slot: string; aliveAt: Date }) | null;
  kept: KeptBackup[];
}

/** What is known of scheduled backups. The transaction is the host's, as for all of this file. */
export async function readBackupState(tx: Transaction): Promise<BackupState> {
  const facts = await tx.hostFact.findMany({ where: { key: { in: [scheduleFact, runFact, keptFact] } } });
  const factOf = (wanted: string) => facts.find(({ key }) => key === wanted)?.value;
  const run = facts.find(({ key }) => key === runFact);
  return {
    schedule: storedSchedule.parse(factOf(scheduleFact) ?? {}),
    run: run ? { ...storedRun.parse(run.value), aliveAt: run.updatedAt } : null,
    kept: z.array(keptBackupSchema).parse(factOf(keptFact) ?? []),
  };
}

async function write(tx: Transaction, key: string, given: object): Promise<void> {
  const value = toJson(given);
  await tx.hostFact.upsert({ where: { key }, create: { key, value }, update: { value, updatedAt: new Date() } });
}

/** Changes the schedule. What was due earlier today is not made at once. */
export async function writeSchedule(tx: Transaction, given: BackupSchedule): Promise<void> {
  const { schedule } = await readBackupState(tx);
  await write(tx, scheduleFact, { ...schedule, ...given, since: new Date().toISOString() });
}

/** Asks for a backup now. */
export async function askForBackup(tx: Transaction): Promise<void> {
  const { schedule } = await readBackupState(tx);
  await write(tx, scheduleFact, { ...schedule, askedAt: new Date().toISOString() });
}

export const noteKept = (tx: Transaction, kept: readonly KeptBackup[]): Promise<void> => write(tx, keptFact, kept);

/** Whether somebody asked for a backup that has not begun. */
export const isAsked = ({ schedule: { askedAt }, run }: BackupState): boolean =>
  askedAt !== null && (run === null || run.slot < askedAt);

/** Whether a backup is being made; it is not when its worker was killed or stopped. */
export const isUnderWay = ({ run }: BackupState, now: Date): boolean =>
  run !== null && run.endedAt === null && now.getTime() - run.aliveAt.getTime() <= brokenAfter;

/** The moment for which a backup is due and not begun, or whose run was broken off; null: none. */
export function dueSlot(state: BackupState, now: Date): string | null {
  const { schedule, run } = state;
  const { isOn, time, since, askedAt } = schedule;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const planned = new Date(now);
  planned.setHours(hours, minutes, 0, 0);
  // Of a day whose time is still to come, that of the day before counts.
  if (planned > now) planned.setDate(planned.getDate() - 1);
  const slot = planned.toISOString();
  const slots = [...(isOn && since !== null && slot >= since ? [slot] : []), ...(askedAt === null ? [] : [askedAt])];
  const last = slots.sort().at(-1);
  if (last === undefined) return null;
  const isBroken = run !== null && run.slot === last && run.endedAt === null && !isUnderWay(state, now);
  return run === null || run.slot < last || isBroken ? last : null;
}

/** Takes a due backup; false when another worker has. */
export async function claimRun(tx: Transaction, slot: string): Promise<boolean> {
  const run = JSON.stringify({ slot, startedAt: new Date().toISOString(), endedAt: null, fault: null });
  const written = await tx.$executeRaw`
    insert into host_facts (key, value, updated_at) values (${runFact}, ${run}::jsonb, clock_timestamp())
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
     where host_facts.value ->> 'slot' < excluded.value ->> 'slot'
        or (host_facts.value ->> 'slot' = excluded.value ->> 'slot' and host_facts.value ->> 'endedAt' is null
            and host_facts.updated_at < clock_timestamp() - make_interval(secs => ${brokenAfter / 1000}))`;
  return written === 1;
}

/** Tells that the worker of a run still works on it. */
export const noteAlive = (tx: Transaction, slot: string): Promise<number> =>
  tx.$executeRaw`
    update host_facts set updated_at = clock_timestamp()
     where key = ${runFact} and value ->> 'slot' = ${slot} and value ->> 'endedAt' is null`;

/** Notes how a run ended, unless a later one has begun. */
export const endRun = (tx: Transaction, slot: string, fault: BackupRun['fault']): Promise<number> => {
  const end = JSON.stringify({ endedAt: new Date().toISOString(), fault });
  return tx.$executeRaw`
    update host_facts set value = value || ${end}::jsonb, updated_at = clock_timestamp()
     where key = ${runFact} and value ->> 'slot' = ${slot}`;
};

/** Where the backups of a schedule go. */
export const backupFolder = ({ folder }: Pick<BackupSchedule, 'folder'>, dataDir: string): string =>
  folder === '' ? path.resolve(dataDir, 'backups') : path.resolve(folder);
