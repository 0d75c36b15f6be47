import { type EmbedToken, type Permission, permissions, problem, routes } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { embedAccessSeconds, hashOf, randomToken } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { actorOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { demandOwn } from '../roles/grants.ts';

const known = new Set<string>(permissions);
const dayMs = 86_400_000;

interface TokenRow {
  id: string;
  name: string;
  prefix: string;
  permissions: string[];
  origins: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
}

const tokenOf = (row: TokenRow): EmbedToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  permissions: row.permissions.filter((name): name is Permission => known.has(name)),
  origins: row.origins,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt.toISOString(),
});

/**
 * An embed token is random and stored as a hash, like an API key. Unlike a signed token it reveals nothing, and a leaked
 * signing key could not make one.
 */
export function bindEmbedTokens(bind: Bind, deps: ApiDeps): void {
  bind(routes.embedTokens.list, async ({ caller }) => {
    const rows = await asCaller(deps, caller, (tx) =>
      tx.embedToken.findMany({ where: { revokedAt: null }, orderBy: { createdAt: 'desc' }, take: 500 }),
    );
    return rows.map(tokenOf);
  });

  bind(routes.embedTokens.create, ({ caller, request, body }) => {
    // Otherwise a key or an embedded page could make further tokens after its maker has lost the right to.
    if (caller.kind !== 'user') throw problem('access.denied', { permission: 'embedTokens.manage' });
    demandOwn(caller, body.permissions);
    const token = `p2e_${randomToken()}`;
    const id = newId('embedToken');
    const origins = [...new Set(body.origins)];
    return asCaller(deps, caller, async (tx) => {
      const row = await tx.embedToken.create({
        data: {
          id,
          name: body.name,
          prefix: token.slice(0, 12),
          hash: hashOf(token),
          permissions: body.permissions,
          origins,
          createdById: caller.id,
          expiresAt: new Date(Date.now() + body.days * dayMs),
        },
      });
      await audit(tx, request, {
        act: 'embedToken.create',
        object: id,
        after: { name: body.name, permissions: body.permissions, origins, days: body.days },
      });
      return { ...tokenOf(row), token };
    });
  });

  bind(routes.embedTokens.revoke, async ({ caller, request, params }) => {
    await asCaller(deps, caller, async (tx) => {
      const where = { id: params.id, revokedAt: null };
      const { count } = await tx.embedToken.updateMany({ where, data: { revokedAt: new Date() } });
      found(count === 1 ? true : null);
      await audit(tx, request, { act: 'embedToken.revoke', object: params.id });
    });
    deps.callers.forget();
    return {};
  });

  bind(routes.embedTokens.exchange, async ({ request, body }) => {
    const row = await deps.db.asHost((tx) => tx.embedToken.findUnique({ where: { hash: hashOf(body.token) } }));
    const caller = row && (await deps.callers.byEmbedToken(row.id));
    // Unknown, revoked and expired tokens and those whose maker is gone get the same answer.
    if (!row || !caller) throw problem('auth.embedTokenInvalid');
    const { id: object, subscriberId } = row;
    await deps.db.asHost((tx) =>
      audit(tx, request, { act: 'embedToken.use', object, subscriberId, actor: actorOf(caller) }),
    );
    const authToken = request.server.jwt.sign(
      { sub: row.createdById, tid: subscriberId, eid: object },
      { expiresIn: `${embedAccessSeconds}s` },
    );
    return { authToken, expiresIn: embedAccessSeconds, origins: row.origins };
  });
}
