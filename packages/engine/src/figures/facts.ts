import { Prisma } from '@pdf2press/prisma';

/*
 * What the figures count of each session, by key. Keys never change their meaning: sums of past days hold them.
 *   finding:<severity>:<check>:<rule>   1 where any run of the session has such a finding
 *   machine:<kind>:<step of durations>  ended steps of this kind that took so long, without what people took
 *   machineMs:<kind>                    their milliseconds together
 *   people:<kind>:<step of durations>   the same of how long they waited for people
 *   peopleMs:<kind>
 */

/** Durations are counted in steps, four to each doubling: what is read from them is right within a tenth. */
const durationSteps = 4;

const stepOf = (milliseconds: Prisma.Sql) =>
  Prisma.sql`floor(${durationSteps}::float8 * ln(greatest(${milliseconds}, 1)::float8) / ln(2::float8))::int`;

/** Milliseconds in the middle of a step of durations. */
export const millisecondsOf = (step: number): number => 2 ** ((step + 0.5) / durationSteps);

const between = (from: Prisma.Sql, to: Prisma.Sql) =>
  Prisma.sql`greatest(extract(epoch from ${to} - ${from}) * 1000, 0)::bigint`;

/**
 * `(session_id, key, n)` of the sessions that are the rows of `scope`, a table expression: by their rows, or by what is kept
 * of emptied ones.
 */
export const factsOf = (scope: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select session_id, key, 1::bigint as n from (
    select distinct scope.id as session_id,
           'finding:' || finding.severity || ':' || finding.check_key || ':' || finding.code as key
      from ${scope} scope
      join findings finding on finding.subscriber_id = scope.subscriber_id and finding.session_id = scope.id
       and finding.severity in ('Fail', 'Warn')
     where scope.emptied_at is null) found
  union all
  select session_id, fact.key, fact.n from (
    select scope.id as session_id, step.kind, wait.id is not null as is_waited,
           coalesce(${between(Prisma.sql`wait.created_at`, Prisma.sql`wait.decided_at`)}, 0) as people,
           ${between(Prisma.sql`step.started_at`, Prisma.sql`step.ended_at`)} as whole
      from ${scope} scope
      join step_runs step on step.subscriber_id = scope.subscriber_id and step.session_id = scope.id
       and step.started_at is not null and step.ended_at is not null and step.status in ('Succeeded', 'Warned', 'Failed')
      left join waits wait on wait.subscriber_id = step.subscriber_id and wait.step_run_id = step.id
       and wait.decided_at is not null
     where scope.emptied_at is null) timed
  cross join lateral (select greatest(whole - people, 0) as machine) own
  cross join lateral (values
    ('machine:' || kind || ':' || ${stepOf(Prisma.sql`machine`)}, 1::bigint, true),
    ('machineMs:' || kind, machine, true),
    ('people:' || kind || ':' || ${stepOf(Prisma.sql`people`)}, 1::bigint, is_waited),
    ('peopleMs:' || kind, people, is_waited)) as fact (key, n, is_there)
  where fact.is_there
  union all
  select scope.id, kept.key, kept.value::bigint
    from ${scope} scope cross join lateral jsonb_each_text(scope.measures) kept`;
