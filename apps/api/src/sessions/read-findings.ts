import type {
  Finding,
  FindingCounts,
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
import { findingSentence } from '@pdf2press/preflight/contracts';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { z } from 'zod';
import type { Caller } from '../frame/caller.ts';
import { found, pageWindow } from '../frame/rows.ts';

export interface FindingRow {
  data: Finding;
  stepRunId: string;
}

/** A finding with its two sentences; a rule whose check this release does not have is shown by its code. */
export const findingOf = ({ data, stepRunId }: FindingRow, locale: Locale, unit: Unit): SessionFinding => ({
  ...data,
  stepRunId,
  message: findingSentence(data, locale, 'customer', unit),
  operatorMessage: findingSentence(data, locale, 'operator', unit),
});

const worstFirst = [...severities].reverse();
/** Rank of a severity, 1 the worst. */
const rank = (column: Prisma.Sql) => Prisma.sql`array_position(${worstFirst}::text[], ${column})`;

/** The requested run of a session that the caller may see. @throws ProblemError `resource.notFound` */
async function runOf(tx: Transaction, { id, run }: { id: string; run?: number | undefined }): Promise<number> {
  const { runNo } = found(await tx.session.findFirst({ where: { id }, select: { runNo: true } }));
  return run ?? runNo;
}

/**
 * A page of a session's findings, ordered by check, the check with the worst finding first, and within a check by severity,
 * rule and page.
 * @throws ProblemError `resource.notFound`
 */
export async function readFindings(
  tx: Transaction,
  caller: Caller,
  locale: Locale,
  query: { id: string } & z.output<typeof findingQuerySchema>,
): Promise<RouteResult<typeof routes.sessions.findings>> {
  const { id, severity, check, onPage, stepRunId, search, page, pageSize } = query;
  const runNo = await runOf(tx, query);
  const { measurementSettings } = await readSettings(tx, caller.subscriberId);
  const unit = measurementSettings.defaultUnit;
  const { skip, take } = pageWindow({ page, pageSize });
  // The sentences are composed here and not stored in a column, so a text search has to compose them all.
  const window = search ? Prisma.empty : Prisma.sql`limit ${take} offset ${skip}`;
  const rows = await tx.$queryRaw<(FindingRow & { total: number })[]>`
    select data, step_run_id as "stepRunId", count(*) over ()::int as total
      from findings
     where session_id = ${id} and run_no = ${runNo}
       and (${severity ?? null}::text[] is null or severity = any (${severity ?? null}::text[]))
       and (${check ?? null}::text[] is null or check_key = any (${check ?? null}::text[]))
       and (${stepRunId ?? null}::text is null or step_run_id = ${stepRunId ?? null})
       and (${onPage ?? null}::int is null or page = ${onPage ?? null}::int
         or data->'pages' @> to_jsonb(${onPage ?? null}::int))
     order by min(${rank(Prisma.sql`severity`)}) over (partition by check_key), check_key, ${rank(Prisma.sql`severity`)},
              code, page nulls first, step_run_id, no
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

/** The total, for a page past the end, which has no row that contains it. */
const countOf = async (
  tx: Transaction,
  caller: Caller,
  locale: Locale,
  query: Parameters<typeof readFindings>[3],
): Promise<number> => (await readFindings(tx, caller, locale, { ...query, page: 1, pageSize: 1 })).total;

/** Counts over all findings of a run. @throws ProblemError `resource.notFound` */
export async function countFindings(
  tx: Transaction,
  query: { id: string; run?: number | undefined },
): Promise<FindingCounts> {
  const runNo = await runOf(tx, query);
  const mine = Prisma.sql`session_id = ${query.id} and run_no = ${runNo}`;
  const checks = await tx.$queryRaw<{ check: string; severity: Severity; count: number }[]>`
    select check_key as "check", severity, sum(coalesce((data->>'count')::int, 1))::int as count
      from findings where ${mine} group by check_key, severity order by ${rank(Prisma.sql`severity`)}, check_key`;
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
    severities: { Fail: countOfSeverity('Fail'), Warn: countOfSeverity('Warn'), Info: countOfSeverity('Info') },
    checks,
    pages,
  };
}
