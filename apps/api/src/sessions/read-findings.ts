import type {
  Finding,
  FindingCounts,
  FindingState,
  FindingTotals,
  findingQuerySchema,
  Locale,
  RouteResult,
  routes,
  SessionFinding,
  Severity,
  Unit,
} from '@pdf2press/contract';
import { severities } from '@pdf2press/contract';
import { readSettings } from '@pdf2press/engine';
import { findingSentence, ruleLabel } from '@pdf2press/preflight/contracts';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { stepContracts } from '@pdf2press/steps/contracts';
import type { z } from 'zod';
import type { Caller } from '../frame/caller.ts';
import { found, pageWindow } from '../frame/rows.ts';

export interface FindingRow {
  data: Finding;
  stepRunId: string;
  state: FindingState | null;
}

/** A finding with its two sentences; a rule whose check this release does not have is shown by its code. */
export const findingOf = ({ data, stepRunId, state }: FindingRow, locale: Locale, unit: Unit): SessionFinding => ({
  ...data,
  stepRunId,
  state,
  message: findingSentence(data, locale, 'customer', unit),
  operatorMessage: findingSentence(data, locale, 'operator', unit),
});

const worstFirst = [...severities].reverse();
/** Rank of a severity, 1 the worst. */
const rank = (column: Prisma.Sql) => Prisma.sql`array_position(${worstFirst}::text[], ${column})`;

/** Fixed ones last; the check with the worst finding first; within a check by severity, rule and state. */
const listOrder = (group: Prisma.Sql) => Prisma.sql`
  state is not distinct from 'fixed', min(${rank(Prisma.sql`severity`)}) over (partition by ${group}), check_key,
  ${rank(Prisma.sql`severity`)}, code, state`;

/** The requested run of a session that the caller may see. @throws ProblemError `resource.notFound` */
async function runOf(tx: Transaction, { id, run }: { id: string; run?: number | undefined }): Promise<number> {
  const { runNo } = found(await tx.session.findFirst({ where: { id }, select: { runNo: true } }));
  return run ?? runNo;
}

const judgingKinds = Object.values(stepContracts).flatMap(({ kind, judges }) => (judges ? [kind] : []));

/** The preflights of a run in their order: `id` and `no`, from 1. */
const checkersOf = (sessionId: string, runNo: number) => Prisma.sql`
    select id, row_number() over (order by created_at, id) as no
      from step_runs
     where session_id = ${sessionId} and run_no = ${runNo}
       and ((kind = any (${judgingKinds}::text[]) and status in ('Succeeded', 'Warned'))
         or exists (select 1 from findings where findings.step_run_id = step_runs.id))`;

/**
 * `compared`: the findings of a session's preflights with their `state`. A finding of an earlier preflight is the same as one
 * of a later preflight where rule, page, side and the words of their sentences (font, ink) are equal; of those that are the
 * same only the last is there. Numbers that were measured and places differ after a fix, and do not count.
 * @param checkers a query of those preflights: `id` and `no`, from 1, in their order
 */
export const comparedOf = (sessionId: string, checkers: Prisma.Sql) => Prisma.sql`
  with checkers as (${checkers}),
  placed as (
    select findings.*, checkers.no as turn,
           jsonb_build_array(check_key, code, data->'side', case when data->'pages' is null then page end,
             (select jsonb_object_agg(key, value order by key) from jsonb_each(data->'params')
               where jsonb_typeof(value) = 'string')) as identity
      from findings join checkers on checkers.id = findings.step_run_id
     where session_id = ${sessionId}),
  ranged as (
    select *, min(turn) over (partition by identity) as first_turn, max(turn) over (partition by identity) as last_turn
      from placed),
  compared as (
    select ranged.*, case when newest.turn = 1 then null when ranged.turn < newest.turn then 'fixed'
                   when first_turn < ranged.turn then 'left' else 'new' end as state
      from ranged cross join (select max(no) from checkers) as newest (turn)
     where ranged.turn = last_turn)`;

/** `compared`, within one run. */
const comparedIn = (sessionId: string, runNo: number) => comparedOf(sessionId, checkersOf(sessionId, runNo));

/**
 * A page of a session's findings; those of a rule stand together, in the order of their pages.
 * @throws ProblemError `resource.notFound`
 */
