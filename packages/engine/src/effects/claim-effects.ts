import { Prisma } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { type EffectKind, effectContracts } from './catalogue.ts';
import type { ClaimedEffect } from './run.ts';

/** A claimed row whose kind and payload are not checked yet. */
export interface ClaimedRow extends Omit<ClaimedEffect, 'kind' | 'payload'> {
  kind: string;
  payload: unknown;
}

/** Those that are due, and those whose worker was lost while it tried them. */
const isDue = Prisma.sql`
  ((state = 'Pending' and next_at <= clock_timestamp()) or (state = 'Sending' and lease_until < clock_timestamp()))`;

/** Those of these kinds of which something is due. One question for all of them: mostly the answer is none. */
export async function kindsDue(deps: EngineDeps, kinds: readonly EffectKind[]): Promise<EffectKind[]> {
  const rows = await deps.database.asHost(
    (tx) => tx.$queryRaw<{ kind: EffectKind }[]>`
      select distinct kind from effects where kind = any (${kinds}::text[]) and ${isDue}`,
  );
  return rows.map(({ kind }) => kind);
}

const claimed = Prisma.sql`
  effect.id, effect.subscriber_id as "subscriberId", effect.session_id as "sessionId",
  effect.step_run_id as "stepRunId", effect.trace, effect.key, effect.kind,
  effect.payload, effect.progress, effect.attempt, effect.epoch, effect.unknown_count as "unknownCount",
  (extract(epoch from clock_timestamp() - effect.created_at) * 1000)::float8 as age`;

const taken = Prisma.sql`
  state = 'Sending', epoch = effect.epoch + 1, attempt = effect.attempt + 1,
  unknown_count = effect.unknown_count + (effect.state = 'Sending')::int`;

const claimOf = (deps: EngineDeps, kinds: readonly EffectKind[], count: number): Promise<ClaimedRow[]> => {
  const leases = kinds.map((kind) => effectContracts[kind].leaseMs / 1000);
  return deps.database.asHost(
    (tx) => tx.$queryRaw<ClaimedRow[]>`
      with due as (
        select id from effects where kind = any (${kinds}::text[]) and ${isDue}
         order by next_at limit ${count} for update skip locked)
      update effects effect
         set ${taken}, lease_until = clock_timestamp() + make_interval(secs => lease.seconds)
        from due, unnest(${kinds}::text[], ${leases}::float8[]) as lease (kind, seconds)
       where effect.id = due.id and lease.kind = effect.kind
      returning ${claimed}`,
  );
};

/**
 * Claims effects of a kind with limits. Claims of one kind follow each other, so that two workers do not both find the last
 * free place. What finds none stays as it is and is found again when a place is free.
 */
const claimWithin = (
  deps: EngineDeps,
  kind: EffectKind,
  { perLane, perSubscriber }: { perLane: number; perSubscriber: number },
  count: number,
): Promise<ClaimedRow[]> =>
  deps.database.asHost(async (tx) => {
    await tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended(${`pdf2press effects ${kind}`}, 0))::text`;
    return tx.$queryRaw<ClaimedRow[]>`
      with busy as (
        select subscriber_id, lane from effects
         where state = 'Sending' and kind = ${kind} and lease_until >= clock_timestamp()),
      in_lane as (
        select id, subscriber_id, next_at,
               row_number() over (partition by subscriber_id, lane order by next_at, id)
                 + (select count(*) from busy where busy.subscriber_id = due.subscriber_id
                       and busy.lane is not distinct from due.lane) as place
          from effects due where kind = ${kind} and ${isDue}),
      in_all as (
        select id, next_at,
               row_number() over (partition by subscriber_id order by next_at, id)
                 + (select count(*) from busy where busy.subscriber_id = in_lane.subscriber_id) as place
          from in_lane where place <= ${perLane}),
      free as (select id from in_all where place <= ${perSubscriber} order by next_at limit ${count})
      update effects effect
         set ${taken}, lease_until = clock_timestamp() + make_interval(secs => ${effectContracts[kind].leaseMs / 1000})
        from free
       where effect.id = free.id and ${isDue}
      returning ${claimed}`;
  });

/** Claims effects that may be tried now, at most `count` of the kinds without limits and of each kind with limits. */
export async function claimEffects(
  deps: EngineDeps,
  kinds: readonly EffectKind[],
  count: number,
): Promise<ClaimedRow[]> {
  const rows: ClaimedRow[] = [];
  const unlimited = kinds.filter((kind) => !effectContracts[kind].limits);
  if (unlimited.length > 0) rows.push(...(await claimOf(deps, unlimited, count)));
  for (const kind of kinds) {
    const { limits } = effectContracts[kind];
    if (limits) rows.push(...(await claimWithin(deps, kind, limits, count)));
  }
  return rows;
}
