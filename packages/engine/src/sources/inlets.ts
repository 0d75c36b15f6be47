import type { ErrorParams, SourceFault } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { interval } from '../postgres/interval.ts';
import { backoff } from '../retry.ts';

/** A place to be polled, in the form of the row that is made when it is first seen. */
export interface NewInlet {
  /** The same for the same place, as long as workflows refer to it. */
  id: string;
  subscriberId: string;
  workflowId: string;
  kind: string;
  place: string;
  connectionId?: string | undefined;
}

/** The right to poll an inlet: valid until its lease ends; writes check its epoch. */
export interface InletLease {
  id: string;
  epoch: number;
}

export interface ClaimedInlet extends InletLease {
  /** As stored by the last poll; null = there is none. */
  cursor: unknown;
  /** Failed polls since the last successful one. */
  failures: number;
}

/**
 * Claims inlets that are due and that no other process holds, the longest due first. A lease that ran out is taken over;
 * from then on the process that had it can write nothing.
 */
export function claimInlets(
  deps: EngineDeps,
  inlets: readonly NewInlet[],
  { owner, count, leaseMs }: { owner: string; count: number; leaseMs: number },
): Promise<ClaimedInlet[]> {
  const column = (name: keyof NewInlet) => inlets.map((inlet) => inlet[name] ?? null);
  const ids = column('id');
  return deps.database.asHost(async (tx) => {
    await tx.$executeRaw`
      insert into inlets (id, subscriber_id, workflow_id, kind, place, connection_id)
      select seen.id, seen.subscriber_id, seen.workflow_id, seen.kind, seen.place, connection.id
        from unnest(${ids}::text[], ${column('subscriberId')}::text[], ${column('workflowId')}::text[],
                    ${column('kind')}::text[], ${column('place')}::text[], ${column('connectionId')}::text[])
               as seen (id, subscriber_id, workflow_id, kind, place, connection_id)
        join workflows workflow on workflow.subscriber_id = seen.subscriber_id and workflow.id = seen.workflow_id
        left join profiles connection
               on connection.subscriber_id = seen.subscriber_id and connection.id = seen.connection_id
       where not exists (select 1 from inlets where inlets.id = seen.id)
      on conflict (id) do nothing`;
    return tx.$queryRaw<ClaimedInlet[]>`
      update inlets inlet
         set lease_owner = ${owner}, lease_epoch = inlet.lease_epoch + 1,
             lease_until = clock_timestamp() + ${interval(leaseMs)}
        from (select id from inlets
               where id = any (${ids}::text[]) and due_at <= clock_timestamp()
                 and (lease_until is null or lease_until < clock_timestamp())
               order by due_at limit ${count} for update skip locked) due
       where inlet.id = due.id
      returning inlet.id, inlet.lease_epoch as epoch, inlet.cursor, inlet.failure_count as failures`;
  });
}

/** Notes that an intake goes round its sources, so that it is missed when it is gone; written every ten seconds at most. */
export const noteIntake = (deps: EngineDeps): Promise<unknown> =>
  deps.database.asHost(
    (tx) => tx.$executeRaw`
      insert into host_facts (key, value, updated_at) values ('intake', '{}', clock_timestamp())
      on conflict (key) do update set updated_at = clock_timestamp()
       where host_facts.updated_at < clock_timestamp() - interval '10 seconds'`,
  );

