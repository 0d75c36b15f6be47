import {
  type ArrivalOutcome,
  type ArrivalSort,
  type ArrivedItem,
  arrivalOutcomes,
  contractMessages,
  type Direction,
  type ErrorParams,
  type FailingSource,
  type Locale,
  mostArrivals,
  type RouteQuery,
  type routes,
  type SessionStatus,
  sentence,
  type WayIn,
  wayOfSource,
} from '@pdf2press/contract';
import { fetchKeyOf, fetchSource } from '@pdf2press/engine';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { type SourceContract, sourceContracts } from '@pdf2press/sources/contracts';
import { pageWindow } from '../frame/rows.ts';
import { readTime } from '../sessions/read-list.ts';
import { saidReason } from '../sessions/said-reason.ts';

type Filter = Pick<RouteQuery<typeof routes.arrivals.list>, 'search' | 'from' | 'to' | 'connection'> & {
  way?: WayIn[] | undefined;
  outcome?: ArrivalOutcome[] | undefined;
};

interface Row {
  kind: string;
  key: string;
  at: Date;
  name: string;
  size: bigint | null;
  way: WayIn;
  source: string;
  outcome: ArrivalOutcome;
  reason: string | null;
  params: ErrorParams | null;
  attempts: number;
  nextAt: Date | null;
  sessionId: string | null;
  fileName: string | null;
  status: SessionStatus | null;
  isDeleted: boolean | null;
  duplicateOf: string | null;
  /** It is fetched from an address. */
  isFetched: boolean;
}

const isFetched = Prisma.sql`
  (item.source_kind = ${fetchSource} and exists
    (select 1 from effects effect
      where effect.subscriber_id = item.subscriber_id and effect.key = ${fetchKeyOf('')} || item.source_key))`;

/** Why the step that opens files could not use it: the code and its parameters of the session's failure. */
const unusable = (column: Prisma.Sql) => Prisma.sql`
  (select ${column} from sessions opened
    where item.state = 'Accepted' and opened.subscriber_id = item.subscriber_id and opened.id = item.session_id
      and opened.status = 'Failed' and not exists
        (select 1 from step_runs step
          where step.subscriber_id = opened.subscriber_id and step.session_id = opened.id and step.kind <> 'Inject'))`;

const outcome = Prisma.sql`
  case when item.state = 'Accepted'
         then case when ${unusable(Prisma.sql`opened.id`)} is null then 'session' else 'refused' end
       when item.state in ('Retry', 'Seen') then 'waiting'
       when item.reason = 'file.duplicate' then 'duplicate' else 'refused' end`;

/**
 * The newest arrivals of the time, in order, and no more than `mostArrivals` of them: whatever is searched for, no answer
 * reads more rows than that.
 */
function newest({ from, to }: Filter): Prisma.Sql {
  const after = from ? Prisma.sql`and created_at >= ${readTime(from, 'from')}` : Prisma.empty;
  const before = to ? Prisma.sql`and created_at < ${readTime(to, 'to')}` : Prisma.empty;
  return Prisma.sql`
    (select * from ingest_items where way is not null ${after} ${before}
      order by created_at desc, source_kind, source_key limit ${mostArrivals}) item`;
}

/** Nobody sees more than the sessions that they see; what has none belongs to no organization yet. */
const seen = Prisma.sql`(session.id is not null or item.session_id is null and current_organizations() is null)`;

function matching({ search, way, outcome: outcomes, connection }: Filter): Prisma.Sql {
  const conditions = [seen];
  if (way) conditions.push(Prisma.sql`item.way = any (${way}::text[])`);
  if (outcomes) conditions.push(Prisma.sql`${outcome} = any (${outcomes}::text[])`);
  // What comes from a connection is known by an id that begins with the connection's.
  if (connection) conditions.push(Prisma.sql`starts_with(item.source_key, ${`${connection} `})`);
  if (search) {
    const text = search.toLowerCase();
    const has = (column: Prisma.Sql) => Prisma.sql`strpos(lower(${column}), ${text}) > 0`;
    conditions.push(
      Prisma.sql`(${has(Prisma.sql`item.name`)} or ${has(Prisma.sql`item.source_name`)}
        or ${has(Prisma.sql`coalesce(session.file_name, '')`)} or ${has(Prisma.sql`coalesce(session.external_id, '')`)}
        or item.session_id = ${search})`,
    );
  }
  return Prisma.join(conditions, ' and ');
}

