import type { StepKind } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { stepContracts } from '@pdf2press/steps/contracts';
import type { EngineDeps } from '../deps.ts';
import { interval } from '../postgres/interval.ts';
import type { Timing } from '../timing.ts';

/** A step that this worker holds; its results are accepted while the row has this `epoch`. */
export interface ClaimedStep {
  id: string;
  subscriberId: string;
  sessionId: string;
  runNo: number;
  nodeId: string;
  kind: StepKind;
  epoch: number;
  attempt: number;
  isHeavy: boolean;
}

/** `Kind:version` of everything that this release can run; rows of a newer release are left to newer workers. */
export const supportedKinds: readonly string[] = Object.values(stepContracts).flatMap(
  ({ kind, version, isRunnable = true }) =>
    isRunnable ? Array.from({ length: version }, (_, index) => `${kind}:${index + 1}`) : [],
);

export interface ClaimOptions {
  /** Id of the worker process; new at each start. */
  owner: string;
  timing: Timing;
  kinds?: readonly string[];
}

const claimed = Prisma.sql`
  step.id, step.subscriber_id as "subscriberId", step.session_id as "sessionId", step.run_no as "runNo",
  step.node_id as "nodeId", step.kind, step.epoch, step.attempt, step.is_heavy as "isHeavy"`;

/** The column keeps milliseconds, rounded: what became ready just now may be half of one in the future. */
export const isDue = Prisma.sql`step.ready_at <= clock_timestamp() + interval '1 ms'`;

/** Conditions for claiming a step. `session` and `step` are the rows. */
const open = (kinds: readonly string[]) => Prisma.sql`
  step.status = 'Ready' and ${isDue}
  and step.kind || ':' || step.kind_version = any (${kinds}::text[])
  and session.id = step.session_id and session.run_no = step.run_no
  and session.deleted_at is null and session.stop_requested_at is null`;

const take = ({ owner, timing }: ClaimOptions) => Prisma.sql`
  status = 'Running', epoch = step.epoch + 1, attempt = step.attempt + 1, lease_owner = ${owner},
  lease_until = clock_timestamp() + ${interval(timing.lease)},
  started_at = coalesce(step.started_at, clock_timestamp()), progress = null`;

/** One heavy step per worker at a time, so that small files do not wait behind a large one. */
const noSecondHeavy = (owner: string) => Prisma.sql`
  not (step.is_heavy and exists (
    select 1 from step_runs other where other.status = 'Running' and other.is_heavy and other.lease_owner = ${owner}))`;

/** Claims the step that a ring named; undefined = another worker has it, it is stopped, or the ring was out of date. */
export async function claimStep(deps: EngineDeps, id: string, options: ClaimOptions): Promise<ClaimedStep | undefined> {
  const { kinds = supportedKinds } = options;
  const [step] = await deps.database.asHost(
    (tx) => tx.$queryRaw<ClaimedStep[]>`
      update step_runs step set ${take(options)} from sessions session
       where step.id = ${id} and ${open(kinds)} and ${noSecondHeavy(options.owner)}
      returning ${claimed}`,
  );
  return step;
}

/**
 * Candidates in fair order: the first ready step of each subscriber comes before the second of any. A subscriber's running
 * steps count, so one with a thousand files does not delay one with a single file; and no slot stays empty. Steps of
 * trials come after all others and do not count.
 */
export const fairOrder = (where: Prisma.Sql): Prisma.Sql => Prisma.sql`
  with busy as (
    select subscriber_id, count(*) as running from step_runs
     where priority >= 0 and (status = 'Running' or (status = 'Ready' and dispatched_at is not null))
     group by subscriber_id),
  candidate as (
    select step.id, step.ready_at, step.priority < 0 as is_trial,
           row_number() over (partition by step.subscriber_id order by step.priority desc, step.ready_at, step.id)
             + coalesce(busy.running, 0) as rank
      from step_runs step
      join sessions session on session.id = step.session_id
      left join busy on busy.subscriber_id = step.subscriber_id
     where ${where})`;

/** Claims up to `count` steps without a ring, of those that have been ready for `age` milliseconds; in fair order. */
export function claimReady(
  deps: EngineDeps,
  { count, age, ...options }: ClaimOptions & { count: number; age: number },
): Promise<ClaimedStep[]> {
  const { kinds = supportedKinds } = options;
  const where = Prisma.sql`${open(kinds)} and step.ready_at <= clock_timestamp() - ${interval(age)} and ${noSecondHeavy(options.owner)}`;
  return deps.database.asHost(
    (tx: Transaction) => tx.$queryRaw<ClaimedStep[]>`
      ${fairOrder(where)},
      chosen as (
        select step.id from step_runs step join candidate on candidate.id = step.id
         where step.status = 'Ready' order by candidate.is_trial, candidate.rank, candidate.ready_at limit ${count}
           for update of step skip locked)
      update step_runs step set ${take(options)} from chosen where step.id = chosen.id
      returning ${claimed}`,
  );
}