/** Renews leases; resolves to the ids of those that are still held. */
export async function renewInlets(
  deps: EngineDeps,
  held: readonly InletLease[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await deps.database.asHost(
    (tx) => tx.$queryRaw<{ id: string }[]>`
      update inlets inlet set lease_until = clock_timestamp() + ${interval(leaseMs)}
        from unnest(${held.map(({ id }) => id)}::text[], ${held.map(({ epoch }) => epoch)}::int[]) as held (id, epoch)
       where inlet.id = held.id and inlet.lease_epoch = held.epoch and inlet.lease_until is not null
      returning inlet.id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The inlet belongs to another process by now, or no longer exists. */
export class LostInletError extends Error {
  override readonly name = 'LostInletError';
}

/**
 * Stores where the next poll begins, after everything before that point was committed and settled.
 * @throws LostInletError when another process holds the lease; nothing is written then
 */
export async function moveCursor(deps: EngineDeps, lease: InletLease, cursor: unknown): Promise<void> {
  failpoint('beforeCursor');
  const written = await deps.database.asHost(
    (tx) => tx.$executeRaw`
      update inlets set cursor = ${JSON.stringify(cursor)}::jsonb
       where id = ${lease.id} and lease_epoch = ${lease.epoch} and lease_until is not null`,
  );
  if (written === 0) throw new LostInletError();
  failpoint('afterCursor');
}

/** How a poll ended. `stopped`: the process was told to stop, which says nothing about the source. */
export type PollEnd =
  | { end: 'ok'; dueInMs: number }
  | { end: 'stopped' }
  /** `waitMs`: the source asks not to be polled earlier. */
  | { end: 'failed'; code: SourceFault; params: ErrorParams; waitMs?: number };

const firstPause = 5_000;
const longestPause = 15 * 60_000;

/**
 * Doubling pauses in milliseconds, 75 to 125 % of each, so that inlets that failed together are not polled together again.
 */
export const pauseAfter = (failures: number): number =>
  backoff(firstPause, failures - 1, longestPause) * (0.75 + Math.random() / 2);

/**
 * Gives inlets back with the results of their polls: the next due time, and the fault with the time since when. One
 * statement for all, because the polls of hot folders end together: each costs a row instead of a transaction.
 * @returns the ids that were written; the others belong to another process by now, or no longer exist
 */
export async function endPolls(
  deps: EngineDeps,
  polls: readonly { claim: ClaimedInlet; ended: PollEnd }[],
): Promise<ReadonlySet<string>> {
  const column = <T>(read: (claim: ClaimedInlet, ended: PollEnd) => T) =>
    polls.map(({ claim, ended }) => read(claim, ended));
  const pauseOf = ({ failures }: ClaimedInlet, ended: PollEnd): number | null => {
    if (ended.end === 'stopped') return null;
    if (ended.end === 'ok') return ended.dueInMs / 1000;
    return Math.max(pauseAfter(failures + 1), ended.waitMs ?? 0) / 1000;
  };
  const rows = await deps.database.asHost(
    (tx) => tx.$queryRaw<{ id: string }[]>`
      update inlets inlet
         set lease_owner = null, lease_until = null,
             due_at = coalesce(clock_timestamp() + make_interval(secs => ended.pause), inlet.due_at),
             last_ok_at = case how when 'ok' then clock_timestamp() else last_ok_at end,
             failure_count = case how when 'ok' then 0 when 'failed' then failure_count + 1 else failure_count end,
             failing_since = case how when 'failed' then coalesce(failing_since, clock_timestamp())
                                      when 'stopped' then failing_since end,
             error_code = case how when 'stopped' then error_code else ended.code end,
             error_params = case how when 'stopped' then error_params else ended.params::jsonb end
        from unnest(${column(({ id }) => id)}::text[], ${column(({ epoch }) => epoch)}::int[],
                    ${column((_, { end }) => end)}::text[], ${column(pauseOf)}::float8[],
                    ${column((_, ended) => (ended.end === 'failed' ? ended.code : null))}::text[],
                    ${column((_, ended) => (ended.end === 'failed' ? JSON.stringify(ended.params) : null))}::text[])
               as ended (id, epoch, how, pause, code, params)
       where inlet.id = ended.id and inlet.lease_epoch = ended.epoch and inlet.lease_until is not null
      returning inlet.id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Lets an inlet be polled at once, because its source tells of something new; one that fails keeps its pause. */
export const wakeInlet = (deps: EngineDeps, id: string): Promise<unknown> =>
  deps.database.asHost(
    (tx) => tx.$executeRaw`
      update inlets set due_at = least(due_at, clock_timestamp()) where id = ${id} and failing_since is null`,
  );

/** Lets the inlets of a connection be polled at once, with what failed forgotten: somebody has connected it anew. */
export const retryInlets = (tx: Transaction, connectionId: string): Promise<unknown> =>
  tx.$executeRaw`
    update inlets set due_at = clock_timestamp(), failure_count = 0, failing_since = null, error_code = null,
                      error_params = null
     where connection_id = ${connectionId}`;