const withSessions = (filter: Filter) => Prisma.sql`
  ${newest(filter)} left join sessions session on session.subscriber_id = item.subscriber_id and session.id = item.session_id
  where ${matching(filter)}`;

/** As rows; `from` names the items, and the sessions that came of them. */
const rowsOf = (tx: Transaction, from: Prisma.Sql, rest: Prisma.Sql) =>
  tx.$queryRaw<Row[]>`
    select item.source_kind as kind, item.source_key as key, item.created_at as at, item.name, item.size, item.way,
           item.source_name as source, ${outcome} as outcome,
           coalesce(item.reason, ${unusable(Prisma.sql`opened.error_code`)}) as reason,
           coalesce(item.reason_params, ${unusable(Prisma.sql`opened.error_params`)}) as params, item.attempts,
           item.next_at as "nextAt", session.id as "sessionId", session.file_name as "fileName",
           session.status::text as status, session.deleted_at is not null as "isDeleted",
           coalesce(session.arrival ->> 'duplicateOf',
                    case when item.reason = 'file.duplicate' then item.reason_params ->> 'session' end) as "duplicateOf",
           ${isFetched} as "isFetched"
      from ${from} ${rest}`;

const orders: Readonly<Record<ArrivalSort, readonly Prisma.Sql[]>> = {
  at: [Prisma.sql`item.created_at`],
  name: [Prisma.sql`item.name`],
  from: [Prisma.sql`item.way`, Prisma.sql`item.source_name`],
  outcome: [Prisma.sql`array_position(${[...arrivalOutcomes]}::text[], ${outcome})`],
};

interface Sorting {
  sort: ArrivalSort;
  direction: Direction;
}

/** The newest of equal ones come first. */
function orderBy({ sort, direction }: Sorting): Prisma.Sql {
  const way = direction === 'asc' ? Prisma.sql`asc` : Prisma.sql`desc`;
  const columns = orders[sort].map((column) => Prisma.sql`${column} ${way}`);
  return Prisma.sql`order by ${Prisma.join(columns)}, item.created_at desc, item.source_kind, item.source_key`;
}

const readRows = (tx: Transaction, query: Filter & Sorting, { skip, take }: { skip: number; take: number }) =>
  rowsOf(tx, withSessions(query), Prisma.sql`${orderBy(query)} offset ${skip} limit ${take}`);

const whyOf = (locale: Locale, code: string, params: ErrorParams | null) => ({
  code,
  message: sentence(contractMessages, locale, code, { ...params, ...saidReason(locale, code, params ?? {}) }),
});

/** Refused for what does not change, however often it is tried. */
const forGood: ReadonlySet<string> = new Set(['mail.noAttachment', 'mail.automatic', 'mail.gone', 'file.gone']);

type Tried = Pick<Row, 'kind' | 'outcome' | 'reason' | 'isFetched' | 'sessionId'>;

/** Whether the source of an item can be asked for it once more. */
export function canRetry({ kind, outcome, reason, isFetched, sessionId }: Tried): boolean {
  // What its session found out is the session's: it is restarted there.
  if (sessionId !== null) return false;
  if (isFetched) return true;
  const source = (sourceContracts as Readonly<Record<string, SourceContract>>)[kind];
  if (!source?.isPolled) return false;
  return outcome === 'waiting' || (source.findsRefused === true && !forGood.has(reason ?? ''));
}

function itemOf(row: Row, locale: Locale, earlier: ReadonlyMap<string, string>): ArrivedItem {
  const { sessionId, status, duplicateOf, reason } = row;
  const nameOfEarlier = duplicateOf === null ? undefined : earlier.get(duplicateOf);
  return {
    id: `${row.kind} ${row.key}`,
    at: row.at.toISOString(),
    name: row.name,
    sizeBytes: row.size === null ? null : Number(row.size),
    way: row.way,
    source: row.source,
    outcome: row.outcome,
    session:
      sessionId === null || status === null
        ? null
        : { id: sessionId, fileName: row.fileName ?? '', status, isDeleted: row.isDeleted === true },
    duplicateOf:
      duplicateOf === null || nameOfEarlier === undefined ? null : { id: duplicateOf, fileName: nameOfEarlier },
    why: reason === null ? null : whyOf(locale, reason, row.params),
    attempts: row.attempts,
    nextTryAt: row.outcome === 'waiting' ? (row.nextAt?.toISOString() ?? null) : null,
    canRetry: canRetry(row),
  };
}

