import { trialHours } from '@pdf2press/contract';
import { Prisma } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { interval } from '../postgres/interval.ts';
import { isDue, manyRunning } from '../steps/claim-step.ts';
import type { Timing } from '../timing.ts';
import type { DueWait } from '../waits/keep-time.ts';
import type { Ring } from './doorbell.ts';
import { type ExpiredStep, expiredSteps } from './sweep.ts';

export interface PumpTick {
  /** False = another worker is the pump at the moment. */
  isLeader: boolean;
  /** Steps to ring for. */
  rings: Ring[];
  /** Running steps whose lease has run out. */
  expired: ExpiredStep[];
  /** Waits of which a time has come. */
  dueWaits: DueWait[];
  /** Trials that were kept long enough. */
  oldTrials: { id: string; subscriberId: string }[];
  /** No ring is out, and nothing waits for one: until a notice comes, only the clock brings work. */
  isQuiet: boolean;
}

const nothing: PumpTick = { isLeader: false, rings: [], expired: [], dueWaits: [], oldTrials: [], isQuiet: true };

/** The queue never holds more rings per slot than this: losing all of them costs one period of the pump. */
const windowPerSlot = 3;

/**
 * One run of the pump, by the worker that holds the advisory lock: finds steps whose lease ran out, rings again for steps
 * that no worker claimed, and rings for ready steps, few enough that the queue stays short. All it decides by is stored in
 * rows, so it may be killed at any point.
 */
export function pumpTick(deps: EngineDeps, timing: Timing, { isRinging }: { isRinging: boolean }): Promise<PumpTick> {
  return deps.database.asHost(async (tx) => {
    const [lock] = await tx.$queryRaw<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended('pdf2press pump', 0)) as held`;
    if (!lock?.held) return nothing;
    const [last] = await tx.$queryRaw<{ gap: boolean }[]>`
      select updated_at < clock_timestamp() - ${interval(timing.gap)} as gap from host_facts where key = 'pump'`;
    await tx.$executeRaw`
      insert into host_facts (key, value, updated_at) values ('pump', '{}', clock_timestamp())
      on conflict (key) do update set updated_at = clock_timestamp()`;
    if (last?.gap) {
      // Postgres or the machine stood still, so no worker could renew its lease; the workers may be healthy.
      await tx.$executeRaw`
        update step_runs set lease_until = clock_timestamp() + ${interval(timing.lease)} where status = 'Running'`;
    }
    const oldTrials = await tx.$queryRaw<PumpTick['oldTrials']>`
      select id, subscriber_id as "subscriberId" from sessions
       where is_trial and deleted_at is null
         and created_at < clock_timestamp() - make_interval(hours => ${trialHours}::int) limit 100`;
    const expired = last?.gap ? [] : await expiredSteps(tx);
    const dueWaits = await tx.$queryRaw<PumpTick['dueWaits']>`
      select id, subscriber_id as "subscriberId", kind from waits
       where due_at <= clock_timestamp() or remind_at <= clock_timestamp() or escalate_at <= clock_timestamp()
       limit 100`;
    if (!isRinging) return { isLeader: true, rings: [], expired, dueWaits, oldTrials, isQuiet: true };
    await tx.$executeRaw`
      update step_runs set dispatched_at = null
       where id in (
         select id from step_runs
          where status = 'Ready' and dispatched_at < clock_timestamp() - ${interval(timing.rering)}
          order by dispatched_at limit ${manyRunning})`;
    const open = Prisma.sql`
      step.status = 'Ready' and step.dispatched_at is null and ${isDue}
      and (select session.run_no = step.run_no and session.deleted_at is null and session.stop_requested_at is null
             from sessions session where session.id = step.session_id)`;
    // Asked for before, because the planner has to know that few rows are wanted.
    const [room] = await tx.$queryRaw<{ all: number; trials: number; rung: number }[]>`
      with slots as (
        select coalesce(sum((value->>'slots')::int), 0) as count from host_facts
         where key like 'worker %' and updated_at > clock_timestamp() - ${interval(3 * timing.heartbeat)}),
      rung as (
        select priority from step_runs where status = 'Ready' and dispatched_at is not null
         order by dispatched_at limit ${manyRunning}),
      running as (select priority from step_runs where status = 'Running' order by lease_until limit ${manyRunning})
      select greatest(0, ${windowPerSlot} * count - (select count(*) from rung))::int as all,
             greatest(0, greatest(1, count / 2) - (select count(*) from rung where priority < 0)
               - (select count(*) from running where priority < 0))::int as trials,
             (select count(*) from rung)::int as rung
        from slots`;
    const rings = room?.all
      ? await tx.$queryRaw<Ring[]>`
          with chosen as (
            (select step.id, 0 as rank, step.ready_at from step_runs step
              where ${open} and step.priority >= 0 order by step.ready_at limit ${room.all})
            union all
            (select step.id, 1 as rank, step.ready_at from step_runs step
              where ${open} and step.priority < 0 order by step.ready_at limit ${room.trials}))
          update step_runs step set dispatched_at = clock_timestamp(), dispatch_no = step.dispatch_no + 1
            from (select id from chosen order by rank, ready_at limit ${room.all}) chosen
           where step.id = chosen.id and step.status = 'Ready'
          returning step.id, step.dispatch_no as "dispatchNo"`
      : [];
    if (rings.length > 0) failpoint('insidePump');
    const isQuiet = room?.rung === 0 && room.all > 0 && rings.length === 0;
    return { isLeader: true, rings, expired, dueWaits, oldTrials, isQuiet };
  });
}
