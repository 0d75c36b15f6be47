import { nearestLocale, problem, type RouteResult, routes, type User, type UserSort } from '@pdf2press/contract';
import { demandUsersInPlan, readSettings } from '@pdf2press/engine';
import { newId, Prisma, type Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import { hostAdministrators } from '../auth/caller-cache.ts';
import { endChallenges } from '../auth/challenges.ts';
import { liftLock, lockedAmong } from '../auth/lockout.ts';
import { mailTo } from '../auth/mails.ts';
import { demandGoodPassword, hashPassword } from '../auth/passwords.ts';
import { revokeSessions } from '../auth/refresh.ts';
import { removeFactor } from '../auth/second-factor.ts';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Bind, ReadBody, ReadQuery } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { found, uniquely } from '../frame/rows.ts';
import { containsText, inOrder, type Order, sortedPage } from '../frame/sorted-page.ts';
import { welcomeMembers } from '../organizations/welcome.ts';
import { demandAdministratorLeft, demandNotAbove, demandOwn } from '../roles/grants.ts';
import { sendActivation } from './activation.ts';
import { userColumns } from './csv.ts';
import { importUsers } from './import-users.ts';

type Body = ReadBody<typeof routes.users.create>;

const withRoles = {
  userRoles: { include: { role: { select: { id: true, name: true } } } },
  secondFactor: { select: { confirmedAt: true } },
  userSessions: { select: { lastSeenAt: true }, orderBy: { lastSeenAt: 'desc' }, take: 1 },
} as const satisfies Prisma.UserInclude;
const findUser = (tx: Transaction, id: string) =>
  tx.user.findFirst({ where: { id, deletedAt: null }, include: withRoles });
type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/** Rows of sessions are swept away some time after their end; then the sign-in, which is kept, is the newest that is known. */
function lastSeenOf({ lastSignedInAt, userSessions: [session] }: UserRow): Date | null {
  const times = [lastSignedInAt, session?.lastSeenAt].flatMap((time) => time ?? []);
  return times.sort((one, other) => other.getTime() - one.getTime())[0] ?? null;
}

const userOf = (row: UserRow, isLocked: boolean): User => ({
  id: row.id,
  firstName: row.firstName,
  lastName: row.lastName,
  userName: row.userName,
  email: row.email,
  phone: row.phone,
  locale: nearestLocale(row.locale),
  isActive: row.isActive,
  isLocked,
  hasSecondFactor: Boolean(row.secondFactor?.confirmedAt),
  roles: row.userRoles.map(({ role }) => role),
  createdAt: row.createdAt.toISOString(),
  lastLoginAt: row.lastSignedInAt?.toISOString() ?? null,
  lastSeenAt: lastSeenOf(row)?.toISOString() ?? null,
});

/** Locks are stored by e-mail address over all subscribers, so they are read as the host, only for people already read. */
async function withLocks(deps: ApiDeps, rows: readonly UserRow[]): Promise<User[]> {
  const locked = await deps.db.asHost((tx) =>
    lockedAmong(
      tx,
      rows.map(({ email }) => email),
    ),
  );
  return rows.map((row) => userOf(row, locked.has(row.email)));
}

async function readUser(deps: ApiDeps, caller: Caller, id: string): Promise<User> {
  const row = found(await asCaller(deps, caller, (tx) => findUser(tx, id)));
  const [user] = await withLocks(deps, [row]);
  return found(user);
}

/** Gives the person these roles and no others; whoever adds one must have every permission that it grants. */
async function assignRoles(
  tx: Transaction,
  caller: Caller,
  userId: string,
  roleIds: readonly string[],
): Promise<boolean> {
  const before = await tx.userRole.findMany({ where: { userId } });
  const wanted = await tx.role.findMany({ where: { id: { in: [...roleIds] } } });
  if (wanted.length !== new Set(roleIds).size) throw problem('resource.notFound', {}, 'roleIds');
  const added = wanted.filter(({ id }) => !before.some(({ roleId }) => roleId === id));
  const removed = before.filter(({ roleId }) => !wanted.some(({ id }) => id === roleId));
  if (added.length === 0 && removed.length === 0) return false;
  demand(caller, 'users.roles.assign');
  demandOwn(
    caller,
    added.flatMap(({ permissions }) => permissions),
  );
  await tx.userRole.deleteMany({ where: { userId, roleId: { in: removed.map(({ roleId }) => roleId) } } });
  await tx.userRole.createMany({ data: added.map(({ id: roleId }) => ({ userId, roleId })) });
  return true;
}

