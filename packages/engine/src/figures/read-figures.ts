import type { SessionStatus } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { factsOf, millisecondsOf } from './facts.ts';

const day = 86_400_000;

interface Span {
  from: Date;
  to: Date;
}

export interface FiguresQuery {
  /** Where the parts of the period begin, in order, and where the last one ends. */
  bounds: readonly Date[];
  /** What it is compared with; it ends before the period begins, or then. */
  previous: Span;
  workflowId?: string | undefined;
  organizationId?: string | undefined;
  /** The reader sees only some organizations: there are no sums of all for them. */
  isRestricted: boolean;
}

export type Outcomes = Partial<Record<SessionStatus, number>>;

export interface StepFigures {
  kind: string;
  /** Null where no such step waited for people. */
  people: Durations | null;
  machine: Durations;
}
interface Durations {
  count: number;
  totalMs: number;
  p50Ms: number;
  p95Ms: number;
}

export interface Figures {
  /** Of each part of the period. */
  parts: Outcomes[];
  previous: Outcomes;
  /** By id; `''` = of sessions without an organization. */
  workflows: Map<string, Outcomes>;
  organizations: Map<string, Outcomes>;
  /** How many sessions have it. */
  findings: { severity: string; checkKey: string; ruleKey: string; sessions: number }[];
  steps: StepFigures[];
}

const asDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Whole days (UTC) of a span whose sums are kept, and what is left of it. */
export function splitSpan({ from, to }: Span, summed: ReadonlySet<string>): { days: string[]; rest: Span[] } {
  const days: string[] = [];
  const rest: Span[] = [];
  const end = to.getTime();
  let open = from.getTime();
  for (let at = Math.ceil(open / day) * day; at + day <= end; at += day) {
    if (!summed.has(asDay(at))) continue;
    days.push(asDay(at));
    if (open < at) rest.push({ from: new Date(open), to: new Date(at) });
    open = at + day;
  }
  if (open < end) rest.push({ from: new Date(open), to });
  return { days, rest };
}

const readSummed = async (tx: Transaction, { from, to }: Span): Promise<Set<string>> => {
  const rows = await tx.$queryRaw<{ day: string }[]>`
    select to_char(day, 'YYYY-MM-DD') as day from summed_days summed
     where day >= ${asDay(from.getTime())}::date and day <= ${asDay(to.getTime())}::date
       and not exists (select 1 from day_changes change
                        where change.subscriber_id = summed.subscriber_id and change.day = summed.day)`;
  return new Set(rows.map((row) => row.day));
};

/** Sums of days: of the chosen workflow and organization, or of all. */
function grainOf({ workflowId, organizationId, isRestricted }: FiguresQuery) {
  const workflow = Prisma.sql`sums.workflow_id = ${workflowId ?? '*'}`;
  const each = {
    workflow: workflowId === undefined ? Prisma.sql`sums.workflow_id <> '*'` : workflow,
    organization:
      organizationId === undefined
        ? Prisma.sql`sums.organization_id <> '*'`
        : Prisma.sql`sums.organization_id = ${organizationId}`,
  };
  const organization =
    organizationId === undefined && !isRestricted ? Prisma.sql`sums.organization_id = '*'` : each.organization;
  return {
    all: Prisma.sql`${workflow} and ${organization}`,
    byWorkflow: Prisma.sql`${each.workflow} and ${organization}`,
    byOrganization: Prisma.sql`${workflow} and ${each.organization}`,
  };
}

/** Sessions of the spans, which are not empty; one condition for each span, so that an index finds them. */
const sessionsIn = (spans: readonly Span[], { workflowId, organizationId }: FiguresQuery): Prisma.Sql => Prisma.sql`
  not is_trial
  and (${Prisma.join(
    spans.map(({ from, to }) => Prisma.sql`created_at >= ${from} and created_at < ${to}`),
    ' or ',
  )})
  ${workflowId === undefined ? Prisma.empty : Prisma.sql`and workflow_id = ${workflowId}`}
  ${organizationId === undefined ? Prisma.empty : Prisma.sql`and coalesce(organization_id, '') = ${organizationId}`}`;

