import { type Direction, type DueFile, type DueSort, retentionWindowDays } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { isHeld } from '../sessions/session-row.ts';

/** Which part a file belongs to: what was drawn or read from the original goes with it. `file` is the row. */
export const partOf = Prisma.sql`
  case when file.kind in ('OriginalFile', 'OriginalFileThumbnails')
         or exists (select 1 from files original
                     where original.subscriber_id = file.subscriber_id and original.id = file.meta ->> 'of'
                       and original.kind = 'OriginalFile') then 'source' else 'final' end`;

/**
 * What goes until a time: `(subscriber_id, session_id, part, due_at, is_held)`. The list that people see and the deletion
 * both read this, so that nothing goes that was not listed. Sessions that run, wait or are deleted have no dates, by a trigger;
 * those on their way to or from the archive are left alone until they have arrived.
 */
export const dueUntil = (time: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select subscriber_id, id as session_id, 'source' as part, source_due_at as due_at, ${isHeld} as is_held from sessions
   where source_due_at < ${time} and archive_state in ('Unarchived', 'Archived')
  union all
  select subscriber_id, id, 'final', final_due_at, ${isHeld} from sessions
   where final_due_at < ${time} and archive_state in ('Unarchived', 'Archived')`;

const listed = dueUntil(Prisma.sql`clock_timestamp() + make_interval(days => ${retentionWindowDays}::int)`);

const policyName = Prisma.sql`session.decisions #>> '{retention,policy,name}'`;

export interface DueQuery {
  /** `own` = of steps with days of their own. */
  policyId?: string | undefined;
  sessionId?: string | undefined;
  held: boolean;
  /** Part of a file's name or of its policy's. */
  search?: string | undefined;
}

const has = (column: Prisma.Sql, search: string) => Prisma.sql`position(lower(${search}) in lower(${column})) > 0`;

const matching = ({ policyId, sessionId, held, search }: DueQuery): Prisma.Sql => Prisma.sql`
  due.is_held = ${held}
  and ${search ? Prisma.sql`(${has(Prisma.sql`session.file_name`, search)} or ${has(policyName, search)})` : Prisma.sql`true`}
  and (${sessionId ?? null}::text is null or due.session_id = ${sessionId ?? null})
  and (${policyId ?? null}::text is null
    or coalesce(session.decisions #>> '{retention,policy,id}', 'own') = ${policyId ?? null})`;

const orders: Readonly<Record<DueSort, Prisma.Sql>> = {
  when: Prisma.sql`due.due_at`,
  name: Prisma.sql`session.file_name`,
  what: Prisma.sql`due.part`,
  policy: policyName,
  workflow: Prisma.sql`workflow.name`,
  size: Prisma.sql`bytes`,
};

/** The order of a list; `direction` turns the column, not the order of equal ones, which is by time. */
interface DueOrder {
  sort?: DueSort;
  direction?: Direction;
}

function orderBy({ sort = 'when', direction = 'asc' }: DueOrder): Prisma.Sql {
  const way = direction === 'asc' ? Prisma.sql`asc nulls first` : Prisma.sql`desc nulls last`;
  return Prisma.sql`order by ${orders[sort]} ${way}, due.due_at, due.session_id, due.part desc`;
}

const joined = Prisma.sql`
  (${listed}) due join sessions session on session.subscriber_id = due.subscriber_id and session.id = due.session_id`;

const bytesOf = Prisma.sql`
  (select coalesce(sum(size), 0)::float8 from files file
    where file.subscriber_id = due.subscriber_id and file.session_id = due.session_id and file.removed_at is null
      and file.kind in ('OriginalFile', 'ProductionFile') and ${partOf} = due.part)`;

interface Row extends Omit<DueFile, 'dueAt' | 'policy'> {
  dueAt: Date;
  policyId: string | null;
  policyName: string | null;
}

/** A page of what goes within the window, the next first until another order is asked for. */
export async function readDueFiles(
  tx: Transaction,
  query: DueQuery & DueOrder,
  { skip, take }: { skip: number; take: number },
): Promise<DueFile[]> {
  const rows = await tx.$queryRaw<Row[]>`
    select due.session_id as "sessionId", session.file_name as "fileName", workflow.name as workflow, due.part,
           due.due_at as "dueAt", due.is_held as "isHeld", ${bytesOf} as bytes,
           session.decisions #>> '{retention,policy,id}' as "policyId",
           ${policyName} as "policyName"
      from ${joined}
      join workflows workflow on workflow.subscriber_id = session.subscriber_id and workflow.id = session.workflow_id
     where ${matching(query)}
     ${orderBy(query)} offset ${skip} limit ${take}`;
  return rows.map(({ dueAt, policyId, policyName, ...row }) => ({
    ...row,
    dueAt: dueAt.toISOString(),
    policy: policyId === null ? null : { id: policyId, name: policyName ?? '' },
  }));
}

/** How many go on each day (UTC); what is past its time goes today. */
export const countDueFiles = (
  tx: Transaction,
  query: DueQuery,
): Promise<{ day: string; files: number; bytes: number }[]> =>
  tx.$queryRaw<{ day: string; files: number; bytes: number }[]>`
    select to_char(greatest(due.due_at, clock_timestamp()) at time zone 'UTC', 'YYYY-MM-DD') as day,
           count(*)::int as files, sum(${bytesOf})::float8 as bytes
      from ${joined} where ${matching(query)} group by 1 order by 1`;
