import {
  permissions as allPermissions,
  type Permission,
  problem,
  type Role,
  type RoleSort,
  type RouteResult,
  routes,
} from '@pdf2press/contract';
import { newId, Prisma, type Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind, ReadBody, ReadQuery } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { found, uniquely } from '../frame/rows.ts';
import { containsText, inOrder, type Order, sortedPage } from '../frame/sorted-page.ts';
import { roleColumns } from './csv.ts';
import { demandAdministratorLeft, demandOwn } from './grants.ts';

const known = new Set<string>(allPermissions);

interface RoleRow {
  id: string;
  name: string;
  permissions: string[];
  isDefault: boolean;
  isStatic: boolean;
  requiresSecondFactor: boolean;
  _count: { userRoles: number };
}

const withCount = { _count: { select: { userRoles: true } } } as const;

const roleOf = ({ _count, permissions, ...row }: RoleRow): Role => ({
  ...row,
  permissions: permissions.filter((name): name is Permission => known.has(name)),
  userCount: _count.userRoles,
});

/** Without what the caller did not say. */
const given = ({ requiresSecondFactor, ...body }: ReadBody<typeof routes.roles.create>) => ({
  ...body,
  ...(requiresSecondFactor === undefined ? {} : { requiresSecondFactor }),
});

/** What the list is sorted by. Roles with marks stand first: given to new people, with a second factor, lasting. */
const orders: Readonly<Record<RoleSort, Order>> = {
  name: { by: Prisma.sql`listed.name` },
  kind: { by: Prisma.sql`(not listed.is_default, not listed.requires_second_factor, not listed.is_static)` },
  permissions: {
    by: Prisma.sql`(select count(*) from unnest(listed.permissions) as held where held = any(${[...known]}))`,
  },
  users: { by: Prisma.sql`(select count(*) from user_roles where user_roles.role_id = listed.id)` },
};

const listedRows = ({ search }: ReadQuery<typeof routes.roles.list>): Prisma.Sql => Prisma.sql`
  select id, name, permissions, is_default, requires_second_factor, is_static
    from roles where ${containsText([Prisma.sql`name`], search)}`;

async function listRoles(
  tx: Transaction,
  query: ReadQuery<typeof routes.roles.list>,
): Promise<RouteResult<typeof routes.roles.list>> {
  const { ids, total } = await sortedPage(tx, { rows: listedRows(query), order: orders[query.sort] }, query);
  const rows = inOrder(ids, await tx.role.findMany({ where: { id: { in: ids } }, include: withCount }));
  return { items: rows.map(roleOf), total, page: query.page, pageSize: query.pageSize };
}

const changed = (before: readonly string[], after: readonly string[]) =>
  [...new Set([...before, ...after])].filter((name) => before.includes(name) !== after.includes(name));

/** Raises the permission version of everybody with the role, so that every process reads their rights again. */
const bumpHolders = (tx: Transaction, roleId: string) => tx.$executeRaw`
  update users set permission_version = permission_version + 1
   where id in (select user_id from user_roles where role_id = ${roleId})`;

export function bindRoles(bind: Bind, deps: ApiDeps): void {
  bind(routes.roles.list, ({ caller, query }) => asCaller(deps, caller, (tx) => listRoles(tx, query)));
  bind(routes.roles.export, ({ caller, reply, query }) =>
    sendList(reply, {
      name: 'roles',
      columns: roleColumns,
      read: async (page) => (await asCaller(deps, caller, (tx) => listRoles(tx, { ...query, ...page }))).items,
    }),
  );

  bind(routes.roles.get, ({ caller, params }) =>
    asCaller(deps, caller, async (tx) =>
      roleOf(found(await tx.role.findFirst({ where: { id: params.id }, include: withCount }))),
    ),
  );

  bind(routes.roles.create, ({ caller, request, body }) => {
    demandOwn(caller, body.permissions);
    const id = newId('role');
    return uniquely(body.name, 'name', () =>
      asCaller(deps, caller, async (tx) => {
        const row = await tx.role.create({ data: { id, ...given(body) }, include: withCount });
        await audit(tx, request, {
          act: 'role.create',
          object: id,
          after: { ...given(body) },
        });
        return roleOf(row);
      }),
    );
  });

  bind(routes.roles.update, async ({ caller, request, params, body }) => {
    const role = await uniquely(body.name, 'name', () =>
      asCaller(deps, caller, async (tx) => {
        const before = found(await tx.role.findFirst({ where: { id: params.id } }));
        // The static role always has every permission; only whether it is the default or demands a second factor may change.
        if (before.isStatic && (changed(before.permissions, body.permissions).length > 0 || before.name !== body.name))
          throw problem('resource.static');
        demandOwn(caller, changed(before.permissions, body.permissions));
        // Whoever is made without roles gets the default ones, so making a role a default grants all of it.
        if (body.isDefault && !before.isDefault) demandOwn(caller, body.permissions);
        const row = await tx.role.update({ where: { id: params.id }, data: given(body), include: withCount });
        await bumpHolders(tx, params.id);
        await demandAdministratorLeft(tx);
        await audit(tx, request, {
          act: 'role.update',
          object: params.id,
          before: {
            name: before.name,
            permissions: before.permissions,
            isDefault: before.isDefault,
            ...(body.requiresSecondFactor === undefined ? {} : { requiresSecondFactor: before.requiresSecondFactor }),
          },
          after: { ...given(body) },
        });
        return roleOf(row);
      }),
    );
    deps.callers.forget();
    return role;
  });

  bind(routes.roles.remove, async ({ caller, request, params }) => {
    await asCaller(deps, caller, async (tx) => {
      const role = found(await tx.role.findFirst({ where: { id: params.id } }));
      if (role.isStatic) throw problem('resource.static');
      await bumpHolders(tx, params.id);
      await tx.role.delete({ where: { id: params.id } });
      await demandAdministratorLeft(tx);
      await audit(tx, request, { act: 'role.delete', object: params.id, before: { name: role.name } });
    });
    deps.callers.forget();
    return {};
  });
}