interface OutcomeRow {
  /** Which of the parts, 0 = what it is compared with; null where it counts by the other two. */
  part: number | null;
  workflowId: string | null;
  organizationId: string | null;
  status: SessionStatus;
  n: number;
}

/** Days and the part of each. */
type DaysOfParts = { day: string; part: number }[];

function summedOutcomes(tx: Transaction, days: DaysOfParts, query: FiguresQuery): Promise<OutcomeRow[]> {
  const { all, byWorkflow, byOrganization } = grainOf(query);
  const placed = Prisma.sql`jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as placed (day date, part int)`;
  const counted = (columns: Prisma.Sql, condition: Prisma.Sql) => Prisma.sql`
    select ${columns}, told.key as status, sum(told.value::bigint)::float8 as n
      from ${placed} join day_sums sums on sums.day = placed.day and ${condition}
     cross join lateral jsonb_each_text(sums.outcomes) told`;
  const ofPeriod = Prisma.sql`placed.part > 0`;
  return tx.$queryRaw<OutcomeRow[]>`
    ${counted(Prisma.sql`placed.part, null::text as "workflowId", null::text as "organizationId"`, all)}
     group by 1, 4
    union all
    ${counted(Prisma.sql`null, sums.workflow_id, null`, Prisma.sql`${byWorkflow} and ${ofPeriod}`)}
     group by 2, 4
    union all
    ${counted(Prisma.sql`null, null, sums.organization_id`, Prisma.sql`${byOrganization} and ${ofPeriod}`)}
     group by 3, 4`;
}

function countedOutcomes(tx: Transaction, spans: readonly Span[], query: FiguresQuery): Promise<OutcomeRow[]> {
  const { bounds, previous } = query;
  // The place of a time among these is 1 in the previous period, 2 between it and the first part, then 3 and so on.
  const places = [previous.from, previous.to, ...bounds];
  return tx.$queryRaw<OutcomeRow[]>`
    select part, "workflowId", "organizationId", status, sum(n)::float8 as n from (
      select case when place = 1 then 0 else place - 2 end as part, workflow_id as "workflowId",
             coalesce(organization_id, '') as "organizationId", status, count(*) as n
        from (select width_bucket(created_at, ${places}::timestamptz[]) as place, workflow_id, organization_id, status::text
                from sessions where ${sessionsIn(spans, query)}) placed
       group by 1, 2, 3, 4) counted
     group by grouping sets ((part, status), (part, "workflowId", status), (part, "organizationId", status))`;
}

const add = (into: Outcomes, status: SessionStatus, n: number) => {
  into[status] = (into[status] ?? 0) + n;
};

async function readOutcomes(
  tx: Transaction,
  query: FiguresQuery,
  summed: ReadonlySet<string>,
): Promise<Pick<Figures, 'parts' | 'previous' | 'workflows' | 'organizations'>> {
  const { bounds, previous } = query;
  const spans = [previous, ...bounds.slice(1).map((to, at) => ({ from: bounds[at] ?? to, to }))];
  const split = spans.map((span) => splitSpan(span, summed));
  const days = split.flatMap((one, part) => one.days.map((each) => ({ day: each, part })));
  const rest = joined(split.flatMap((one) => one.rest));
  const rows = [
    ...(days.length > 0 ? await summedOutcomes(tx, days, query) : []),
    ...(rest.length > 0 ? await countedOutcomes(tx, rest, query) : []),
  ];
  const told = {
    parts: spans.slice(1).map((): Outcomes => ({})),
    previous: {} as Outcomes,
    workflows: new Map<string, Outcomes>(),
    organizations: new Map<string, Outcomes>(),
  };
  const into = (map: Map<string, Outcomes>, id: string) => {
    const known = map.get(id) ?? {};
    map.set(id, known);
    return known;
  };
  for (const { part, workflowId, organizationId, status, n } of rows) {
    if (workflowId === null && organizationId === null) {
      const whole = part === 0 ? told.previous : told.parts[(part ?? 0) - 1];
      if (whole) add(whole, status, n);
    } else if (part !== 0)
      add(
        workflowId === null ? into(told.organizations, organizationId ?? '') : into(told.workflows, workflowId),
        status,
        n,
      );
  }
  return told;
}

