import { ProblemError, problem, systemSettingsSchema, type TokenResult } from '@pdf2press/contract';
import { readSettings } from '@pdf2press/engine';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import { passesCaptcha } from './captcha.ts';
import { countWrongCode, makeChallenge, readChallenge, useChallenge } from './challenges.ts';
import { knownDevice, rememberDevice, setRefreshCookie } from './cookies.ts';
import { attemptKeys, mayNotify, readStanding, recordFailure, recordSuccess } from './lockout.ts';
import { mailTo } from './mails.ts';
import { optionsToUse, type PasskeyAnswer, takePasskey } from './passkeys.ts';
import { isPassword } from './passwords.ts';
import { takeCode } from './second-factor.ts';
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

type Found = NonNullable<Awaited<ReturnType<typeof readAttempt>>['user']>;
type Attempt = Awaited<ReturnType<typeof readAttempt>>;

/** The account that is signed in to, how its attempts are counted, and whether it may try now. */
async function readAttempt(deps: ApiDeps, request: FastifyRequest, where: { email: string } | { id: string }) {
  return deps.db.asHost(async (tx) => {
    const user = await tx.user.findUnique({ where, include: { subscriber: true, secondFactor: true, passkeys: true } });
    const email = user?.email ?? ('email' in where ? where.email : '');
    const keys = attemptKeys(email, request.ip, knownDevice(deps, request, email));
    const settings = user ? await readSettings(tx, user.subscriberId) : undefined;
    const policy = settings?.userSettings ?? systemSettingsSchema.shape.userSettings.parse({});
    const canProve = deps.env.captcha.provider !== 'off';
    const isOpen = user?.isActive === true && user.deletedAt === null && user.subscriber.isActive;
    return { user, isOpen, keys, policy, standing: await readStanding(tx, keys, policy, { canProve }) };
  });
}

/** Counts a refused attempt, writes it down, and tells the person when it locked the account. */
async function refuse(
  tx: Transaction,
  deps: ApiDeps,
  request: FastifyRequest,
  { user, isOpen, keys, policy, standing }: Attempt,
  { isUntested, stage }: { isUntested: boolean; stage: 'password' | 'code' | 'singleSignOn' },
): Promise<void> {
  const { isLocked } = standing;
  const wasLocked = await recordFailure(tx, keys, policy, { isLocked, isUntested, factor: deps.limitFactor });
  if (!user) return;
  const { id: object, subscriberId } = user;
  const after = { isLocked: wasLocked || isLocked, ...(stage !== 'password' && { stage }) };
  await audit(tx, request, { act: 'login.failed', object, subscriberId, after });
  if (wasLocked && isOpen && (await mayNotify(tx, keys.account)))
    await mailTo(tx, deps, user, 'locked', { minutes: Math.ceil(policy.accountLockoutDurationInSeconds / 60) });
}

/** Ends the count of failures, and begins the session. */
async function admit(
  tx: Transaction,
  deps: ApiDeps,
  request: FastifyRequest,
  { user, keys }: { user: Found; keys: Attempt['keys'] },
  after?: { secondFactor: string } | { singleSignOn: string },
) {
  await recordSuccess(tx, keys);
  const { id: object, subscriberId } = user;
  const actor = { kind: 'user', id: user.id, name: user.email };
  await audit(tx, request, { act: 'login.succeeded', object, subscriberId, actor, ...(after && { after }) });
  return beginSession(tx, deps, request, user);
}

function answer(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session, useCookie }: { user: Found; session: { id: string; refreshToken: string }; useCookie: boolean },
): TokenResult {
  rememberDevice(deps, reply, user.email);
  if (useCookie) setRefreshCookie(deps, reply, session.refreshToken);
  return {
    authToken: accessTokenFor(request, user, session.id),
    refreshToken: useCookie ? '' : session.refreshToken,
    expiresIn: accessSeconds,
  };
}

/** Whoever has a second factor is asked for it next. @throws ProblemError `auth.secondFactorNeeded` with the challenge */
async function demandSecondFactor(deps: ApiDeps, user: Found): Promise<void> {
  if (!user.secondFactor?.confirmedAt) return;
  const owner = { subscriberId: user.subscriberId, userId: user.id };
  const challenge = await deps.db.asHost((tx) => makeChallenge(tx, owner));
  const hasApp = user.secondFactor.appConfirmedAt !== null;
  throw problem('auth.secondFactorNeeded', { challenge, hasApp, hasPasskey: user.passkeys.length > 0 });
}

/**
 * Signs in. Unknown, locked and inactive accounts, wrong passwords and missing captchas get the same answer and cost one
 * run of Argon2id each; only the additional code `auth.captchaFailed` tells that a captcha is needed. Where there is a
 * second factor, the password alone ends no count of failures: otherwise it could be repeated between guessed codes.
 * @throws ProblemError `auth.invalidCredentials`, `auth.secondFactorNeeded` with the challenge for the second stage
 */