/** Roles that are given to whoever gets no other; giving them is granting them, too. */
async function assignDefaultRoles(tx: Transaction, caller: Caller, userId: string): Promise<void> {
  const defaults = await tx.role.findMany({ where: { isDefault: true } });
  demandOwn(
    caller,
    defaults.flatMap(({ permissions }) => permissions),
  );
  await tx.userRole.createMany({ data: defaults.map(({ id: roleId }) => ({ userId, roleId })) });
}

/** Somebody made by a person of some organizations only belongs to no others. */
async function restrictAsCaller(
  tx: Transaction,
  deps: ApiDeps,
  { organizationIds }: Caller,
  userId: string,
): Promise<void> {
  if (!organizationIds) return;
  await tx.user.update({ where: { id: userId }, data: { isOrganizationRestricted: true }, select: { id: true } });
  const made = organizationIds.map((organizationId) => ({ userId, organizationId }));
  await tx.userOrganization.createMany({ data: made });
  await welcomeMembers(tx, deps, made);
}

async function newPasswordHash(tx: Transaction, caller: Caller, body: Body): Promise<string | undefined> {
  if (!body.password) return undefined;
  const { passwordSettings } = await readSettings(tx, caller.subscriberId);
  demandGoodPassword(body.password, body.passwordConfirmation ?? body.password, passwordSettings, [
    body.email,
    body.userName,
    body.firstName,
  ]);
  return hashPassword(body.password);
}

const fieldsOf = (body: Body) => ({
  firstName: body.firstName,
  lastName: body.lastName,
  userName: body.userName || body.email.toLowerCase(),
  email: body.email.toLowerCase(),
  phone: body.phone,
  locale: body.locale,
  isActive: body.isActive,
});

async function createUser(
  deps: ApiDeps,
  caller: Caller,
  request: FastifyRequest,
  body: Body,
): Promise<User & { activationLink: string | null }> {
  const id = newId('user');
  let activationLink: string | null = null;
  await uniquely(body.email, 'email', () =>
    asCaller(deps, caller, async (tx) => {
      const passwordHash = await newPasswordHash(tx, caller, body);
      await tx.user.create({ data: { id, ...fieldsOf(body), ...(passwordHash ? { passwordHash } : {}) } });
      if (body.roleIds.length > 0) await assignRoles(tx, caller, id, body.roleIds);
      else await assignDefaultRoles(tx, caller, id);
      await restrictAsCaller(tx, deps, caller, id);
      if (body.isActive) await demandUsersInPlan(tx);
      await audit(tx, request, { act: 'user.create', object: id, after: { email: body.email, roleIds: body.roleIds } });
      if (body.password || !body.sendActivationEmail || !body.isActive) return;
      const { subscriberId } = caller;
      const settings = await readSettings(tx, subscriberId);
      activationLink = await sendActivation(tx, deps, settings, { ...fieldsOf(body), id, subscriberId });
    }),
  );
  return { ...(await readUser(deps, caller, id)), activationLink };
}

