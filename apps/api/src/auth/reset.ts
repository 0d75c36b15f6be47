import { problem } from '@pdf2press/contract';
import { queueAccountMail, readSettings } from '@pdf2press/engine';
import type { Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import { isOverLimit } from '../frame/rate-limits.ts';
import { makeLink, minutesOf, takeLink } from './links.ts';
import { liftLock } from './lockout.ts';
import { mailTo } from './mails.ts';
import { demandGoodPassword, hashPassword } from './passwords.ts';
import { revokeSessions } from './refresh.ts';

/** Whoever has no password then signs in at the service alone: a link to choose one would outlive the account there. */
const isSignOnOffered = async (tx: Transaction, subscriberId: string): Promise<boolean> =>
  (await readSettings(tx, subscriberId)).singleSignOnSettings.isOn;

/**
 * Sends a link to choose a new password, if there is such an account. It runs after the answer is sent, so neither its
 * words nor its time tell whether there is.
 */
export function sendResetLink(deps: ApiDeps, request: FastifyRequest, given: string): void {
  const email = given.toLowerCase();
  deps.background.run('reset link', async () => {
    if (await isOverLimit(deps, `reset ${email}`, 5, 3600)) return;
    await deps.db.asHost(async (tx) => {
      const user = await tx.user.findUnique({ where: { email }, include: { subscriber: true, identities: true } });
      if (!user?.isActive || user.deletedAt || !user.subscriber.isActive) return;
      if (!user.passwordHash && user.identities.length > 0 && (await isSignOnOffered(tx, user.subscriberId))) return;
      const { id: userId, subscriberId } = user;
      await audit(tx, request, { act: 'password.linkSent', object: userId, subscriberId });
      const link = await makeLink(deps, tx, { purpose: 'reset', subscriberId, userId });
      await queueAccountMail(
        tx,
        { deps: deps.engine, keys: deps.keys },
        { event: 'PasswordReset', reader: user, link: { url: link, minutes: minutesOf('reset') } },
      );
    });
  });
}

/**
 * Chooses a new password with the token of a link (reset or activation). Every session of the person and every other
 * link ends; nobody is signed in by it.
 * @throws ProblemError `auth.resetParametersMissing`, `auth.linkInvalid`, `password.*`
 */
export async function resetPassword(
  deps: ApiDeps,
  request: FastifyRequest,
  { token, password, passwordConfirmation }: { token: string; password: string; passwordConfirmation: string },
): Promise<void> {
  if (token === '') throw problem('auth.resetParametersMissing');
  await deps.db.asHost(async (tx) => {
    // Where the password is refused, the rollback lets the link be used again.
    const { subscriberId, userId } = await takeLink(tx, token, ['reset', 'activation']);
    const person = userId ? await tx.user.findUnique({ where: { id: userId } }) : null;
    if (!person?.isActive || person.deletedAt) throw problem('auth.linkInvalid');
    const { passwordSettings } = await readSettings(tx, subscriberId);
    demandGoodPassword(password, passwordConfirmation, passwordSettings, [
      person.email,
      person.userName,
      person.firstName,
    ]);
    await tx.user.update({
      where: { id: person.id },
      data: { passwordHash: await hashPassword(password), permissionVersion: { increment: 1 } },
    });
    await revokeSessions(tx, person.id, { reason: 'password' });
    await tx.oneTimeToken.updateMany({ where: { userId: person.id, usedAt: null }, data: { usedAt: new Date() } });
    await liftLock(tx, person.email);
    const actor = { kind: 'user', id: person.id, name: person.email };
    await audit(tx, request, { act: 'password.reset', object: person.id, subscriberId, actor });
    await mailTo(tx, deps, person, 'passwordChanged');
  });
  deps.callers.forget();
}
