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

/**
 * Whoever changes what somebody else signs in with (password, address, roles), or deletes them, could use their rights. Only
 * a person is themselves: a key may do less than the person who made it.
 * @param hosts the ids of `hostAdministrators`, which the subscriber's transaction cannot read
 * @throws ProblemError `access.denied`
 */
export async function demandNotAbove(
  tx: Transaction,
  caller: Caller,
  { userId, hosts }: { userId: string; hosts: ReadonlySet<unknown> },
): Promise<void> {
  if (caller.kind === 'user' && caller.userId === userId) return;
  demandOwn(caller, await permissionsOf(tx, userId));
  if (hosts.has(userId)) demandHost(caller);
  const { organizationIds } = caller;
  if (!organizationIds) return;
  const person = await tx.user.findFirst({ where: { id: userId }, include: { userOrganizations: true } });
  const isInside = person?.userOrganizations.every((row) => organizationIds.includes(row.organizationId));
  if (!person?.isOrganizationRestricted || !isInside) throw problem('access.denied', { permission: 'organizations' });
}

/** @throws ProblemError `access.denied` to everybody but administrators of the installation */
function demandHost(caller: Caller): void {
  if (caller.hostPermissions.size === 0) throw problem('access.denied', { permission: 'host' });
}

/**
 * Whoever names the mail server receives the links with which people choose their passwords, and can become each of them:
 * it takes every permission that anybody of the subscriber has.
 * @throws ProblemError `access.denied`
 */
export async function demandAboveAll(tx: Transaction, caller: Caller, hosts: ReadonlySet<unknown>): Promise<void> {
  const rows = await tx.userRole.findMany({ where: { user: { deletedAt: null } }, include: { role: true } });
  demandOwn(caller, new Set(rows.flatMap(({ role }) => role.permissions)));
  if (rows.some(({ userId }) => hosts.has(userId))) demandHost(caller);
}
