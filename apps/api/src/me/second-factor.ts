import { problem, routes } from '@pdf2press/contract';
import { mailTo } from '../auth/mails.ts';
import { isPassword } from '../auth/passwords.ts';
import { revokeSessions } from '../auth/refresh.ts';
import {
  beginFactor,
  confirmFactor,
  findFactor,
  isFactorRequired,
  removeFactor,
  renewRecoveryCodes,
  takeCode,
} from '../auth/second-factor.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { personId } from './routes.ts';

export const ownerOf = (caller: Caller) => ({ subscriberId: caller.subscriberId, userId: personId(caller) });

/** Minutes in which a sign-in stands for the password of somebody who has none. */
const freshMinutes = 10;

/**
 * Whoever found a computer unlocked knows no password. Who signs in at another service has none: they have just been there.
 * @throws ProblemError `password.wrong`, `secondFactor.signInAgain`
 */
export async function demandPassword(deps: ApiDeps, caller: Caller, password = ''): Promise<void> {
  const id = personId(caller);
  const { person, session } = await asCaller(deps, caller, async (tx) => ({
    person: found(await tx.user.findFirst({ where: { id } })),
    session: await tx.userSession.findFirst({ where: { id: caller.userSessionId ?? '' } }),
  }));
  if (person.passwordHash === null) {
    const age = Date.now() - (session?.createdAt.getTime() ?? 0);
    if (age > freshMinutes * 60_000) throw problem('secondFactor.signInAgain');
    return;
  }
  if (!(await isPassword(person.passwordHash, password))) throw problem('password.wrong', {}, 'password');
}

/** A QR code as a picture that a page shows without drawing it. */
async function pictureOf(text: string): Promise<string> {
  // About 1 MB that nothing else here needs.
  const { default: symbologies } = await import('bwip-js');
  const svg = symbologies.toSVG({ bcid: 'qrcode', text, scale: 4, padding: 4, backgroundcolor: 'FFFFFF' });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

export function bindSecondFactors(bind: Bind, deps: ApiDeps): void {
  const { secondFactors } = routes;

  bind(secondFactors.read, ({ caller }) => {
    const owner = ownerOf(caller);
    return asCaller(deps, caller, async (tx) => {
      const factor = await findFactor(tx, owner);
      const isOn = factor?.confirmedAt;
      return {
        since: isOn ? isOn.toISOString() : null,
        isRequired: await isFactorRequired(tx, owner.userId),
        recoveryCodesLeft: isOn ? factor.recoveryHashes.length : 0,
        hasApp: Boolean(isOn && factor.appConfirmedAt),
        hasPassword: found(await tx.user.findFirst({ where: { id: owner.userId } })).passwordHash !== null,
      };
    });
  });

  bind(secondFactors.begin, async ({ caller, body }) => {
    await demandPassword(deps, caller, body.password);
    const named = { issuer: deps.env.title, label: caller.email };
    const { key, address } = await asCaller(deps, caller, (tx) => beginFactor(tx, deps.keys, ownerOf(caller), named));
    return { key, address, picture: await pictureOf(address) };
  });

  bind(secondFactors.confirm, async ({ caller, request, body }) => {
    const owner = ownerOf(caller);
    const recoveryCodes = await asCaller(deps, caller, async (tx) => {
      const codes = await confirmFactor(tx, deps.keys, owner, body.code);
      await revokeSessions(tx, owner.userId, { reason: 'secondFactor', except: caller.userSessionId });
      await audit(tx, request, { act: 'secondFactor.on', object: owner.userId });
      await mailTo(tx, deps, found(await tx.user.findFirst({ where: { id: owner.userId } })), 'secondFactorOn');
      return codes;
    });
    deps.callers.forget();
    return { recoveryCodes };
  });

  bind(secondFactors.renewCodes, async ({ caller, request, body }) => {
    await demandPassword(deps, caller, body.password);
    const owner = ownerOf(caller);
    const recoveryCodes = await asCaller(deps, caller, async (tx) => {
      if (!(await takeCode(tx, deps.keys, owner, body.code))) throw problem('secondFactor.codeWrong', {}, 'code');
      await audit(tx, request, { act: 'secondFactor.recoveryCodes', object: owner.userId });
      return renewRecoveryCodes(tx, deps.keys, owner);
    });
    return { recoveryCodes };
  });

  bind(secondFactors.switchOff, async ({ caller, request, body }) => {
    await demandPassword(deps, caller, body.password);
    const owner = ownerOf(caller);
    await asCaller(deps, caller, async (tx) => {
      if (await isFactorRequired(tx, owner.userId)) throw problem('secondFactor.required');
      if (!(await takeCode(tx, deps.keys, owner, body.code))) throw problem('secondFactor.codeWrong', {}, 'code');
      await removeFactor(tx, owner);
      await audit(tx, request, { act: 'secondFactor.off', object: owner.userId });
      await mailTo(tx, deps, found(await tx.user.findFirst({ where: { id: owner.userId } })), 'secondFactorOff');
    });
    deps.callers.forget();
    return {};
  });
}
