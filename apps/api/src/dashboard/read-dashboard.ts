import {
  type Dashboard,
  type DashboardPeriod,
  type Locale,
  prepressCostOf,
  type SessionStatus,
  type SystemSettings,
} from '@pdf2press/contract';
import { type Outcomes, readFigures, readSettings } from '@pdf2press/engine';
import { ruleLabel } from '@pdf2press/preflight/contracts';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { countProofs } from '../sessions/read-list.ts';
import { boundsOf, dayBefore } from './periods.ts';

interface DashboardQuery {
  period: DashboardPeriod;
  timeZone: string;
  workflowId?: string | undefined;
  organizationId?: string | undefined;
}

const mostFindings = 8;
const mostShares = 8;
const mostChoices = 500;
const storageMonths = 12;
const failedDays = 6;

const completed: readonly SessionStatus[] = ['Completed', 'CompletedWithWarnings'];

const sum = (outcomes: Outcomes, of?: readonly SessionStatus[]): number =>
  Object.entries(outcomes).reduce(
    (all, [status, n]) => (of && !of.includes(status as SessionStatus) ? all : all + n),
    0,
  );

function added(parts: readonly Outcomes[]): Outcomes {
  const all: Outcomes = {};
  for (const part of parts)
    for (const [status, n] of Object.entries(part) as [SessionStatus, number][]) all[status] = (all[status] ?? 0) + n;
  return all;
}

/** What was saved by the settings of today; see the contract for the formulas. */
function savingsOf(
  settings: Pick<SystemSettings, 'roiSettings' | 'estimatedPrepressLaborCost'>,
  files: number,
  previousFiles: number,
): NonNullable<Dashboard['savings']> {
  const { averagePrepressTime, laborCostPerHour } = settings.roiSettings;
  const estimatedPrepressLaborCost = prepressCostOf(settings);
  return {
    averagePrepressTime,
    laborCostPerHour,
    estimatedPrepressLaborCost,
    files,
    minutes: files * averagePrepressTime,
    cost: files * estimatedPrepressLaborCost,
    previousMinutes: previousFiles * averagePrepressTime,
    previousCost: previousFiles * estimatedPrepressLaborCost,
  };
}

