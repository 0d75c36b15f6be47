import { problem, type TokenResult } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import { clearRefreshCookie, refreshCookie, setRefreshCookie } from './cookies.ts';
import { mailTo } from './mails.ts';
import { accessTokenFor, type Person } from './sign-in.ts';
import { accessSeconds, graceSeconds, hashOf, refreshIdleSeconds, successorOf } from './tokens.ts';

type Rotation =
  | { kind: 'rotated'; token: string; person: Person; userSessionId: string }
  | { kind: 'unknown' }
  | { kind: 'reused' };

interface TokenRow {
  gen: number;
  isUsed: boolean;
  /** Used so recently that another tab of the same browser may still send it. */
  isGrace: boolean;
  isExpired: boolean;
  newest: number;
}

/** The token's row and the newest number of its session. Locks the session: one exchange at a time. */
async function lockFamily(
  tx: Transaction,
  family: string,
  hash: Uint8Array<ArrayBuffer>,
): Promise<TokenRow | undefined> {
  await tx.$queryRaw`select 1 from user_sessions where id = ${family} for update`;
  const [row] = await tx.$queryRaw<TokenRow[]>`
    select gen, used_at is not null as "isUsed",
           coalesce(used_at > clock_timestamp() - make_interval(secs => ${graceSeconds}::int), false) as "isGrace",
           expires_at < clock_timestamp() as "isExpired",
           (select max(gen)::int from refresh_tokens where user_session_id = ${family}) as newest
      from refresh_tokens where hash = ${hash}`;
  return row;
}

/**
 * Exchanges a refresh token. Each is used once; the newest used one gives the same successor again for ten seconds. An
 * older one means that somebody else has a copy: the whole session ends.
 */
function rotate(deps: ApiDeps, request: FastifyRequest, token: string): Promise<Rotation> {
  const key = deps.keys.derive('refresh tokens');
  const hash = hashOf(token);
  return deps.db.asHost(async (tx): Promise<Rotation> => {
    const known = await tx.refreshToken.findUnique({
      where: { hash },
      include: { userSession: { include: { user: true, subscriber: true } } },
    });
    if (!known) return { kind: 'unknown' };
    const { userSessionId, subscriberId } = known;
    const row = await lockFamily(tx, userSessionId, hash);
    const session = await tx.userSession.findUniqueOrThrow({ where: { id: userSessionId }, include: { user: true } });
    const { user: person } = session;
    const isOver = session.revokedAt !== null || session.absoluteExpiresAt < new Date();
    if (
      !row ||
      isOver ||
      row.isExpired ||
      !person.isActive ||
      person.deletedAt ||
      !known.userSession.subscriber.isActive
    )
      return { kind: 'unknown' };
    const next = row.gen + 1;
    const successor = successorOf(key, userSessionId, next, token);
    if (row.isUsed) {
      if (row.isGrace && row.newest === next) return { kind: 'rotated', token: successor, person, userSessionId };
      await tx.userSession.update({
        where: { id: userSessionId },
        data: { revokedAt: new Date(), revokedReason: 'reuse' },
      });
      const after = { gen: row.gen, newest: row.newest };
      await audit(tx, request, { act: 'token.reused', object: userSessionId, subscriberId, after });
      await mailTo(tx, deps, person, 'tokenReuse', { ip: request.ip });
      return { kind: 'reused' };
    }
    await tx.$executeRaw`
      update refresh_tokens set used_at = clock_timestamp(), used_by_ip = ${request.ip} where hash = ${hash}`;
    const expiresAt = new Date(Date.now() + refreshIdleSeconds * 1000);
    await tx.refreshToken.create({
      data: { subscriberId, userSessionId, gen: next, hash: hashOf(successor), expiresAt },
    });
    await tx.userSession.update({ where: { id: userSessionId }, data: { lastSeenAt: new Date(), ip: request.ip } });
    return { kind: 'rotated', token: successor, person, userSessionId };
  });
}

/** @throws ProblemError `auth.tokenInvalid` for every reason why the token is not valid */
export async function refresh(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  given: string | undefined,
): Promise<TokenResult> {
  const cookie = given ? undefined : refreshCookie(deps, request);
  const token = given ?? cookie;
  const rotation: Rotation = token ? await rotate(deps, request, token) : { kind: 'unknown' };
  if (rotation.kind !== 'rotated') {
    if (rotation.kind === 'reused') deps.callers.forget();
    if (cookie) clearRefreshCookie(deps, reply);
    throw problem('auth.tokenInvalid');
  }
  if (cookie) setRefreshCookie(deps, reply, rotation.token);
  return {
    authToken: accessTokenFor(request, rotation.person, rotation.userSessionId),
    refreshToken: cookie ? '' : rotation.token,
    expiresIn: accessSeconds,
  };
}

/** Ends signed-in sessions of a person; `except` stays. */
export async function revokeSessions(
  tx: Transaction,
  userId: string,
  { reason, except }: { reason: string; except?: string | null },
): Promise<void> {
  await tx.userSession.updateMany({
    where: { userId, revokedAt: null, ...(except ? { id: { not: except } } : {}) },
    data: { revokedAt: new Date(), revokedReason: reason },
  });
}

/** Signs out by whatever the request carries: access token, refresh token or cookie. Always succeeds. */
export async function signOut(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  given: string | undefined,
): Promise<void> {
  const token = given ?? refreshCookie(deps, request);
  await deps.db.asHost(async (tx) => {
    const known = token ? await tx.refreshToken.findUnique({ where: { hash: hashOf(token) } }) : null;
    const ids = [known?.userSessionId, request.caller?.userSessionId].filter((id) => typeof id === 'string');
    for (const id of new Set(ids)) {
      const session = await tx.userSession.findUnique({ where: { id } });
      if (!session || session.revokedAt) continue;
      await tx.userSession.update({ where: { id }, data: { revokedAt: new Date(), revokedReason: 'logout' } });
      const { subscriberId, userId } = session;
      await audit(tx, request, {
        act: 'logout',
        object: id,
        subscriberId,
        actor: { kind: 'user', id: userId, name: '' },
      });
    }
  });
  deps.callers.forget();
  clearRefreshCookie(deps, reply);
}
