import {
  type Direction,
  done,
  isActionOpen,
  isFinal,
  type ListedHold,
  mayAct,
  type ProofWait,
  type RouteQuery,
  type routes,
  type SessionAction,
  type SessionListItem,
  type SessionStatus,
  sessionActions,
  type sessionSorts,
  stepKindSchema,
  stepProgressSchema,
  wholeHouse,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { assigneeNames } from '@pdf2press/engine';
import type { Prisma, Transaction } from '@pdf2press/prisma';
import { demand } from '../frame/access.ts';
import type { Caller } from '../frame/caller.ts';
import { InvalidRequestError } from '../frame/read-part.ts';
import { assignedTo, listHolds, openHold } from './read-holds.ts';

type Filter = Pick<
  RouteQuery<typeof routes.sessions.list>,
  'search' | 'stepId' | 'externalId' | 'proof' | 'customer' | 'from' | 'to'
> & {
  waitingForMe?: boolean | undefined;
  mine?: boolean | undefined;
  status?: SessionStatus[] | undefined;
  workflowId?: string[] | undefined;
  organizationId?: string[] | undefined;
  sourceType?: SessionListItem['sourceType'][] | undefined;
  archiveState?: SessionListItem['archiveState'][] | undefined;
  resultLevel?: NonNullable<SessionListItem['resultLevel']>[] | undefined;
};

/** A time of the query. @throws InvalidRequestError naming the field */
export function readTime(text: string, field: 'from' | 'to'): Date {
  const time = new Date(text);
  const year = time.getUTCFullYear();
  // JavaScript knows years that Postgres does not.
  if (!(year >= 1 && year <= 9999)) throw new InvalidRequestError([{ code: 'value.invalid', field: `query.${field}` }]);
  return time;
}

/** Step statuses that say where a session is: ready for a worker, running, or waiting for a person. */
export const standingStatuses = ['Ready', 'Running', 'Waiting'] as const;

/** Sessions that are held for a decision of the caller, or are the caller's and not done. */
const waitsFor = (caller: Caller): Prisma.SessionWhereInput => {
  const assigneeId = { in: [...assignedTo(caller)] };
  return {
    OR: [
      { status: 'OnHold', waits: { some: { ...openHold, assigneeId } } },
      { assigneeId, status: { notIn: [...done] } },
    ],
  };
};

/** Sessions that count in the totals of the list. */
const listed = { deletedAt: null, isTrial: false } as const satisfies Prisma.SessionWhereInput;

/**
 * How many sessions wait for the caller. Counted from the holds and from the assigned sessions, which are few: as one
 * condition on sessions it would read all of them.
 */
export async function countMine(tx: Transaction, caller: Caller): Promise<number> {
  const assigneeId = { in: [...assignedTo(caller)] };
  const held = await tx.wait.findMany({
    where: { ...openHold, assigneeId, session: { ...listed, status: 'OnHold' } },
    select: { sessionId: true },
  });
  const own = await tx.session.findMany({
    where: { ...listed, assigneeId, status: { notIn: [...done] } },
    select: { id: true },
  });
  return new Set([...held.map(({ sessionId }) => sessionId), ...own.map(({ id }) => id)]).size;
}

/** Somebody whose link works, and whose message could not be delivered. */
const unreached = { refusedAt: { not: null }, linkRevokedAt: null } as const satisfies Prisma.ProofRecipientWhereInput;

/** Sessions that wait for a customer's decision. A proof of a step that has ended waits no more, whatever it was decided. */
const waitsForCustomer = (wait: ProofWait): Prisma.SessionWhereInput => ({
  proofs: {
    some: {
      state: 'Open',
      stepRun: { status: 'Waiting' },
      ...(wait === 'overdue' && { dueAt: { lt: new Date() } }),
      ...(wait === 'unreached' && { recipients: { some: unreached } }),
    },
  },
});

/** How many sessions wait for customers, counted from the open proofs; null for who may not see proofs. */
export async function countProofs(
  tx: Transaction,
  caller: Caller,
  only: Prisma.SessionWhereInput = {},
): Promise<Record<ProofWait, number> | null> {
  if (!caller.permissions.has('proofs.view')) return null;
  const open = await tx.proof.findMany({
    where: { state: 'Open', stepRun: { status: 'Waiting' }, session: { ...listed, ...only } },
    select: { sessionId: true, dueAt: true, recipients: { where: unreached, select: { id: true } } },
  });
  const now = new Date();
  const sessionsOf = (proofs: typeof open) => new Set(proofs.map(({ sessionId }) => sessionId)).size;
  return {
    waiting: sessionsOf(open),
    overdue: sessionsOf(open.filter(({ dueAt }) => dueAt !== null && dueAt < now)),
    unreached: sessionsOf(open.filter(({ recipients }) => recipients.length > 0)),
  };
}

/** Signs that stand for others in a pattern, meant as they are. */
const literal = (words: string) => words.replace(/[\\%_]/g, '\\$&');
const containing = (words: string) => ({ contains: literal(words), mode: 'insensitive' as const });

/** Sessions with a proof for which somebody of this name or address was asked. */
const asked = (customer: string): Prisma.SessionWhereInput => {
  const contains = containing(customer);
  return { proofs: { some: { recipients: { some: { OR: [{ email: contains }, { name: contains }] } } } } };
};

/** Sessions of some organizations; the house has those without one. */
function belongsTo(asked: readonly string[]): Prisma.SessionWhereInput {
  const organizations = { organizationId: { in: asked.filter((id) => id !== wholeHouse) } };
  return asked.includes(wholeHouse) ? { OR: [{ organizationId: null }, organizations] } : organizations;
}

/** How many sessions a search may find so that they are named instead of searched for again. */
const mostNamed = 1000;

/**
 * Sessions in which the words of a search stand: by their ids, which an index finds, where they are few; by the words
 * otherwise, through all sessions.
 */
async function withWords(tx: Transaction, words: string): Promise<Prisma.SessionWhereInput[]> {
  const [row] = await tx.$queryRaw<{ ids: string[] | null }[]>`
    select found_sessions(${words}, ${mostNamed + 1}) as ids`;
  const ids = row?.ids ?? null;
  if (ids !== null && ids.length <= mostNamed) return [{ id: { in: ids } }];
  const contains = containing(words);
  return [
    { fileName: contains },
    { sourceName: contains },
    { externalId: contains },
    { id: { startsWith: literal(words) } },
  ];
}

/**
 * The filter of the list, the export and the counts. None of them contains deleted sessions.
 * @throws ProblemError `access.denied` for a filter by proofs without the right to see them
 */
export async function whereOf(tx: Transaction, caller: Caller, filter: Filter): Promise<Prisma.SessionWhereInput> {
  const { status, workflowId, stepId, sourceType, archiveState, resultLevel, search, from, to } = filter;
  const { waitingForMe, mine, proof, customer, externalId, organizationId } = filter;
  if (proof || customer) demand(caller, 'proofs.view');
  // Organizations are few: joined to all sessions, their names would cost a search more than all else.
  const named = search
    ? await tx.organization.findMany({ where: { name: containing(search) }, select: { id: true } })
    : [];
  return {
    ...listed,
    ...(status ? { status: { in: status } } : {}),
    ...(workflowId ? { workflowId: { in: workflowId } } : {}),
    ...(stepId ? { stepRuns: { some: { nodeId: stepId, status: { in: [...standingStatuses] } } } } : {}),
    ...(sourceType ? { source: { in: sourceType } } : {}),
    ...(externalId ? { externalId } : {}),
    ...(archiveState ? { archiveState: { in: archiveState } } : {}),
    AND: [
      ...(organizationId && organizationId.length > 0 ? [belongsTo(organizationId)] : []),
      ...(waitingForMe ? [waitsFor(caller)] : []),
      ...(mine ? [{ createdBy: { path: ['id'], equals: caller.id } }] : []),
      ...(proof ? [waitsForCustomer(proof)] : []),
      ...(customer ? [asked(customer)] : []),
    ],
    ...(resultLevel ? { result: { in: resultLevel } } : {}),
    ...(from || to
      ? { createdAt: { ...(from ? { gte: readTime(from, 'from') } : {}), ...(to ? { lt: readTime(to, 'to') } : {}) } }
      : {}),
    ...(search
      ? {
          OR: [
            ...(await withWords(tx, search)),
            ...(named.length > 0 ? [{ organizationId: { in: named.map(({ id }) => id) } }] : []),
          ],
        }
      : {}),
  };
}

/**
 * The same filter, with the sessions named that a search finds, where they are few: page and counts then need not read
 * through all texts once more.
 */
export async function readOnce(
  tx: Transaction,
  where: Prisma.SessionWhereInput,
  { search }: Pick<Filter, 'search'>,
): Promise<Prisma.SessionWhereInput> {
  if (!search) return where;
  const found = await tx.session.findMany({ where, select: { id: true }, take: mostNamed + 1 });
  return found.length > mostNamed ? where : { id: { in: found.map(({ id }) => id) } };
}

type SessionSort = (typeof sessionSorts)[number];
/** A sort whose values many sessions have alike. */
type GroupedSort = 'status' | 'sourceType' | 'workflow' | 'organization';
type Ordering = Prisma.SessionOrderByWithRelationInput[];

/** Each follows an index, and ends with the id, so that rows of equal value keep their order from page to page. */
const orders: Record<Exclude<SessionSort, GroupedSort>, (direction: Direction) => Ordering> = {
  createdAt: (createdAt) => [{ createdAt }, { id: createdAt }],
  fileName: (fileName) => [{ fileName }, { id: fileName }],
  findings: (count) => [{ errorCount: count }, { warningCount: count }, { id: count }],
  source: (sourceName) => [{ sourceName }, { id: sourceName }],
};

/** Sessions of equal value, and how many they are. */
interface SessionGroup {
  where: Prisma.SessionWhereInput;
  count: number;
}
interface Grouping {
  where: Prisma.SessionWhereInput;
  direction: Direction;
}

/** Those whose id is null stand last from A to Z, first from Z to A. */
function byName(
  ids: readonly (string | null)[],
  named: readonly { id: string }[],
  direction: Direction,
): (string | null)[] {
  const known = named.map(({ id }) => id);
  const without = ids.filter((id) => id === null);
  return direction === 'asc' ? [...known, ...without] : [...without, ...known];
}

/** The groups of the sessions in their order: by rank, as the enumeration has it, or by the name of what they belong to. */
const groups: Record<GroupedSort, (tx: Transaction, grouping: Grouping) => Promise<SessionGroup[]>> = {
  status: async (tx, { where, direction }) =>
    (await tx.session.groupBy({ by: ['status'], where, _count: { _all: true }, orderBy: { status: direction } })).map(
      ({ status, _count }) => ({ where: { status }, count: _count._all }),
    ),
  sourceType: async (tx, { where, direction }) =>
    (await tx.session.groupBy({ by: ['source'], where, _count: { _all: true }, orderBy: { source: direction } })).map(
      ({ source, _count }) => ({ where: { source }, count: _count._all }),
    ),
  workflow: async (tx, { where, direction }) => {
    const counted = await tx.session.groupBy({ by: ['workflowId'], where, _count: { _all: true } });
    const counts = new Map(counted.map(({ workflowId, _count }) => [workflowId, _count._all]));
    const named = await tx.workflow.findMany({
      where: { id: { in: [...counts.keys()] } },
      select: { id: true },
      orderBy: [{ name: direction }, { id: direction }],
    });
    return named.map(({ id }) => ({ where: { workflowId: id }, count: counts.get(id) ?? 0 }));
  },
  organization: async (tx, { where, direction }) => {
    const counted = await tx.session.groupBy({ by: ['organizationId'], where, _count: { _all: true } });
    const counts = new Map(counted.map(({ organizationId, _count }) => [organizationId, _count._all]));
    const ids = [...counts.keys()];
    const named = await tx.organization.findMany({
      where: { id: { in: ids.filter((id) => id !== null) } },
      select: { id: true },
      orderBy: [{ name: direction }, { id: direction }],
    });
    return byName(ids, named, direction).map((id) => ({ where: { organizationId: id }, count: counts.get(id) ?? 0 }));
  },
};

const isGrouped = (sort: SessionSort): sort is GroupedSort => sort in groups;

export const listSelect = {
  id: true,
  fileName: true,
  fileSize: true,
  status: true,
  archiveState: true,
  deletedAt: true,
  stopRequestedAt: true,
  priority: true,
  isTrial: true,
  result: true,
  errorCount: true,
  warningCount: true,
  infoCount: true,
  createdAt: true,
  finishedAt: true,
  source: true,
  sourceName: true,
  externalId: true,
  pageCount: true,
  runNo: true,
  assigneeId: true,
  workflowVersionId: true,
  workflow: { select: { id: true, name: true } },
  organization: { select: { id: true, name: true } },
  workflowVersion: { select: { no: true } },
} as const satisfies Prisma.SessionSelect;
export type SessionListRow = Prisma.SessionGetPayload<{ select: typeof listSelect }>;

/** The state that decides which actions are allowed, but for the answers that a hold offers. */
export const stateOf = (
  row: Pick<SessionListRow, 'status' | 'archiveState' | 'deletedAt' | 'stopRequestedAt' | 'priority'>,
) => ({
  status: row.status,
  archiveState: row.archiveState,
  isDeleted: row.deletedAt !== null,
  isStopped: row.stopRequestedAt !== null,
  isUrgent: row.priority > 0,
});

/** The actions that this caller may take on this session now. */
export function openActionsOf(
  caller: Caller,
  row: Parameters<typeof stateOf>[0],
  hold: ListedHold | null,
): SessionAction[] {
  const state = { ...stateOf(row), hold };
  const canArchive = caller.features.has('Archiving');
  return sessionActions.filter(
    (action) =>
      isActionOpen(action, state) &&
      mayAct(action, hold, (permission) => caller.permissions.has(permission)) &&
      (canArchive || (action !== 'archive' && action !== 'unarchive')),
  );
}

interface Window {
  where: Prisma.SessionWhereInput;
  sort: SessionSort;
  direction: Direction;
  skip: number;
  take: number;
}

type Found = readonly { id: string }[];

/**
 * The ids of a page of sessions that are sorted by what many have alike, the newest of equal ones first. Only the groups that
 * the page shows are read, each along an index: to sort all sessions of a house takes longer than anybody waits.
 */
async function groupedIds(tx: Transaction, window: Window & { sort: GroupedSort }): Promise<Found> {
  const { where, sort, direction } = window;
  let { skip, take } = window;
  const ids: { id: string }[] = [];
  for (const group of await groups[sort](tx, { where, direction })) {
    if (take <= 0) break;
    if (skip < group.count) {
      const found = await tx.session.findMany({
        where: { AND: [where, group.where] },
        select: { id: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip,
        take,
      });
      ids.push(...found);
      take -= found.length;
    }
    skip = Math.max(0, skip - group.count);
  }
  return ids;
}

/** One page of rows, in order. Only the ids are sorted first, because sorting rows this wide would use the disk. */
export async function readRows(tx: Transaction, window: Window): Promise<SessionListRow[]> {
  const { where, sort, direction, skip, take } = window;
  const found = isGrouped(sort)
    ? await groupedIds(tx, { ...window, sort })
    : await tx.session.findMany({ where, select: { id: true }, orderBy: orders[sort](direction), skip, take });
  const ids = found.map(({ id }) => id);
  const rows = await tx.session.findMany({ where: { id: { in: ids } }, select: listSelect });
  const places = new Map(ids.map((id, place) => [id, place]));
  return rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

interface Underway {
  /** Of the graph's steps, the one that runs counted by its own progress. */
  share: number;
  running: SessionListItem['running'];
}

/** How far the sessions of a page are that are in progress. */
async function progressOf(tx: Transaction, rows: readonly SessionListRow[]): Promise<Map<string, Underway>> {
  const open = rows.filter(({ status }) => status === 'Processing' || status === 'OnHold');
  if (open.length === 0) return new Map();
  const versions = await tx.workflowVersion.findMany({
    where: { id: { in: [...new Set(open.map(({ workflowVersionId }) => workflowVersionId))] } },
    select: { id: true, definition: true },
  });
  const graphs = new Map(versions.map(({ id, definition }) => [id, workflowDefinitionSchema.parse(definition).steps]));
  const sessionId = { in: open.map(({ id }) => id) };
  const ends = await tx.stepRun.groupBy({
    by: ['sessionId', 'runNo'],
    where: { sessionId, status: { in: ['Succeeded', 'Warned', 'Failed', 'Skipped', 'Canceled'] } },
    _count: { _all: true },
  });
  const runs = await tx.stepRun.findMany({
    where: { sessionId, status: 'Running' },
    select: { sessionId: true, nodeId: true, kind: true, progress: true },
  });
  return new Map(
    open.map((row) => {
      const graph = graphs.get(row.workflowVersionId) ?? [];
      const ended = ends.find(({ sessionId, runNo }) => sessionId === row.id && runNo === row.runNo)?._count._all ?? 0;
      const run = runs.find((one) => one.sessionId === row.id);
      const progress = stepProgressSchema
        .nullable()
        .catch(null)
        .parse(run?.progress ?? null);
      const part = progress ? progress.done / Math.max(1, progress.total) : 0;
      const running = run && {
        kind: stepKindSchema.parse(run.kind),
        name: graph.find(({ id }) => id === run.nodeId)?.name ?? '',
        progress,
      };
      return [row.id, { share: Math.min(1, (ended + part) / Math.max(1, graph.length)), running: running ?? null }];
    }),
  );
}

/** Database rows as the contract's list items, in the order given. */
export async function listItemsOf(
  tx: Transaction,
  caller: Caller,
  rows: readonly SessionListRow[],
): Promise<SessionListItem[]> {
  const under = await progressOf(tx, rows);
  const held = rows.filter(({ status }) => status === 'OnHold').map(({ id }) => id);
  const holds = await listHolds(tx, caller, held);
  const names = await assigneeNames(tx, [...new Set(rows.flatMap(({ assigneeId }) => assigneeId ?? []))]);
  return rows.map((row) => ({
    id: row.id,
    fileName: row.fileName,
    status: row.status,
    archiveState: row.archiveState,
    isDeleted: row.deletedAt !== null,
    isStopped: row.stopRequestedAt !== null,
    isUrgent: row.priority > 0,
    resultLevel: row.result,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    workflow: { id: row.workflow.id, name: row.workflow.name, version: row.workflowVersion.no },
    organization: row.organization,
    sourceType: row.source,
    source: row.sourceName,
    externalId: row.externalId,
    pageCount: row.pageCount,
    sizeBytes: Number(row.fileSize),
    findings: row.result ? { Fail: row.errorCount, Warn: row.warningCount, Info: row.infoCount } : null,
    progress: isFinal(row.status) ? 1 : (under.get(row.id)?.share ?? 0),
    running: under.get(row.id)?.running ?? null,
    // Only a file that could be opened has pages to show.
    thumbnailUrl: row.pageCount && !row.deletedAt ? `/api/sessions/${row.id}/thumbnails/1` : null,
    openActions: row.isTrial ? [] : openActionsOf(caller, row, holds.get(row.id) ?? null),
    hold: holds.get(row.id) ?? null,
    runNumber: row.runNo,
    assignee: row.assigneeId === null ? null : { id: row.assigneeId, name: names.get(row.assigneeId) ?? null },
  }));
}
