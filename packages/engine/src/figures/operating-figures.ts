import type { EngineDeps } from '../deps.ts';

/** How the installation as a whole is doing, over all subscribers. Ages are in seconds. */
export interface OperatingFigures {
  /** Steps that wait for a worker or are worked on; those of trials apart, because all others go before them. */
  steps: { kind: string; status: 'Ready' | 'Running'; isTrial: boolean; count: number; oldest: number }[];
  /** Steps that ended within the last five minutes, and the seconds that they took together. */
  ended: { kind: string; status: string; count: number; seconds: number }[];
  /** Steps that wait for a person or a time. */
  waits: { kind: string; count: number; oldest: number }[];
  /** What is to be done outside; `oldest` is by how much the first of them is late. */
  effects: { kind: string; state: 'Pending' | 'Sending' | 'Dead'; count: number; oldest: number }[];
  /** Mailboxes and folders that are polled. `overdue` ones were to be polled two minutes ago. */
  sources: { kind: string; count: number; failing: number; overdue: number; failingFor: number }[];
}

/** Sources that were to be polled this long ago belong to workflows that are switched off. */
const abandoned = '1 hour';

/** Reads the figures. One statement for each, because each has an index of its own. */
export const readOperatingFigures = ({ database }: Pick<EngineDeps, 'database'>): Promise<OperatingFigures> =>
  database.asHost(async (tx) => ({
    steps: await tx.$queryRaw<OperatingFigures['steps']>`
      select kind, status::text as status, priority < 0 as "isTrial", count(*)::int as count,
             greatest(0, extract(epoch from clock_timestamp() - min(ready_at)))::float8 as oldest
        from step_runs where status = 'Ready' group by 1, 2, 3
      union all
      select kind, status::text, priority < 0, count(*)::int,
             greatest(0, extract(epoch from clock_timestamp() - min(claimed_at)))::float8
        from step_runs where status = 'Running' group by 1, 2, 3`,
    ended: await tx.$queryRaw<OperatingFigures['ended']>`
      select kind, status::text as status, count(*)::int as count,
             coalesce(sum(extract(epoch from ended_at - claimed_at)), 0)::float8 as seconds
        from step_runs
       where claimed_at > clock_timestamp() - interval '1 day' and ended_at > clock_timestamp() - interval '5 minutes'
       group by 1, 2`,
    waits: await tx.$queryRaw<OperatingFigures['waits']>`
      select kind, count(*)::int as count,
             greatest(0, extract(epoch from clock_timestamp() - min(created_at)))::float8 as oldest
        from waits where decided_at is null group by 1`,
    effects: await tx.$queryRaw<OperatingFigures['effects']>`
      select kind, state::text as state, count(*)::int as count,
             case when state = 'Dead' then 0
                  else greatest(0, extract(epoch from clock_timestamp() - min(next_at)))::float8 end as oldest
        from effects where state in ('Pending', 'Sending', 'Dead') group by kind, state`,
    sources: await tx.$queryRaw<OperatingFigures['sources']>`
      select kind, count(*)::int as count, (count(*) filter (where failing_since is not null))::int as failing,
             (count(*) filter (where due_at < clock_timestamp() - interval '2 minutes'))::int as overdue,
             coalesce(greatest(0, extract(epoch from clock_timestamp() - min(failing_since))), 0)::float8 as "failingFor"
        from inlets where due_at > clock_timestamp() - ${abandoned}::interval group by 1`,
  }));
