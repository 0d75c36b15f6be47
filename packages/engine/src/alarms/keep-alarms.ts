import type { Permission } from '@pdf2press/contract';
import { newId, Prisma, type Transaction, toJson } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import type { Alarm, Cause, HouseState } from './alarm.ts';
import { type AlarmKind, alarms } from './catalogue.ts';
import { readHouseState } from './of-house.ts';
import { passOn } from './pass-on.ts';

const holdersOf = (permission: Permission) => Prisma.sql`
  select distinct holder.id from users holder
    join user_roles given on given.subscriber_id = holder.subscriber_id and given.user_id = holder.id
    join roles role on role.subscriber_id = given.subscriber_id and role.id = given.role_id
   where holder.subscriber_id = current_subscriber() and holder.is_active and holder.deleted_at is null
     and ${permission} = any (role.permissions)`;

const administratorsOf = (hosts: readonly string[]) => Prisma.sql`
  select id from users
   where subscriber_id = current_subscriber() and is_active and deleted_at is null and id = any (${hosts}::text[])`;

/**
 * Makes the open notifications of a kind those of its causes: one to each person and cause. What is no longer wrong ends,
 * and so does what somebody was told who may not know it any more.
 */
async function settle(
  tx: Transaction,
  { kind, severity }: { kind: AlarmKind; severity: Alarm['severity'] },
  { causes, people }: { causes: readonly Cause[]; people: Prisma.Sql },
): Promise<void> {
  const told = await tx.$queryRaw<{ id: string }[]>`
    select id from notifications
     where subscriber_id = current_subscriber() and kind = ${kind} and ended_at is null and cause is not null limit 1`;
  if (causes.length === 0 && told.length === 0) return;
  const rows = await tx.$queryRaw<{ id: string }[]>(people);
  const ids = rows.map(({ id }) => id);
  const causeIds = causes.map(({ id }) => id);
  await tx.$executeRaw`
    update notifications set ended_at = clock_timestamp(), read_at = coalesce(read_at, clock_timestamp())
     where subscriber_id = current_subscriber() and kind = ${kind} and ended_at is null and cause is not null
       and (cause <> all (${causeIds}::text[]) or user_id <> all (${ids}::text[]))`;
  for (const { id: cause, params, severity: worse } of causes) {
    const data = toJson(params);
    const text = JSON.stringify(params);
    await tx.$executeRaw`
      update notifications set data = ${text}::jsonb
       where subscriber_id = current_subscriber() and kind = ${kind} and cause = ${cause} and ended_at is null
         and data <> ${text}::jsonb`;
    await tx.notification.createMany({
      data: ids.map((userId) => ({
        id: newId('notification'),
        userId,
        kind,
        severity: worse ?? severity,
        data,
        cause,
      })),
      skipDuplicates: true,
    });
  }
}

/** Ends what was told of effects that were given up and since tried again: themselves, or by a later one for their session. */
const endDeaths = (tx: Transaction): Promise<number> => tx.$executeRaw`
  update notifications notice set ended_at = clock_timestamp(), read_at = coalesce(read_at, clock_timestamp())
   where notice.subscriber_id = current_subscriber() and notice.ended_at is null and notice.cause is not null
     and notice.kind like '%.dead'
     and not exists (
       select 1 from effects effect
        where effect.subscriber_id = current_subscriber() and effect.id = notice.cause and effect.state = 'Dead'
          and not (effect.kind in ('archive', 'unarchive') and exists (
            select 1 from effects later
             where later.subscriber_id = current_subscriber() and later.session_id = effect.session_id
               and later.kind = effect.kind and later.created_at > effect.created_at)))`;

async function keepOf(
  tx: Transaction,
  { state, hosts }: { state: HouseState; hosts: readonly string[] },
): Promise<void> {
  for (const [kind, alarm] of alarms) {
    const causes = alarm.of === 'house' ? alarm.look(state) : await alarm.look(tx, state);
    const people = alarm.of === 'house' ? administratorsOf(hosts) : holdersOf(alarm.tells);
    await settle(tx, { kind, severity: alarm.severity }, { causes, people });
  }
  await endDeaths(tx);
}

/**
 * Looks for everything that is wrong, tells those who should know, and ends what is no longer so; then passes on by mail and
 * to web addresses what is new. Several processes may do so at once.
 */
export async function keepAlarms(deps: EngineDeps): Promise<void> {
  const state = await readHouseState(deps, await deps.storage.room());
  const { subscribers, hosts } = await deps.database.asHost(async (tx) => {
    const fact = await tx.hostFact.findUnique({ where: { key: 'host.administrators' } });
    return {
      subscribers: await tx.subscriber.findMany({ where: { isActive: true }, select: { id: true } }),
      hosts: (Array.isArray(fact?.value) ? fact.value : []).map(String),
    };
  });
  for (const { id: subscriberId } of subscribers)
    await deps.database.withSubscriber({ subscriberId }, async (tx) => {
      await keepOf(tx, { state, hosts });
      if (deps.app) await passOn(tx, { subscriberId, baseUrl: deps.app.baseUrl });
    });
}
