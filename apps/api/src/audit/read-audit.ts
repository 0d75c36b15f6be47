import {
  type AuditEntry,
  type AuditKind,
  auditKinds,
  type RouteQuery,
  type RouteResult,
  type routes,
} from '@pdf2press/contract';
import { idPrefix, nounOf, Prisma, type Transaction } from '@pdf2press/prisma';
import { readTime } from '../sessions/read-list.ts';

type Asked = RouteQuery<typeof routes.audit.list>;
export type AuditFilter = Pick<Asked, 'person' | 'object' | 'from' | 'to'> & {
  kind?: AuditKind[] | undefined;
  act?: string[] | undefined;
};

interface Row {
  no: number;
  at: Date;
  act: string;
  actor: { kind?: string; id?: string; name?: string };
  object: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
}

/** Everything that an entry can be about and that has a name now. A deleted person has none. */
const named = Prisma.sql`(
  select id, coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) as name from users where deleted_at is null
  union all select id, name from roles union all select id, name from organizations
  union all select id, name from workflows union all select id, name from profiles
  union all select id, file_name from sessions union all select id, name from files
  union all select id, post_script_name from fonts
  union all select id, name from webhooks
  union all select id, name from api_keys union all select id, name from embed_tokens) named`;

const columns = Prisma.sql`no, at, act, actor, object, before, after, ip`;

/** Part of the text, whatever its case; `%` and `_` mean themselves. */
const has = (column: Prisma.Sql, text: string) => Prisma.sql`strpos(lower(${column}), ${text.toLowerCase()}) > 0`;

const byPerson = (text: string) => Prisma.sql`(
  ${has(Prisma.sql`coalesce(actor ->> 'name', '')`, text)} or actor ->> 'id' = ${text}
  or actor ->> 'id' in (select id from users where ${has(Prisma.sql`email || ' ' || first_name || ' ' || last_name`, text)}))`;

/** By id, by the name that it has now, or by a name or address that the entry itself remembers. */
const byObject = (text: string) => Prisma.sql`(
  object = ${text} or object in (select id from ${named} where ${has(Prisma.sql`name`, text)})
  or ${has(
    Prisma.sql`concat_ws(' ', before ->> 'name', after ->> 'name', before ->> 'email', after ->> 'email')`,
    text,
  )})`;

function matching({ person, object, kind, act, from, to }: AuditFilter): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (from) conditions.push(Prisma.sql`at >= ${readTime(from, 'from')}`);
  if (to) conditions.push(Prisma.sql`at < ${readTime(to, 'to')}`);
  if (act) conditions.push(Prisma.sql`act = any (${act}::text[])`);
  if (kind) {
    const prefixes = kind.map(idPrefix);
    conditions.push(Prisma.sql`left(object, 4) = any (${prefixes}::text[])`);
  }
  if (person) conditions.push(byPerson(person));
  if (object) conditions.push(byObject(object));
  return Prisma.join(conditions, ' and ');
}

const kinds = new Set<string>(auditKinds);
const kindOf = (id: string): AuditKind | null => {
  const noun = nounOf(id);
  return noun !== undefined && kinds.has(noun) ? (noun as AuditKind) : null;
};

const entryOf = (row: Row, names: ReadonlyMap<string, string>): AuditEntry => ({
  no: row.no,
  at: row.at.toISOString(),
  act: row.act,
  actor: { kind: row.actor.kind ?? '', id: row.actor.id ?? '', name: row.actor.name ?? '' },
  object: { kind: kindOf(row.object), id: row.object, name: names.get(row.object) ?? rememberedName(row) },
  before: row.before,
  after: row.after,
  ip: row.ip,
});

/** The name that an entry about something itself has: what was deleted is known by it. */
function rememberedName({ act, object, before, after }: Row): string | null {
  if (act.split('.')[0] !== nounOf(object)) return null;
  const name = before?.name ?? after?.name ?? before?.email ?? after?.email;
  return typeof name === 'string' ? name : null;
}

/** Every id inside a value. */
function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return nounOf(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : [];
}

async function namesOf(tx: Transaction, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.flatMap(({ object, before, after }) => [object, ...idsIn(before), ...idsIn(after)]))];
  const found = await tx.$queryRaw<{ id: string; name: string }[]>`
    select id, name from ${named} where id = any (${ids}::text[])`;
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** A page of entries. The position is an entry's number: what is written meanwhile moves nothing. */
export async function readAudit(
  tx: Transaction,
  {
    before,
    after,
    limit,
    ...filter
  }: AuditFilter & { before?: number | undefined; after?: number | undefined; limit: number },
): Promise<RouteResult<typeof routes.audit.list>> {
  const isForward = after !== undefined;
  const position = isForward
    ? Prisma.sql`and no > ${after}`
    : before !== undefined
      ? Prisma.sql`and no < ${before}`
      : Prisma.empty;
  const order = isForward ? Prisma.sql`asc` : Prisma.sql`desc`;
  const read = await tx.$queryRaw<Row[]>`
    select ${columns} from audit_entries where ${matching(filter)} ${position} order by no ${order} limit ${limit + 1}`;
  const rows = read.slice(0, limit);
  if (isForward) rows.reverse();
  const names = await namesOf(tx, rows);
  const hasMore = read.length > limit;
  // Where one came from there are more; in the other direction the row beyond the page tells.
  const [hasOlder, hasNewer] = isForward ? [true, hasMore] : [hasMore, before !== undefined];
  return {
    items: rows.map((row) => entryOf(row, names)),
    names: Object.fromEntries(names),
    older: hasOlder ? (rows.at(-1)?.no ?? null) : null,
    newer: hasNewer ? (rows[0]?.no ?? null) : null,
  };
}

interface ChainedRow extends Row {
  text: string;
  previousHash: string;
  hash: string;
}

/** The next entries of an export, oldest first, with what the database chained of each. */
export async function readChained(
  tx: Transaction,
  filter: AuditFilter,
  { after, last, limit }: { after: number; last: number; limit: number },
): Promise<(AuditEntry & Pick<ChainedRow, 'text' | 'previousHash' | 'hash'>)[]> {
  const rows = await tx.$queryRaw<ChainedRow[]>`
    select ${columns}, audit_text(entry) as text, coalesce(encode(prev_hash, 'hex'), '') as "previousHash",
           coalesce(encode(row_hash, 'hex'), '') as hash
      from audit_entries entry where ${matching(filter)} and no > ${after} and no <= ${last} order by no limit ${limit}`;
  const names = await namesOf(tx, rows);
  return rows.map((row) => {
    const { text, previousHash, hash } = row;
    return { ...entryOf(row, names), text, previousHash, hash };
  });
}

/** The newest entry's number and hash. Noted down, they tell later whether entries were cut off at the end. */
export async function readChainEnd(tx: Transaction): Promise<{ no: number; hash: string } | null> {
  const [end] = await tx.$queryRaw<{ no: number; hash: string }[]>`
    select no, coalesce(encode(row_hash, 'hex'), '') as hash from audit_entries order by no desc limit 1`;
  return end ?? null;
}