async function updateUser(
  deps: ApiDeps,
  caller: Caller,
  request: FastifyRequest,
  id: string,
  body: Body,
): Promise<User> {
  const hosts = await deps.db.asHost(hostAdministrators);
  await uniquely(body.email, 'email', () =>
    asCaller(deps, caller, async (tx) => {
      const before = found(await findUser(tx, id));
      await demandNotAbove(tx, caller, { userId: id, hosts });
      const passwordHash = await newPasswordHash(tx, caller, body);
      const hasNewRoles = await assignRoles(tx, caller, id, body.roleIds);
      const isEnded = passwordHash !== undefined || (before.isActive && !body.isActive);
      await tx.user.update({
        where: { id },
        data: {
          ...fieldsOf(body),
          ...(passwordHash ? { passwordHash } : {}),
          ...(hasNewRoles || isEnded ? { permissionVersion: { increment: 1 } } : {}),
        },
        select: { id: true },
      });
      if (body.isActive && !before.isActive) await demandUsersInPlan(tx);
      if (isEnded) await revokeSessions(tx, id, { reason: 'changed', except: caller.userSessionId });
      await demandAdministratorLeft(tx);
      const roleIds = before.userRoles.map(({ role }) => role.id);
      await audit(tx, request, {
        act: 'user.update',
        object: id,
        before: { email: before.email, isActive: before.isActive, roleIds },
        after: {
          email: body.email,
          isActive: body.isActive,
          roleIds: body.roleIds,
          hasNewPassword: passwordHash !== undefined,
        },
      });
    }),
  );
  deps.callers.forget();
  return readUser(deps, caller, id);
}

type UserFilter = Pick<ReadQuery<typeof routes.users.list>, 'search' | 'states' | 'roleIds'>;

const stateSql = (locked: readonly string[]): Prisma.Sql => Prisma.sql`
  case when email = any(${[...locked]}::text[]) then 'locked' when is_active then 'active' else 'inactive' end`;

const userRows = ({ search, states, roleIds }: UserFilter, locked: readonly string[]): Prisma.Sql => Prisma.sql`
  select id, last_name as name, first_name, email, is_active, last_signed_in_at from users
   where deleted_at is null
     and ${states ? Prisma.sql`${stateSql(locked)} = any(${states}::text[])` : Prisma.sql`true`}
     and ${
       roleIds
         ? Prisma.sql`exists (select 1 from user_roles held where held.user_id = users.id and held.role_id = any(${roleIds}::text[]))`
         : Prisma.sql`true`
     }
     and ${containsText([Prisma.sql`first_name`, Prisma.sql`last_name`, Prisma.sql`email`, Prisma.sql`user_name`], search)}`;

/** The addresses of all people who are locked out now. */
async function everyLocked(deps: ApiDeps, caller: Caller): Promise<string[]> {
  const rows = await asCaller(deps, caller, (tx) =>
    tx.user.findMany({ where: { deletedAt: null }, select: { email: true } }),
  );
  const emails = rows.map(({ email }) => email);
  return [...(await deps.db.asHost((tx) => lockedAmong(tx, emails)))];
}

/** What the list is sorted by. Who is locked out stands first. */
const userOrders = (locked: readonly string[]): Record<UserSort, Order> => ({
  name: { by: Prisma.sql`(listed.name, listed.first_name)` },
  state: {
    by: Prisma.sql`case when listed.email = any(${[...locked]}::text[]) then 0 when listed.is_active then 1 else 2 end`,
  },
  roles: {
    join: Prisma.sql`
      left join (select user_roles.user_id, string_agg(roles.name, ', ' order by roles.name) as names
                   from user_roles join roles on roles.id = user_roles.role_id group by user_roles.user_id) held
        on held.user_id = listed.id`,
    by: Prisma.sql`held.names`,
  },
  secondFactor: {
    by: Prisma.sql`exists (select 1 from second_factors factor
                            where factor.user_id = listed.id and factor.confirmed_at is not null)`,
  },
  lastLogin: { by: Prisma.sql`listed.last_signed_in_at` },
  // As `lastSeenOf` has it.
  lastSeen: {
    join: Prisma.sql`
      left join (select user_id, max(last_seen_at) as at from user_sessions group by user_id) seen
        on seen.user_id = listed.id`,
    by: Prisma.sql`greatest(seen.at, listed.last_signed_in_at)`,
  },
});

async function listUsers(
  deps: ApiDeps,
  caller: Caller,
  query: ReadQuery<typeof routes.users.list>,
): Promise<RouteResult<typeof routes.users.list>> {
  const locked = query.sort === 'state' || query.states ? await everyLocked(deps, caller) : [];
  const { rows, total } = await asCaller(deps, caller, async (tx) => {
    const list = { rows: userRows(query, locked), order: userOrders(locked)[query.sort] };
    const { ids, total } = await sortedPage(tx, list, query);
    return { rows: inOrder(ids, await tx.user.findMany({ where: { id: { in: ids } }, include: withRoles })), total };
  });
  return { items: await withLocks(deps, rows), total, page: query.page, pageSize: query.pageSize };
}

