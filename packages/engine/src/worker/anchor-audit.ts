import type { AuditAnchor } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { signAnchor } from '../secrets/audit-anchor.ts';
import type { InstanceKeys } from '../secrets/instance-key.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Days are those of UTC: the same on every machine. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The anchors of the transaction's subscriber, oldest first. */
export async function readAnchors(tx: Transaction): Promise<AuditAnchor[]> {
  const rows = await tx.auditAnchor.findMany({ orderBy: { day: 'asc' } });
  return rows.map(({ day, no, hash, at, signature }) => ({
    day: dayOf(day),
    no,
    hash,
    at: at.toISOString(),
    signature,
  }));
}

/** Subscribers who have no anchor of this day, and of whom something was written since the last. */
async function dueSubscribers(deps: EngineDeps, day: string): Promise<string[]> {
  const rows = await deps.database.asHost(
    (tx) => tx.$queryRaw<{ id: string }[]>`
      select id from subscribers
       where not exists (select 1 from audit_anchors where subscriber_id = subscribers.id and day >= ${day}::date)
         and exists (select 1 from audit_entries
                      where subscriber_id = subscribers.id
                        and no > coalesce((select max(no) from audit_anchors where subscriber_id = subscribers.id), 0))
       order by id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Signs and keeps the head of every subscriber's audit, once a day: whoever owns the database can compute a chain anew, but
 * has not the installation's key. What is signed is logged as well, so that it is also where the logs go.
 * @returns how many were made
 */
export async function anchorAudit(deps: EngineDeps, keys: InstanceKeys, now = new Date()): Promise<number> {
  const { database, log } = deps;
  const day = dayOf(now);
  let made = 0;
  for (const subscriberId of await dueSubscribers(deps, day)) {
    const anchor = await database.withSubscriber({ subscriberId }, async (tx) => {
      const [head] = await tx.$queryRaw<{ no: number; hash: string }[]>`
        select no, encode(row_hash, 'hex') as hash from audit_entries order by no desc limit 1`;
      if (!head) return null;
      const signed = signAnchor(keys, subscriberId, { ...head, day, at: now.toISOString() });
      const { no, hash, at, signature } = signed;
      // Another worker may do the same at this moment: the first one counts.
      const count = await tx.$executeRaw`
        insert into audit_anchors (day, no, hash, at, signature)
        values (${day}::date, ${no}::int, ${hash}, ${at}::timestamptz, ${signature}) on conflict do nothing`;
      return count > 0 ? signed : null;
    });
    if (!anchor) continue;
    made += 1;
    log?.({ level: 'info', event: 'audit.anchor', data: { subscriberId, ...anchor } });
  }
  return made;
}

const lookPeriod = 60_000;

/** Makes the anchors that are due, as long as the worker runs. */
export const startAuditAnchors = (deps: EngineDeps, keys: InstanceKeys): Repeated =>
  repeat(
    async () => void (await anchorAudit(deps, keys)),
    lookPeriod,
    (error) => deps.log?.({ level: 'warn', event: 'audit.anchor', error }),
  );
