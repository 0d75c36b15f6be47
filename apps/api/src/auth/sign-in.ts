import { ProblemError, systemSettingsSchema, type TokenResult } from '@pdf2press/contract';
import { readSettings } from '@pdf2press/engine';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import { passesCaptcha } from './captcha.ts';
import { knownDevice, rememberDevice, setRefreshCookie } from './cookies.ts';
import { attemptKeys, mayNotify, readStanding, recordFailure, recordSuccess } from './lockout.ts';
import { mailTo } from './mails.ts';
import { isPassword } from './passwords.ts';
import { accessSeconds, hashOf, randomToken, refreshAbsoluteSeconds, refreshIdleSeconds } from './tokens.ts';

export interface Person {
  id: string;
  subscriberId: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
  permissionVersion: number;
}

/** An access token for a signed-in session. */
export const accessTokenFor = (request: FastifyRequest, person: Person, userSessionId: string): string =>
  request.server.jwt.sign({
    sub: person.id,
    tid: person.subscriberId,
    sid: userSessionId,
    pv: person.permissionVersion,
  });

/** Begins a signed-in session: makes its first tokens, and sends a message when the person never used this browser. */
async function beginSession(tx: Transaction, deps: ApiDeps, request: FastifyRequest, person: Person) {
  const { id: userId, subscriberId } = person;
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 300);
  const earlier = await tx.userSession.findMany({
    where: { userId },
    select: { userAgent: true },
    distinct: ['userAgent'],
  });
  const id = newId('userSession');
  const refreshToken = randomToken();
  await tx.userSession.create({
    data: {
      id,
      subscriberId,
      userId,
      userAgent,
      ip: request.ip,
      absoluteExpiresAt: new Date(Date.now() + refreshAbsoluteSeconds * 1000),
    },
  });
  await tx.refreshToken.create({
    data: {
      subscriberId,
      userSessionId: id,
      gen: 1,
      hash: hashOf(refreshToken),
      expiresAt: new Date(Date.now() + refreshIdleSeconds * 1000),
    },
  });
  await tx.user.update({ where: { id: userId }, data: { lastSignedInAt: new Date() } });
  if (earlier.length > 0 && !earlier.some((session) => session.userAgent === userAgent))
    await mailTo(tx, deps, person, 'newDevice', { device: userAgent || '-', ip: request.ip });
  return { id, refreshToken };
}

/**
 * Signs in. Unknown, locked and inactive accounts, wrong passwords and missing captchas get the same answer and cost one
 * run of Argon2id each; only the additional code `auth.captchaFailed` tells that a captcha is needed.
 * @throws ProblemError `auth.invalidCredentials`
 */
export async function signIn(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { email: string; password: string; captcha?: string | undefined; useCookie?: boolean | undefined },
): Promise<TokenResult> {
  const email = given.email.toLowerCase();
  const keys = attemptKeys(email, request.ip, knownDevice(deps, request, email));
  const { user, policy, standing } = await deps.db.asHost(async (tx) => {
    const found = await tx.user.findUnique({ where: { email }, include: { subscriber: true } });
    const settings = found ? await readSettings(tx, found.subscriberId) : undefined;
    const userSettings = settings?.userSettings ?? systemSettingsSchema.shape.userSettings.parse({});
    const canProve = deps.env.captcha.provider !== 'off';
    return { user: found, policy: userSettings, standing: await readStanding(tx, keys, userSettings, { canProve }) };
  });
  const captcha = { text: given.captcha, action: 'login', isLenient: true };
  const lacksProof = standing.needsCaptcha && !(await passesCaptcha(deps, captcha));
  const fits = await isPassword(user?.passwordHash, given.password);
  const isOpen = user?.isActive === true && user.deletedAt === null && user.subscriber.isActive;

  if (!user || !isOpen || !fits || lacksProof || standing.isLocked) {
    await deps.db.asHost(async (tx) => {
      const wasLocked = await recordFailure(tx, keys, policy, {
        isLocked: standing.isLocked,
        isUntested: lacksProof,
        factor: deps.limitFactor,
      });
      if (!user) return;
      const { id: object, subscriberId } = user;
      await audit(tx, request, {
        act: 'login.failed',
        object,
        subscriberId,
        after: { isLocked: wasLocked || standing.isLocked },
      });
      if (wasLocked && isOpen && (await mayNotify(tx, keys.account)))
        await mailTo(tx, deps, user, 'locked', { minutes: Math.ceil(policy.accountLockoutDurationInSeconds / 60) });
    });
    throw new ProblemError([
      { code: 'auth.invalidCredentials' },
      ...(lacksProof ? [{ code: 'auth.captchaFailed' } as const] : []),
    ]);
  }
  const session = await deps.db.asHost(async (tx) => {
    await recordSuccess(tx, keys);
    const { id: object, subscriberId } = user;
    const actor = { kind: 'user', id: user.id, name: user.email };
    await audit(tx, request, { act: 'login.succeeded', object, subscriberId, actor });
    return beginSession(tx, deps, request, user);
  });
  rememberDevice(deps, reply, email);
  if (given.useCookie) setRefreshCookie(deps, reply, session.refreshToken);
  return {
    authToken: accessTokenFor(request, user, session.id),
    refreshToken: given.useCookie ? '' : session.refreshToken,
    expiresIn: accessSeconds,
  };
}