export function bindUsers(bind: Bind, deps: ApiDeps): void {
  bind(routes.users.list, ({ caller, query }) => listUsers(deps, caller, query));
  bind(routes.users.export, ({ caller, reply, query }) =>
    sendList(reply, {
      name: 'users',
      columns: userColumns,
      read: async (page) => (await listUsers(deps, caller, { ...query, ...page })).items,
    }),
  );

  bind(routes.users.import, ({ caller, request, body }) => importUsers(deps, caller, request, body));
  bind(routes.users.get, ({ caller, params }) => readUser(deps, caller, params.id));
  bind(routes.users.create, ({ caller, request, body }) => createUser(deps, caller, request, body));
  bind(routes.users.update, ({ caller, request, params, body }) => updateUser(deps, caller, request, params.id, body));

  bind(routes.users.remove, async ({ caller, request, params }) => {
    const hosts = await deps.db.asHost(hostAdministrators);
    await asCaller(deps, caller, async (tx) => {
      const user = found(await findUser(tx, params.id));
      await demandNotAbove(tx, caller, { userId: params.id, hosts });
      await revokeSessions(tx, params.id, { reason: 'deleted' });
      await removeFactor(tx, { subscriberId: caller.subscriberId, userId: params.id });
      await tx.userRole.deleteMany({ where: { userId: params.id } });
      await tx.userIdentity.deleteMany({ where: { userId: params.id } });
      await tx.apiKey.updateMany({
        where: { createdById: params.id, revokedAt: null },
        data: { revokedAt: new Date() },
      });
      // The row stays for the history, without a name, and its address can be used again.
      await tx.user.update({
        where: { id: params.id },
        data: {
          deletedAt: new Date(),
          isActive: false,
          email: `deleted-${params.id}`,
          userName: `deleted-${params.id}`,
          firstName: '',
          lastName: '',
          phone: '',
          passwordHash: null,
        },
        select: { id: true },
      });
      await demandAdministratorLeft(tx);
      await audit(tx, request, { act: 'user.delete', object: params.id, before: { email: user.email } });
    });
    deps.callers.forget();
    return {};
  });

  bind(routes.users.resetSecondFactor, async ({ caller, request, params }) => {
    const { id } = params;
    const hosts = await deps.db.asHost(hostAdministrators);
    await asCaller(deps, caller, async (tx) => {
      const user = found(await findUser(tx, id));
      await demandNotAbove(tx, caller, { userId: id, hosts });
      if (!(await removeFactor(tx, { subscriberId: caller.subscriberId, userId: id })))
        throw problem('secondFactor.isOff');
      // Whoever holds the lost phone may be signed in.
      await revokeSessions(tx, id, { reason: 'secondFactor', except: caller.userSessionId });
      await endChallenges(tx, id);
      await audit(tx, request, { act: 'secondFactor.reset', object: id });
      await mailTo(tx, deps, user, 'secondFactorOff');
    });
    deps.callers.forget();
    return readUser(deps, caller, id);
  });

  bind(routes.users.revokeSessions, async ({ caller, request, params: { id } }) => {
    const hosts = await deps.db.asHost(hostAdministrators);
    await asCaller(deps, caller, async (tx) => {
      found(await findUser(tx, id));
      await demandNotAbove(tx, caller, { userId: id, hosts });
      await revokeSessions(tx, id, { reason: 'administrator' });
      await audit(tx, request, { act: 'user.signOut', object: id });
    });
    deps.callers.forget();
    return {};
  });

  bind(routes.users.unlock, async ({ caller, request, params }) => {
    const email = await asCaller(deps, caller, async (tx) => {
      const user = found(await findUser(tx, params.id));
      await audit(tx, request, { act: 'user.unlock', object: params.id });
      return user.email;
    });
    await deps.db.asHost((tx) => liftLock(tx, email));
    return readUser(deps, caller, params.id);
  });
}
