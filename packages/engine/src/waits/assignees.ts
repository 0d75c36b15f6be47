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
    ...people.map(({ id, firstName, lastName, email }) => [id, `${firstName} ${lastName}`.trim() || email] as const),
    ...roles.map(({ id, name }) => [id, name] as const),
  ]);
}

/** The people that an id stands for and who may see the session: one person, or all with a role. */
export async function assignedPeople(
  tx: Transaction,
  { assigneeId, organizationId }: { assigneeId: string; organizationId: string | null },
) {
  return tx.user.findMany({
    where: {
      isActive: true,
      deletedAt: null,
      AND: [
        { OR: [{ id: assigneeId }, { userRoles: { some: { roleId: assigneeId } } }] },
        {
          OR: [
            { isOrganizationRestricted: false },
            ...(organizationId === null ? [] : [{ userOrganizations: { some: { organizationId } } }]),
          ],
        },
      ],
    },
    select: { email: true, firstName: true, lastName: true, locale: true },
    orderBy: { id: 'asc' },
  });
}