/** Spans that follow each other as one. */
function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of spans) {
    const last = whole.at(-1);
    if (last && last.to.getTime() === span.from.getTime()) last.to = span.to;
    else whole.push({ ...span });
  }
  return whole;
}

async function readDetails(
  tx: Transaction,
  query: FiguresQuery,
  summed: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const { bounds } = query;
  const [from, to] = [bounds[0], bounds.at(-1)];
  const sums = new Map<string, number>();
  if (!from || !to) return sums;
  const { days, rest } = splitSpan({ from, to }, summed);
  const rows = [
    ...(days.length > 0
      ? await tx.$queryRaw<{ key: string; n: number }[]>`
          select told.key, sum(told.value::bigint)::float8 as n
            from unnest(${days}::date[]) as placed (day)
            join day_sums sums on sums.day = placed.day and ${grainOf(query).all}
           cross join lateral jsonb_each_text(sums.details) told group by 1`
      : []),
    ...(rest.length > 0
      ? await tx.$queryRaw<{ key: string; n: number }[]>`
          with scope as materialized (
            select subscriber_id, id, emptied_at, measures from sessions where ${sessionsIn(rest, query)})
          select key, sum(n)::float8 as n from (${factsOf(Prisma.sql`scope`)}) fact group by 1`
      : []),
  ];
  for (const { key, n } of rows) sums.set(key, (sums.get(key) ?? 0) + n);
  return sums;
}

const findingsIn = (sums: ReadonlyMap<string, number>): Figures['findings'] =>
  [...sums].flatMap(([key, sessions]) => {
    const [, severity, checkKey, ruleKey] = /^finding:([^:]*):([^:]*):(.*)$/.exec(key) ?? [];
    return severity !== undefined && checkKey !== undefined && ruleKey !== undefined
      ? [{ severity, checkKey, ruleKey, sessions }]
      : [];
  });

/** The duration that this share of the counted ones does not exceed, within a tenth. */
function quantile(counts: readonly (readonly [step: number, n: number])[], share: number): number {
  const wanted = counts.reduce((sum, [, n]) => sum + n, 0) * share;
  let seen = 0;
  for (const [step, n] of counts) {
    seen += n;
    if (seen >= wanted) return Math.round(millisecondsOf(step));
  }
  return 0;
}

function durationsIn(sums: ReadonlyMap<string, number>, of: 'machine' | 'people', kind: string): Durations | null {
  const head = `${of}:${kind}:`;
  const counts = [...sums]
    .flatMap(([key, n]) => (key.startsWith(head) ? [[Number(key.slice(head.length)), n] as const] : []))
    .sort(([one], [other]) => one - other);
  if (counts.length === 0) return null;
  return {
    count: counts.reduce((sum, [, n]) => sum + n, 0),
    totalMs: sums.get(`${of}Ms:${kind}`) ?? 0,
    p50Ms: quantile(counts, 0.5),
    p95Ms: quantile(counts, 0.95),
  };
}

function stepsIn(sums: ReadonlyMap<string, number>): StepFigures[] {
  const head = 'machineMs:';
  const kinds = [...sums.keys()].flatMap((key) => (key.startsWith(head) ? [key.slice(head.length)] : []));
  return kinds.flatMap((kind) => {
    const machine = durationsIn(sums, 'machine', kind);
    return machine ? [{ kind, machine, people: durationsIn(sums, 'people', kind) }] : [];
  });
}

/**
 * Figures of the sessions that came in a period, deleted ones included, trials not: from the sums of its whole days and, for
 * what is not summed, from the sessions themselves. A session counts where it came, with what became of it since.
 */
export async function readFigures(tx: Transaction, query: FiguresQuery): Promise<Figures> {
  const summed = await readSummed(tx, { from: query.previous.from, to: query.bounds.at(-1) ?? query.previous.to });
  const outcomes = await readOutcomes(tx, query, summed);
  const details = await readDetails(tx, query, summed);
  return { ...outcomes, findings: findingsIn(details), steps: stepsIn(details) };
}
