import type { EngineDeps } from '../deps.ts';
import { interval } from '../postgres/interval.ts';
import type { Timing } from '../timing.ts';
import type { ClaimedStep } from './claim-step.ts';
import type { Progress } from './run-step.ts';

/** A worker, as the pump counts it. */
export interface WorkerFact {
  owner: string;
  slots: number;
  engineVersion: string;
}

/**
 * Renews the leases of the steps that a worker runs and returns those that it still holds; records the worker's number of
 * slots for the pump; gives back steps that were claimed without the answer arriving at this worker.
 */
export async function beat(
  deps: EngineDeps,
  { owner, slots, engineVersion }: WorkerFact,
  held: readonly ClaimedStep[],
  timing: Timing,
  { releaseStray }: { releaseStray: boolean },
): Promise<ReadonlySet<string>> {
  const ids = held.map((step) => step.id);
  const epochs = held.map((step) => step.epoch);
  const rows = await deps.database.asHost(async (tx) => {
    await tx.$executeRaw`
      insert into host_facts (key, value, updated_at)
      values (${`worker ${owner}`}, ${JSON.stringify({ slots, engineVersion })}::jsonb, clock_timestamp())
      on conflict (key) do update set value = excluded.value, updated_at = clock_timestamp()`;
    if (releaseStray) {
      // Every held step was renewed one heartbeat ago; steps claimed while this heartbeat runs are younger than that.
      await tx.$executeRaw`
        update step_runs
           set status = 'Ready', epoch = epoch + 1, attempt = attempt - 1, lease_owner = null, lease_until = null, dispatched_at = null
         where lease_owner = ${owner} and status = 'Running' and not id = any (${ids}::text[])
           and lease_until < clock_timestamp() + ${interval(timing.lease - timing.heartbeat)}`;
    }
    return tx.$queryRaw<{ id: string }[]>`
      update step_runs step set lease_until = clock_timestamp() + ${interval(timing.lease)}
        from unnest(${ids}::text[], ${epochs}::int[]) as held (id, epoch)
       where step.id = held.id and step.epoch = held.epoch and step.status = 'Running'
      returning step.id`;
  });
  return new Set(rows.map((row) => row.id));
}

/** Gives back every step that a worker holds, as never tried: a clean stop is not a crash. */
export const releaseAll = (deps: EngineDeps, owner: string): Promise<void> =>
  deps.database.asHost(async (tx) => {
    await tx.$executeRaw`
      update step_runs
         set status = 'Ready', epoch = epoch + 1, attempt = attempt - 1, lease_owner = null, lease_until = null,
             dispatched_at = null, progress = null, ready_at = clock_timestamp()
       where lease_owner = ${owner} and status = 'Running'`;
    await tx.$executeRaw`delete from host_facts where key = ${`worker ${owner}`}`;
  });

/** Stores the progress of a step, for display only. */
export const writeProgress = (deps: EngineDeps, step: ClaimedStep, progress: Progress): Promise<void> =>
  deps.database.withSubscriber({ subscriberId: step.subscriberId }, async (tx) => {
    await tx.$executeRaw`
      update step_runs set progress = ${JSON.stringify(progress)}::jsonb
       where id = ${step.id} and epoch = ${step.epoch} and status = 'Running'`;
    await tx.$queryRaw`select pg_notify('pdf2press_events', ${`${step.subscriberId} ${step.sessionId}`})::text`;
  });
