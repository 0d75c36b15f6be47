import type { StepKind } from '@pdf2press/contract';
import { Prisma } from '@pdf2press/prisma';
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

/** The column keeps milliseconds, rounded: what became ready just now may be half of one in the future. */
export const isDue = Prisma.sql`step.ready_at <= clock_timestamp() + interval '1 ms'`;

/** So many of the last claims are looked at for whose turn it is; one who is not among them has waited longest. */
const remembered = 500;
/**
 * More than ever run at once. Said, because under row-level security the planner does not know how few rows have one
 * status, and would read the whole table.
 */
export const manyRunning = 2_000;
/** Steps that are tried in turn where other workers claim at the same moment: of so many workflows, so many each. */
const choice = { flows: 4, steps: 8 };

/** What claims one step. */
export interface ClaimOne extends ClaimOptions {
  /** Where no step has been ready for this long (ms), none is claimed. */
  age?: number;
  /** The step that the ring named which is answered: where another step is taken, that one is rung for again. */
  rung?: string;
}

/**
 * The statement that claims the step whose turn it is.
 *
 * Steps of trials come after all others. Else it is the turn of the subscriber of whom the fewest steps run, and of those,
 * of the one who was served longest ago; of its steps the most urgent; then in the same way of the organization and the
 * workflow; in a workflow the session that came first goes on before another begins. So one with a thousand files does not
 * delay one with a single file, a session is finished before the next, and no slot stays empty.
 *
 * The cost grows with the number of workflows that have ready steps (`flow`), not with the number of steps.
 */
export function claimStatement({ owner, timing, kinds = supportedKinds, age = 0, rung = '' }: ClaimOne): Prisma.Sql {
  /** The first ready steps of a flow that this worker may run. The sessions are asked step by step: few are read. */
  const ofFlow = (flow: Prisma.Sql, limit: number) => Prisma.sql`
    select step.id, step.queued_at, step.ready_at
      from step_runs step
     where step.status = 'Ready' and step.subscriber_id = ${flow}.subscriber_id and step.priority = ${flow}.priority
       and step.organization_id = ${flow}.organization_id and step.workflow_id = ${flow}.workflow_id
       and ${isDue}
       and step.kind || ':' || step.kind_version = any (${kinds}::text[])
       and (select session.run_no = step.run_no and session.deleted_at is null and session.stop_requested_at is null
              from sessions session where session.id = step.session_id)
       -- One heavy step per worker at a time, so that small files do not wait behind a large one.
       and not (step.is_heavy and (select is_busy from heavy))
     order by step.queued_at, step.ready_at limit ${limit}`;
  const isOld = Prisma.sql`ready_at <= clock_timestamp() - ${interval(age)}`;
  return Prisma.sql`
    with recursive flow as (
      (select subscriber_id, priority, organization_id, workflow_id from step_runs
        where status = 'Ready'
          and (${age} <= 0
            or exists (select 1 from step_runs where status = 'Ready' and priority >= 0 and ${isOld})
            or exists (select 1 from step_runs where status = 'Ready' and priority < 0 and ${isOld}))
        order by subscriber_id, priority, organization_id, workflow_id limit 1)
      union all
      select next.* from flow cross join lateral (
        select subscriber_id, priority, organization_id, workflow_id from step_runs
         where status = 'Ready' and (subscriber_id, priority, organization_id, workflow_id)
               > (flow.subscriber_id, flow.priority, flow.organization_id, flow.workflow_id)
         order by subscriber_id, priority, organization_id, workflow_id limit 1) next),
    busy as materialized (
      select subscriber_id, organization_id, workflow_id, priority, is_heavy, lease_owner
        from step_runs where status = 'Running' order by lease_until limit ${manyRunning}),
    heavy as materialized (select exists (select 1 from busy where is_heavy and lease_owner = ${owner}) as is_busy),
    running as materialized (select subscriber_id, organization_id, workflow_id from busy where priority >= 0),
    served as materialized (
      select subscriber_id, organization_id, workflow_id, max(claimed_at) as at
        from (select subscriber_id, organization_id, workflow_id, claimed_at from step_runs
               where claimed_at is not null and priority >= 0 order by claimed_at desc limit ${remembered}) last
       group by subscriber_id, organization_id, workflow_id),
    turn as (
      select flow.*, row_number() over (order by
          flow.priority < 0,
          (select count(*) from running where running.subscriber_id = flow.subscriber_id),
          (select max(at) from served where served.subscriber_id = flow.subscriber_id) nulls first,
          flow.subscriber_id,
          flow.priority desc,
          (select count(*) from running where running.subscriber_id = flow.subscriber_id
              and running.organization_id = flow.organization_id),
          (select max(at) from served where served.subscriber_id = flow.subscriber_id
              and served.organization_id = flow.organization_id) nulls first,
          (select count(*) from running where running.subscriber_id = flow.subscriber_id
              and running.organization_id = flow.organization_id and running.workflow_id = flow.workflow_id),
          (select max(at) from served where served.subscriber_id = flow.subscriber_id
              and served.organization_id = flow.organization_id and served.workflow_id = flow.workflow_id) nulls first,
          first.queued_at, flow.organization_id, flow.workflow_id) as no
        from flow cross join lateral (${ofFlow(Prisma.sql`flow`, 1)}) first),
    candidate as materialized (
      select step.id, turn.no, step.queued_at, step.ready_at
        from (select * from turn order by no limit ${choice.flows}) turn
       cross join lateral (${ofFlow(Prisma.sql`turn`, choice.steps)}) step),
    chosen as materialized (
      select step.id from candidate join step_runs step on step.id = candidate.id
       where step.status = 'Ready' order by candidate.no, candidate.queued_at, candidate.ready_at limit 1
         for update of step skip locked),
    unanswered as (
      update step_runs set dispatched_at = null
       where id = (select id from step_runs where id = ${rung} and status = 'Ready'
                      and exists (select 1 from chosen) and id not in (select id from chosen)
                      for update skip locked))
    update step_runs step
       set status = 'Running', epoch = step.epoch + 1, attempt = step.attempt + 1, lease_owner = ${owner},
           lease_until = clock_timestamp() + ${interval(timing.lease)}, claimed_at = clock_timestamp(),
           started_at = coalesce(step.started_at, clock_timestamp()), progress = null
     where step.id = (select id from chosen)
    returning step.id, step.subscriber_id as "subscriberId", step.session_id as "sessionId", step.run_no as "runNo",
              step.node_id as "nodeId", step.kind, step.epoch, step.attempt, step.is_heavy as "isHeavy"`;
}

/** Claims the step whose turn it is; undefined = there is none. */
export async function claimStep(deps: EngineDeps, options: ClaimOne): Promise<ClaimedStep | undefined> {
  const [step] = await deps.database.asHost((tx) => tx.$queryRaw<ClaimedStep[]>(claimStatement(options)));
  return step;
}

/** Claims up to `count` steps, each in its turn; none where none has been ready for `age` milliseconds. */
export async function claimReady(
  deps: EngineDeps,
  { count, ...options }: ClaimOptions & { count: number; age: number },
): Promise<ClaimedStep[]> {
  const steps: ClaimedStep[] = [];
  while (steps.length < count) {
    const step = await claimStep(deps, options);
    if (!step) break;
    steps.push(step);
  }
  return steps;
}
