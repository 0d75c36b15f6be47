import { type Permission, personName } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';

/** Name of a person or a role by its id; null when there is none any more. */
export async function assigneeName(tx: Transaction, id: string): Promise<string | null> {
  const names = await assigneeNames(tx, [id]);
  return names.get(id) ?? null;
}

/** Names of people and roles by their ids; those that are gone are missing. */
export async function assigneeNames(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const where = { id: { in: [...ids] } };
  const people = await tx.user.findMany({
    where: { ...where, deletedAt: null },
    select: { id: true, firstName: true, lastName: true, email: true },
  });
  const roles = await tx.role.findMany({ where, select: { id: true, name: true } });
  return new Map([
    ...people.map((person) => [person.id, personName(person)] as const),
    ...roles.map(({ id, name }) => [id, name] as const),
  ]);
}

/** People and roles by their ids, or everybody with a permission. */
export type People = { ids: readonly string[] } | { permission: Permission };

/** The people that ids of people and roles stand for, or who have a permission, as far as they may see the session. */
export async function peopleOf(tx: Transaction, { to, organizationId }: { to: People; organizationId: string | null }) {
  const meant =
    'ids' in to
      ? {
          OR: [{ id: { in: [...to.ids] } }, { userRoles: { some: { roleId: { in: [...to.ids] } } } }],
        }
      : {
          userRoles: {
            some: { role: { permissions: { has: to.permission } } },
          },
        };
  return tx.user.findMany({
    where: {
      isActive: true,
      deletedAt: null,
      AND: [
        meant,
        {
          OR: [
            { isOrganizationRestricted: false },
            ...(organizationId === null ? [] : [{ userOrganizations: { some: { organizationId } } }]),
          ],
        },
      ],
    },
    select: { id: true, email: true, firstName: true, lastName: true, locale: true },
    orderBy: { id: 'asc' },
  });
}
