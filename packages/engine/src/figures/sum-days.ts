import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { isKept } from '../plans/read-plan.ts';
import { factsOf } from './facts.ts';

const batch = 50;

/** Groups by workflow and organization, by each alone, and of all; `*` stands for all. */
const grains = (by: Prisma.Sql) => Prisma.sql`
  group by grouping sets ((scope.workflow_id, scope.organization, ${by}), (scope.workflow_id, ${by}),
                          (scope.organization, ${by}), (${by}))`;
const grain = Prisma.sql`
  case when grouping(scope.workflow_id) = 1 then '*' else scope.workflow_id end as workflow_id,
  case when grouping(scope.organization) = 1 then '*' else scope.organization end as organization_id`;

/**
 * Counts the sessions of a day (UTC, `2026-11-24`) anew and keeps the sums. Changes that are noted by now are part of them;
 * one that is noted while this runs stays noted, and the day is summed again.
 */
async function sumDay(tx: Transaction, day: string): Promise<void> {
  // Two workers that sum at the same time do so one after the other.
  await tx.$queryRaw`select 1 as locked from (select pg_advisory_xact_lock(hashtext('day_sums'))) lock`;
  await tx.$executeRaw`delete from day_changes where day = ${day}::date`;
  await tx.$executeRaw`delete from day_sums where day = ${day}::date`;
  await tx.$executeRaw`
    with scope as materialized (
      select *, coalesce(organization_id, '') as organization from sessions
       where not is_trial and created_at >= ${day}::timestamp at time zone 'UTC'
         and created_at < (${day}::timestamp + interval '1 day') at time zone 'UTC'),
    outcomes as (
      select workflow_id, organization_id, jsonb_object_agg(status, n) as sums
        from (select ${grain}, status, count(*) as n from scope ${grains(Prisma.sql`status`)}) counted
       group by 1, 2),
    details as (
      select workflow_id, organization_id, jsonb_object_agg(key, n) as sums
        from (select ${grain}, fact.key, sum(fact.n) as n
                from (${factsOf(Prisma.sql`scope`)}) fact join scope on scope.id = fact.session_id
              ${grains(Prisma.sql`fact.key`)}) counted
       group by 1, 2)
    insert into day_sums (workflow_id, organization_id, day, outcomes, details)
    select outcomes.workflow_id, outcomes.organization_id, ${day}::date, outcomes.sums, coalesce(details.sums, '{}')
      from outcomes left join details using (workflow_id, organization_id)`;
  await tx.$executeRaw`insert into summed_days (day) values (${day}::date) on conflict do nothing`;
}

/** Days that have been over for a day and an hour and are not summed, or changed since; the newest first. */
const findDays = (deps: Pick<EngineDeps, 'database'>): Promise<{ subscriberId: string; day: string }[]> =>
  deps.database.asHost(
    (tx) => tx.$queryRaw<{ subscriberId: string; day: string }[]>`
      with span as (
        select subscriber.id as subscriber_id, first.day as first,
               (clock_timestamp() at time zone 'UTC' - interval '49 hours')::date as last
          from subscribers subscriber
         cross join lateral (
           select (min(created_at) at time zone 'UTC')::date as day from sessions
            where sessions.subscriber_id = subscriber.id and not is_trial) first)
      select subscriber_id as "subscriberId", to_char(day, 'YYYY-MM-DD') as day from (
        select span.subscriber_id, day::date as day from span cross join lateral generate_series(first, last, '1 day') day
        except
        select subscriber_id, day from summed_days
        union
        select change.subscriber_id, change.day from day_changes change
          join summed_days summed on summed.subscriber_id = change.subscriber_id and summed.day = change.day) due
       order by due.day desc limit ${batch}`,
  );

const measureStorage = (deps: Pick<EngineDeps, 'database'>): Promise<number> =>
  deps.database.asHost(
    (tx) => tx.$executeRaw`
      insert into storage_days (subscriber_id, day, bytes, measured_at, included_bytes, price_per_gb, currency)
      select subscriber.id, (clock_timestamp() at time zone 'UTC')::date, coalesce(held.bytes, 0), clock_timestamp(),
             (subscriber.plan #>> '{storage,includedBytes}')::bigint,
             coalesce((subscriber.plan #>> '{storage,pricePerGb}')::float8, 0),
             coalesce(subscriber.plan #>> '{storage,currency}', 'USD')
        from subscribers subscriber
       cross join lateral (select sum(size)::bigint as bytes from blobs
                            where blobs.subscriber_id = subscriber.id and ${isKept}) held
       where not exists (select 1 from storage_days measured where measured.subscriber_id = subscriber.id
                            and measured.measured_at > clock_timestamp() - interval '1 hour')
          on conflict (subscriber_id, day) do update
             set bytes = excluded.bytes, measured_at = excluded.measured_at, included_bytes = excluded.included_bytes,
                 price_per_gb = excluded.price_per_gb, currency = excluded.currency`,
  );

/** Sums all days that are due, and measures the store when the last measurement is an hour old. Returns how many days. */
export async function keepFigures(deps: Pick<EngineDeps, 'database'>, stopped?: AbortSignal): Promise<number> {
  await measureStorage(deps);
  let summed = 0;
  while (!stopped?.aborted) {
    const due = await findDays(deps);
    for (const { subscriberId, day } of due) {
      if (stopped?.aborted) break;
      await deps.database.withSubscriber({ subscriberId }, (tx) => sumDay(tx, day), { timeout: 120_000 });
      summed += 1;
    }
    if (due.length < batch) break;
  }
  return summed;
}
