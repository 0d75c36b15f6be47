import { Prisma, type Transaction } from '@pdf2press/prisma';
import { pageWindow } from './rows.ts';

/** What a list is sorted by: an expression over its rows, which are called `listed`, and what has to be joined for it. */
export interface Order {
  by: Prisma.Sql;
  join?: Prisma.Sql;
}

/** A list: its rows have an `id` and a `name`, by which rows of equal value are sorted. */
interface SortedList {
  rows: Prisma.Sql;
  order: Order;
}

interface Asked {
  page: number;
  pageSize: number;
  direction: 'asc' | 'desc';
}

/** The ids of a page of a list in the order that is asked for, and how many rows there are. Rows without a value are the least. */
export async function sortedPage(
  tx: Transaction,
  { rows, order: { by, join = Prisma.empty } }: SortedList,
  asked: Asked,
): Promise<{ ids: string[]; total: number }> {
  const way = asked.direction === 'asc' ? Prisma.sql`asc nulls first` : Prisma.sql`desc nulls last`;
  const { skip, take } = pageWindow(asked);
  const sorted = await tx.$queryRaw<{ id: string }[]>`
    select listed.id from (${rows}) listed ${join}
     order by ${by} ${way}, listed.name, listed.id offset ${skip} limit ${take}`;
  const [count] = await tx.$queryRaw<{ total: number }[]>`select count(*)::int as total from (${rows}) listed`;
  return { ids: sorted.map(({ id }) => id), total: count?.total ?? 0 };
}

/** Rows in the order of their ids. */
export const inOrder = <T extends { id: string }>(ids: readonly string[], rows: readonly T[]): T[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** Whether a text of a row contains what is searched for, in letters of any size; without a search all do. */
export const containsText = (texts: readonly Prisma.Sql[], search: string | undefined): Prisma.Sql =>
  search
    ? Prisma.sql`(${Prisma.join(
        texts.map((text) => Prisma.sql`position(lower(${search}) in lower(${text})) > 0`),
        ' or ',
      )})`
    : Prisma.sql`true`;
