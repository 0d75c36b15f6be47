import { type ApiKey, type Permission, permissions, problem, routes } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { hashOf, randomToken } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { demandOwn } from '../roles/grants.ts';

const known = new Set<string>(permissions);

interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  permissions: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
}

const keyOf = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  permissions: row.permissions.filter((name): name is Permission => known.has(name)),
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
});

export function bindApiKeys(bind: Bind, deps: ApiDeps): void {
  bind(routes.apiKeys.list, async ({ caller }) => {
    const rows = await asCaller(deps, caller, (tx) =>
      tx.apiKey.findMany({ where: { revokedAt: null }, orderBy: { createdAt: 'desc' }, take: 500 }),
    );
    return rows.map(keyOf);
  });

  bind(routes.apiKeys.create, ({ caller, request, body }) => {
    // Otherwise a key could make further keys after its maker has lost the right to.
    if (caller.kind !== 'user') throw problem('access.denied', { permission: 'apiKeys.manage' });
    demandOwn(caller, body.permissions);
    const key = `p2p_${randomToken()}`;
    const id = newId('apiKey');
    return asCaller(deps, caller, async (tx) => {
      const row = await tx.apiKey.create({
        data: {
          id,
          name: body.name,
          prefix: key.slice(0, 12),
          hash: hashOf(key),
          permissions: body.permissions,
          createdById: caller.userId,
          expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
        },
      });
      await audit(tx, request, {
        act: 'apiKey.create',
        object: id,
        after: { name: body.name, permissions: body.permissions },
      });
      return { ...keyOf(row), key };
    });
  });

  bind(routes.apiKeys.revoke, async ({ caller, request, params }) => {
    await asCaller(deps, caller, async (tx) => {
      const where = { id: params.id, revokedAt: null };
      const { count } = await tx.apiKey.updateMany({ where, data: { revokedAt: new Date() } });
      found(count === 1 ? true : null);
      await audit(tx, request, { act: 'apiKey.revoke', object: params.id });
    });
    deps.callers.forget();
    return {};
  });
}