export async function signIn(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { email: string; password: string; captcha?: string | undefined; useCookie?: boolean | undefined },
): Promise<TokenResult> {
  const attempt = await readAttempt(deps, request, { email: given.email.toLowerCase() });
  const { user, isOpen, keys, standing } = attempt;
  const captcha = { text: given.captcha, action: 'login', isLenient: true };
  const lacksProof = standing.needsCaptcha && !(await passesCaptcha(deps, captcha));
  const fits = await isPassword(user?.passwordHash, given.password);
  if (!user || !isOpen || !fits || lacksProof || standing.isLocked) {
    await deps.db.asHost((tx) => refuse(tx, deps, request, attempt, { isUntested: lacksProof, stage: 'password' }));
    throw new ProblemError([
      { code: 'auth.invalidCredentials' },
      ...(lacksProof ? [{ code: 'auth.captchaFailed' } as const] : []),
    ]);
  }
  await demandSecondFactor(deps, user);
  const session = await deps.db.asHost((tx) => admit(tx, deps, request, { user, keys }));
  return answer(deps, request, reply, { user, session, useCookie: given.useCookie === true });
}

/**
 * Signs in whom another service has confirmed (`by`: its address). Locks count as for a password, and so does a second
 * factor of the house.
 * @throws ProblemError `singleSignOn.accountClosed`, `auth.secondFactorNeeded`
 */
export async function signInConfirmed(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, by, useCookie }: { userId: string; by: string; useCookie: boolean },
): Promise<TokenResult> {
  const attempt = await readAttempt(deps, request, { id: userId });
  const { user, isOpen, keys, standing } = attempt;
  if (!user || !isOpen || standing.isLocked) {
    await deps.db.asHost((tx) => refuse(tx, deps, request, attempt, { isUntested: true, stage: 'singleSignOn' }));
    throw problem('singleSignOn.accountClosed');
  }
  await demandSecondFactor(deps, user);
  const session = await deps.db.asHost((tx) => admit(tx, deps, request, { user, keys }, { singleSignOn: by }));
  return answer(deps, request, reply, { user, session, useCookie });
}

type Taken = 'app' | 'recoveryCode' | 'passkey';

interface SecondStage {
  challenge: string;
  useCookie?: boolean | undefined;
  /** What is said of a wrong one. */
  wrong: ProblemError;
  /** Takes what was given; null = it does not count. */
  take: (tx: Transaction, owner: { subscriberId: string; userId: string }) => Promise<Taken | null>;
}

/** The second stage, for the challenge that the right password got. Wrong answers count like wrong passwords. */
async function signInSecond(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { challenge, useCookie = false, wrong, take }: SecondStage,
): Promise<TokenResult> {
  const id = await deps.db.asHost((tx) => readChallenge(tx, challenge));
  if (id === null) throw problem('auth.challengeInvalid');
  const attempt = await readAttempt(deps, request, { id });
  const { user, isOpen, keys, standing } = attempt;
  if (!user || !isOpen) throw problem('auth.challengeInvalid');
  const { subscriberId } = user;
  const session = await deps.db.asHost(async (tx) => {
    if (standing.isLocked) return null;
    const taken = await take(tx, { subscriberId, userId: id });
    if (!taken) return null;
    if (!(await useChallenge(tx, challenge))) throw problem('auth.challengeInvalid');
    if (taken === 'recoveryCode') {
      const actor = { kind: 'user', id, name: user.email };
      await audit(tx, request, { act: 'secondFactor.recoveryCodeUsed', object: id, subscriberId, actor });
    }
    return admit(tx, deps, request, { user, keys }, { secondFactor: taken });
  });
  if (!session) {
    await deps.db.asHost(async (tx) => {
      await countWrongCode(tx, challenge);
      await refuse(tx, deps, request, attempt, { isUntested: false, stage: 'code' });
    });
    throw wrong;
  }
  return answer(deps, request, reply, { user, session, useCookie });
}

type Given<More> = { challenge: string; useCookie?: boolean | undefined } & More;

/** The second stage with a code of the app, or a recovery code. @throws ProblemError `auth.challengeInvalid`, `auth.codeWrong` */
export const signInWithCode = (
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { code, ...given }: Given<{ code: string }>,
): Promise<TokenResult> =>
  signInSecond(deps, request, reply, {
    ...given,
    wrong: problem('auth.codeWrong', {}, 'code'),
    take: (tx, owner) => takeCode(tx, deps.keys, owner, code),
  });

/** The second stage with a passkey. @throws ProblemError `auth.challengeInvalid`, `auth.passkeyWrong` */
export const signInWithPasskey = (
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { answer: made, ...given }: Given<{ answer: PasskeyAnswer }>,
): Promise<TokenResult> =>
  signInSecond(deps, request, reply, {
    ...given,
    wrong: problem('auth.passkeyWrong'),
    take: (tx, owner) => takePasskey(tx, deps, owner, { token: given.challenge, answer: made }),
  });

/** What a browser is asked for a passkey with, at the second stage. @throws ProblemError `auth.challengeInvalid` */
export async function passkeyOptions(deps: ApiDeps, challenge: string): Promise<Record<string, unknown>> {
  const options = await deps.db.asHost(async (tx) => {
    const userId = await readChallenge(tx, challenge);
    return userId === null ? null : optionsToUse(tx, deps, userId, challenge);
  });
  if (!options) throw problem('auth.challengeInvalid');
  return options;
}
