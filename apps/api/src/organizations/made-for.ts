import { type MadeFor, problem, type RouteResult, type routes, wholeHouse } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import type { Caller } from '../frame/caller.ts';
import type { Order } from '../frame/sorted-page.ts';
import { ownOnly } from './own-only.ts';

/** Who workflows and profiles are made for: the whole house, or one organization. Rows hold it as `organizationId`. */

const field = 'organizationId';

/** The organizations that a caller can make something for. */
export async function readOwn(tx: Transaction, caller: Caller): Promise<RouteResult<typeof routes.organizations.own>> {
  const items = await tx.organization.findMany({
    where: ownOnly(caller),
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: 1000,
  });
  return { isWhole: caller.organizationIds === undefined, items };
}

/**
 * The database shows people of some organizations also the workflows that their sessions have run. Those of others are not
 * theirs to list, open or change.
 */
export const ownOrHouse = ({ organizationIds }: Caller): Prisma.WorkflowWhereInput =>
  organizationIds ? { OR: [{ organizationId: null }, { organizationId: { in: [...organizationIds] } }] } : {};

/** As `ownOrHouse`, of the column `organization` of a query. */
export const isOwnOrHouse = (organization: Prisma.Sql, { organizationIds }: Caller): Prisma.Sql =>
  organizationIds
    ? Prisma.sql`(${organization} is null or ${organization} = any(${[...organizationIds]}))`
    : Prisma.sql`true`;

/** Whether a row is made for one of the organizations that are asked for; without any all are. */
export const isMadeFor = (organization: Prisma.Sql, asked: readonly string[] | undefined): Prisma.Sql =>
  asked && asked.length > 0
    ? Prisma.sql`coalesce(${organization}, ${wholeHouse}) = any(${[...asked]})`
    : Prisma.sql`true`;

/** Sorts a list whose rows have the column `organization`, the name of the organization that they are made for. */
export const organizationOrder: Order = { by: Prisma.sql`listed.organization` };

/** The organizations that rows are made for, by the id of the organization. */
export async function madeForOf(
  tx: Transaction,
  rows: readonly { organizationId: string | null }[],
): Promise<(organizationId: string | null) => MadeFor> {
  const ids = [...new Set(rows.flatMap(({ organizationId }) => organizationId ?? []))];
  const named =
    ids.length > 0
      ? await tx.organization.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
      : [];
  return (organizationId) => named.find(({ id }) => id === organizationId) ?? null;
}

/** Until the transaction ends the organization is not deleted. @throws ProblemError `organization.unknown` */
async function demandOwn(tx: Transaction, { organizationIds }: Caller, id: string): Promise<string> {
  const isOwn = !organizationIds || organizationIds.includes(id);
  const rows = isOwn
    ? await tx.$queryRaw<unknown[]>`select 1 from organizations where id = ${id} and deleted_at is null for share`
    : [];
  if (rows.length === 0) throw problem('organization.unknown', {}, field);
  return id;
}

/**
 * The organization that something new is made for; null = the whole house.
 * @param given undefined: the house, or the only organization of a caller who sees nothing else
 * @throws ProblemError `organization.choose` to a caller of several who named none, `organization.houseOnly`, `organization.unknown`
 */
export async function organizationOfNew(
  tx: Transaction,
  caller: Caller,
  given: string | null | undefined,
): Promise<string | null> {
  if (typeof given === 'string') return demandOwn(tx, caller, given);
  const { organizationIds } = caller;
  if (!organizationIds) return null;
  if (given === null) throw problem('organization.houseOnly', {}, field);
  const [only, ...others] = organizationIds;
  if (only === undefined || others.length > 0) throw problem('organization.choose', {}, field);
  return demandOwn(tx, caller, only);
}

/**
 * The organization that something is made for after a change.
 * @param given undefined: as it is
 * @throws ProblemError `organization.houseOnly` to a caller who sees some organizations only and would give to the house or
 *   take from it, `organization.unknown`
 */
export async function organizationOfChanged(
  tx: Transaction,
  caller: Caller,
  { before, given }: { before: string | null; given: string | null | undefined },
): Promise<string | null> {
  if (given === undefined || given === before) return before;
  if (caller.organizationIds && (given === null || before === null)) throw problem('organization.houseOnly', {}, field);
  return given === null ? null : demandOwn(tx, caller, given);
}