/** Sessions that somebody has to look at now, whatever the period. */
async function readNeeds(
  tx: Transaction,
  caller: Caller,
  { workflowId, organizationId, timeZone }: DashboardQuery,
): Promise<Dashboard['needsYou']> {
  const only = {
    ...(workflowId !== undefined && { workflowId }),
    ...(organizationId !== undefined && { organizationId }),
  };
  const where = { isTrial: false, deletedAt: null, ...only };
  const since = dayBefore(timeZone, new Date(), failedDays);
  // In plain words, so that the index of what is on hold answers.
  const [held] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from sessions
     where subscriber_id = current_subscriber() and status = 'OnHold' and deleted_at is null and not is_trial
       ${workflowId === undefined ? Prisma.empty : Prisma.sql`and workflow_id = ${workflowId}`}
       ${organizationId === undefined ? Prisma.empty : Prisma.sql`and organization_id = ${organizationId}`}`;
  return {
    onHold: held?.count ?? 0,
    failed: await tx.session.count({ where: { ...where, status: 'Failed', createdAt: { gte: since } } }),
    proofs: await countProofs(tx, caller, only),
  };
}

/** The last measurement of each month. Bytes belong to the whole house, not to organizations. */
async function readStorage(tx: Transaction, caller: Caller): Promise<Dashboard['storage']> {
  if (!caller.permissions.has('storage.metrics.view') || caller.organizationIds) return null;
  const rows = await tx.$queryRaw<{ month: string; bytes: number; measuredAt: Date }[]>`
    select distinct on (month) month, bytes, measured_at as "measuredAt"
      from (select to_char(day, 'YYYY-MM') as month, day, bytes::float8 as bytes, measured_at from storage_days) measured
     order by month desc, day desc limit ${storageMonths}`;
  return {
    measuredAt: rows[0]?.measuredAt.toISOString() ?? null,
    months: rows.map(({ month, bytes }) => ({ month, bytes })).reverse(),
  };
}

async function readChoices(tx: Transaction): Promise<Dashboard['choices']> {
  const wanted = {
    where: { deletedAt: null },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: mostChoices,
  } as const;
  return { workflows: await tx.workflow.findMany(wanted), organizations: await tx.organization.findMany(wanted) };
}

type Shares = Dashboard['workflows'];
const sharesOf = (counted: ReadonlyMap<string, Outcomes>): Shares =>
  [...counted].map(([id, outcomes]) => ({ id, name: null, files: sum(outcomes), failed: sum(outcomes, ['Failed']) }));

/** The first of them in this order, with their names, also of what was deleted since. */
async function namedShares(
  counted: ReadonlyMap<string, Outcomes>,
  order: (one: Shares[number], other: Shares[number]) => number,
  namesOf: (ids: string[]) => Promise<{ id: string; name: string }[]>,
): Promise<Shares> {
  const first = sharesOf(counted)
    .sort((one, other) => order(one, other) || one.id.localeCompare(other.id))
    .slice(0, mostShares);
  const names = new Map((await namesOf(first.map(({ id }) => id))).map(({ id, name }) => [id, name]));
  return first.map((share) => ({ ...share, name: names.get(share.id) ?? null }));
}

/** Everything that the dashboard shows, for what the caller may see. */
export async function readDashboard(
  deps: ApiDeps,
  caller: Caller,
  query: DashboardQuery,
  locale: Locale,
): Promise<Dashboard> {
  const { period, timeZone, workflowId, organizationId } = query;
  const settings = await asCaller(deps, caller, (tx) => readSettings(tx, caller.subscriberId));
  const { bounds, unit, isRunning, previous } = boundsOf(period, {
    timeZone,
    culture: settings.culture,
    now: new Date(),
  });
  const [figures, needsYou, storage, choices] = await Promise.all([
    asCaller(deps, caller, (tx) =>
      readFigures(tx, {
        bounds,
        previous,
        workflowId,
        organizationId,
        isRestricted: caller.organizationIds !== undefined,
      }),
    ),
    asCaller(deps, caller, (tx) => readNeeds(tx, caller, query)),
    asCaller(deps, caller, (tx) => readStorage(tx, caller)),
    asCaller(deps, caller, readChoices),
  ]);
  const [workflows, organizations] = await asCaller(deps, caller, async (tx) => [
    await namedShares(
      figures.workflows,
      (one, other) => other.files - one.files,
      (ids) => tx.workflow.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } }),
    ),
    await namedShares(
      figures.organizations,
      (one, other) => other.failed - one.failed || other.files - one.files,
      (ids) => tx.organization.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } }),
    ),
  ]);
  const outcomes = added(figures.parts);
  const at = (index: number) => (bounds.at(index) ?? previous.to).toISOString();
  return {
    period,
    from: at(0),
    to: at(-1),
    isRunning,
    previous: { from: previous.from.toISOString(), to: previous.to.toISOString(), outcomes: figures.previous },
    outcomes,
    unit,
    parts: figures.parts.map((part, index) => ({ from: at(index), outcomes: part })),
    savings: caller.permissions.has('dashboard.savings.view')
      ? savingsOf(settings, sum(outcomes, completed), sum(figures.previous, completed))
      : null,
    needsYou,
    findings: figures.findings
      .sort((one, other) => other.sessions - one.sessions || one.ruleKey.localeCompare(other.ruleKey))
      .slice(0, mostFindings)
      .map(({ severity, checkKey, ruleKey, sessions }) => ({
        check: checkKey,
        rule: ruleKey,
        label: ruleLabel(ruleKey, locale),
        severity: severity === 'Fail' ? 'Fail' : 'Warn',
        files: sessions,
      })),
    steps: figures.steps.sort(
      (one, other) =>
        other.machine.totalMs + (other.people?.totalMs ?? 0) - one.machine.totalMs - (one.people?.totalMs ?? 0),
    ),
    workflows,
    organizations,
    storage,
    choices,
  };
}
