import type { KeptReason, PersonFile, PersonKind, PersonReport } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { Actor } from '../deps.ts';
import { catalogue, type Holding } from './catalogue.ts';
import type { Person } from './person.ts';

type Kinds = PersonReport['kinds'];
interface Found {
  id: string;
  kept: KeptReason | null;
}

const holdings = Object.entries(catalogue) as [keyof typeof catalogue, Holding][];

const readFound = (tx: Transaction, { table, id, find, kept }: Holding, person: Person): Promise<Found[]> =>
  tx.$queryRaw<Found[]>`
    select ${Prisma.raw(id)} as id, (${kept(person)})::text as kept from ${Prisma.raw(table)} held where ${find(person)}`;

const countKept = (found: readonly Found[]): Kinds[number]['kept'] => {
  const counts = new Map<KeptReason, number>();
  for (const { kept } of found) if (kept) counts.set(kept, (counts.get(kept) ?? 0) + 1);
  return [...counts].map(([reason, count]) => ({ reason, count }));
};

/**
 * What is kept about a person by kind, and what an erasure does with it; with `by` it does so, at the end, in this
 * transaction: what each kind finds was read before anything is changed. The person must have been found in it.
 */
export async function erasePerson(tx: Transaction, person: Person, by?: Actor): Promise<Kinds> {
  const kinds: Kinds = [];
  const acts: (() => Promise<unknown>)[] = [];
  for (const [kind, holding] of holdings) {
    const found = await readFound(tx, holding, person);
    if (found.length === 0) continue;
    const ids = found.filter(({ kept }) => kept === null).map(({ id }) => id);
    const { erasure } = holding;
    const counts = { removed: 0, anonymised: 0, ...(erasure && { [erasure.fate]: ids.length }) };
    kinds.push({ kind, found: found.length, ...counts, kept: countKept(found) });
    if (erasure && by && ids.length > 0) acts.push(() => erasure.run(tx, person, ids, by));
  }
  for (const act of acts) await act();
  return kinds;
}

/** Everything that is kept about a person, by kind: the columns that the catalogue shows, times as ISO 8601. */
export async function readPerson(tx: Transaction, person: Person): Promise<PersonFile['kinds']> {
  const kinds: Partial<Record<PersonKind, Record<string, unknown>[]>> = {};
  for (const [kind, { table, shows, find }] of holdings) {
    const shown = Prisma.raw(shows.map((name) => `'${name}', held.${name}`).join(', '));
    const rows = await tx.$queryRaw<{ row: Record<string, unknown> }[]>`
      select jsonb_build_object(${shown}) as row from ${Prisma.raw(table)} held where ${find(person)}`;
    if (rows.length > 0) kinds[kind] = rows.map(({ row }) => row);
  }
  return kinds;
}