export async function readFindings(
  tx: Transaction,
  caller: Caller,
  locale: Locale,
  query: { id: string } & z.output<typeof findingQuerySchema>,
): Promise<RouteResult<typeof routes.sessions.findings>> {
  const { id, severity, check, rule, onPage, stepRunId, state, search, page, pageSize } = query;
  const runNo = await runOf(tx, query);
  const { measurementSettings } = await readSettings(tx, caller.subscriberId);
  const unit = measurementSettings.defaultUnit;
  const { skip, take } = pageWindow({ page, pageSize });
  // The sentences are composed here and not stored in a column, so a text search has to compose them all.
  const window = search ? Prisma.empty : Prisma.sql`limit ${take} offset ${skip}`;
  const rows = await tx.$queryRaw<(FindingRow & { total: number })[]>`
    ${stepRunId ? ofStep(id, stepRunId) : comparedIn(id, runNo)}
    select data || jsonb_build_object('id', id) as data, step_run_id as "stepRunId", state, count(*) over ()::int as total
      from compared
     where (${state ?? null}::text[] is null or coalesce(state, 'left') = any (${state ?? null}::text[]))
       and (${severity ?? null}::text[] is null or severity = any (${severity ?? null}::text[]))
       and (${check ?? null}::text[] is null or check_key = any (${check ?? null}::text[]))
       and (${rule ?? null}::text[] is null or code = any (${rule ?? null}::text[]))
       and (${onPage ?? null}::int is null or page = ${onPage ?? null}::int
         or data->'pages' @> to_jsonb(${onPage ?? null}::int))
     order by ${listOrder(Prisma.sql`check_key, state = 'fixed'`)}, page nulls first, step_run_id, no
     ${window}`;
  const items = rows.map((row) => findingOf(row, locale, unit));
  if (!search) {
    const total = rows[0]?.total ?? (page === 1 ? 0 : await countOf(tx, caller, locale, query));
    return { items, total, page, pageSize };
  }
  const words = search.toLocaleLowerCase(locale);
  const matching = items.filter(({ message, operatorMessage }) =>
    `${message}\n${operatorMessage}`.toLocaleLowerCase(locale).includes(words),
  );
  return { items: matching.slice(skip, skip + take), total: matching.length, page, pageSize };
}

/** `compared`: all findings of one step, without a state. */
const ofStep = (sessionId: string, stepRunId: string) => Prisma.sql`
  with compared as (
    select *, null as state from findings where session_id = ${sessionId} and step_run_id = ${stepRunId})`;

/** The total, for a page past the end, which has no row that contains it. */
const countOf = async (
  tx: Transaction,
  caller: Caller,
  locale: Locale,
  query: Parameters<typeof readFindings>[3],
): Promise<number> => (await readFindings(tx, caller, locale, { ...query, page: 1, pageSize: 1 })).total;

type Counted = Omit<FindingCounts['rules'][number], 'label'>;

/** One entry for each check and severity, whatever the state. */
function mergedByCheck(counted: readonly Counted[]): FindingCounts['checks'] {
  const merged = new Map<string, FindingCounts['checks'][number]>();
  for (const { check, severity, findings } of counted) {
    const key = `${check} ${severity}`;
    merged.set(key, { check, severity, count: findings + (merged.get(key)?.count ?? 0) });
  }
  return [...merged.values()].sort((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity));
}

/** Counts over the findings of a run's newest preflight; the pages are those of every preflight. @throws ProblemError `resource.notFound` */
export async function countFindings(
  tx: Transaction,
  locale: Locale,
  query: { id: string; run?: number | undefined },
): Promise<FindingCounts> {
  const runNo = await runOf(tx, query);
  const mine = Prisma.sql`session_id = ${query.id} and run_no = ${runNo}`;
  const counted = await tx.$queryRaw<Counted[]>`
    ${comparedIn(query.id, runNo)},
    ruled as (
      select check_key, code, severity, state, count(*)::int as findings,
             sum(coalesce((data->>'count')::int, 1))::int as places,
             jsonb_agg(coalesce(data->'pages', case when page is null then '[]' else jsonb_build_array(page) end)) as pages
        from compared group by check_key, code, severity, state)
    select check_key as "check", code as rule, severity, state, findings, places,
           array(select distinct page::int from jsonb_array_elements(pages) as lists (numbers),
                 jsonb_array_elements_text(numbers) as places (page) order by 1) as pages
      from ruled order by ${listOrder(Prisma.sql`check_key, state = 'fixed'`)}`;
  const checkers = await tx.$queryRaw<{ id: string; counts: FindingTotals | null }[]>`
    ${comparedIn(query.id, runNo)}
    select id, step_runs.output->'counts' as counts from checkers join step_runs using (id) order by no desc limit 2`;
  const placesThat = (state: FindingState) =>
    checkers.length < 2 ? null : counted.reduce((sum, one) => (one.state === state ? sum + one.findings : sum), 0);
  const checks = mergedByCheck(counted.filter(({ state }) => state !== 'fixed'));
  const pages = await tx.$queryRaw<{ stepRunId: string; page: number; worst: Severity }[]>`
    select step_run_id as "stepRunId", place.page, (${worstFirst}::text[])[min(${rank(Prisma.sql`severity`)})] as worst
      from findings
      cross join lateral (
        select page where data->'pages' is null and page is not null
        union all
        select value::int from jsonb_array_elements_text(coalesce(data->'pages', '[]'))) as place (page)
     where ${mine} group by step_run_id, place.page order by step_run_id, place.page`;
  const countOfSeverity = (severity: Severity) =>
    checks.reduce((sum, one) => (one.severity === severity ? sum + one.count : sum), 0);
  return {
    // As the preflight counted them: of a rule that is broken thousands of times, not all are kept.
    severities: checkers[0]?.counts ?? {
      Fail: countOfSeverity('Fail'),
      Warn: countOfSeverity('Warn'),
      Info: countOfSeverity('Info'),
    },
    newest: checkers[0]?.id ?? null,
    fixed: placesThat('fixed'),
    added: placesThat('new'),
    checks,
    rules: counted.map((one) => ({ ...one, label: ruleLabel(one.rule, locale) })),
    pages,
  };
}
