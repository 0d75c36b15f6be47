import { type Permission, problem } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { Caller } from '../frame/caller.ts';

/** Nobody may grant a permission that they do not have. @throws ProblemError `access.denied` naming the first missing permission */
export function demandOwn(caller: Caller, permissions: Iterable<string>): void {
  for (const permission of permissions)
    if (!caller.permissions.has(permission as Permission)) throw problem('access.denied', { permission });
}

/**
 * At least one person must remain who can manage roles and users. Checked at the end of a transaction that may change it.
 * @throws ProblemError `role.lastAdministrator`
 */
export async function demandAdministratorLeft(tx: Transaction): Promise<void> {
  // One change at a time: otherwise two administrators could remove each other's rights at the same moment.
  await tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended('administrators ' || current_subscriber(), 0))::text`;
  const left = await tx.$queryRaw<unknown[]>`
    select 1 from users
     where is_active and deleted_at is null
       and exists (select 1 from user_roles join roles on roles.id = role_id
                    where user_id = users.id and 'roles.manage' = any(permissions))
       and exists (select 1 from user_roles join roles on roles.id = role_id
                    where user_id = users.id and 'users.roles.assign' = any(permissions))
     limit 1`;
  if (left.length === 0) throw problem('role.lastAdministrator');
}

/** What a person may do by all their roles. */
export async function permissionsOf(tx: Transaction, userId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.userRole.findMany({ where: { userId }, include: { role: true } });
  return new Set(rows.flatMap(({ role }) => role.permissions));
}