/** What became of one item until now; null where there is none. */
export async function readOutcome(
  tx: Transaction,
  { kind, key }: { kind: string; key: string },
): Promise<Omit<Tried, 'kind'> | null> {
  const [row] = await tx.$queryRaw<Omit<Tried, 'kind'>[]>`
    select ${outcome} as outcome, reason, ${isFetched} as "isFetched", session_id as "sessionId" from ingest_items item
     where source_kind = ${kind} and source_key = ${key} and way is not null and current_organizations() is null`;
  return row ?? null;
}

/** As the reader sees them; earlier sessions that the reader may not see are not named. */
async function itemsOf(tx: Transaction, rows: readonly Row[], locale: Locale): Promise<ArrivedItem[]> {
  const earlier = await tx.session.findMany({
    where: { id: { in: rows.flatMap(({ duplicateOf }) => duplicateOf ?? []) }, deletedAt: null },
    select: { id: true, fileName: true },
  });
  const names = new Map(earlier.map(({ id, fileName }) => [id, fileName]));
  return rows.map((row) => itemOf(row, locale, names));
}

/** One page of what arrived. Sessions that the reader may not see are not named. */
export async function readArrivals(
  tx: Transaction,
  query: Filter & Sorting & { page: number; pageSize: number },
  locale: Locale,
): Promise<ArrivedItem[]> {
  const rows = await readRows(tx, query, pageWindow(query));
  return itemsOf(tx, rows, locale);
}

/** One arrival by its id; undefined where there is none that the reader may see. */
export async function readArrival(tx: Transaction, id: string, locale: Locale): Promise<ArrivedItem | undefined> {
  const [kind = '', ...rest] = id.split(' ');
  const rows = await rowsOf(
    tx,
    Prisma.sql`
      ingest_items item left join sessions session on session.subscriber_id = item.subscriber_id and session.id = item.session_id
      where item.source_kind = ${kind} and item.source_key = ${rest.join(' ')} and item.way is not null and ${seen}`,
    Prisma.empty,
  );
  return (await itemsOf(tx, rows, locale))[0];
}

/** How many there are, and whether there were more than are looked through. */
export async function countArrivals(tx: Transaction, filter: Filter): Promise<{ total: number; isCut: boolean }> {
  const [counted] = await tx.$queryRaw<{ total: number; isCut: boolean }[]>`
    select (select count(*)::int from ${withSessions(filter)}) as total,
           (select count(*) from ${newest(filter)}) >= ${mostArrivals} as "isCut"`;
  return counted ?? { total: 0, isCut: false };
}

/** The way that files of a kind of source take; of one that this release does not have, that of most. */
function wayOfKind(kind: string): WayIn {
  const source = (sourceContracts as Readonly<Record<string, SourceContract>>)[kind];
  return source ? (source.way ?? wayOfSource[source.sessionSource]) : 'cloudFolder';
}

/** Minutes after which a place that is due is not polled any more: it was switched off while it failed. */
const forgottenMinutes = 10;

interface FailingRow {
  id: string;
  kind: string;
  place: string;
  since: Date;
  nextAt: Date;
  code: string;
  params: ErrorParams | null;
}

/** The places that cannot be looked into, those that fail longest first. They belong to no organization. */
export async function readFailing(tx: Transaction, locale: Locale): Promise<FailingSource[]> {
  const rows = await tx.$queryRaw<FailingRow[]>`
    select inlet.id, inlet.kind,
           coalesce(connection.name, inlet.place) as place, inlet.failing_since as since, inlet.due_at as "nextAt",
           inlet.error_code as code, inlet.error_params as params
      from inlets inlet left join profiles connection on connection.id = inlet.connection_id
     where inlet.failing_since is not null and inlet.error_code is not null and current_organizations() is null
       and inlet.due_at > clock_timestamp() - make_interval(mins => ${forgottenMinutes}::int)
     order by inlet.failing_since, inlet.id limit 100`;
  return rows.map(({ id, kind, place, since, nextAt, code, params }) => ({
    id,
    way: wayOfKind(kind),
    place,
    since: since.toISOString(),
    nextTryAt: nextAt.toISOString(),
    why: whyOf(locale, code, params),
  }));
}
