import { problem, routes } from '@pdf2press/contract';
import { mailTo } from '../auth/mails.ts';
import { revokeSessions } from '../auth/refresh.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found, isTaken } from '../frame/rows.ts';
import { demandPassword, ownerOf } from '../me/second-factor.ts';
import { linkPerson } from './people.ts';
import { beginTrip, endTrip, readOffer } from './trip.ts';

/** Of the one-time tokens: what is begun to link an account signs nobody in. */
const purpose = 'singleSignOn.link';

/** The accounts at a sign-in service that somebody has linked with their own. */
export function bindOwnLinks(bind: Bind, deps: ApiDeps): void {
  const { singleSignOn } = routes;

  const read = async (caller: Caller) => {
    const { userId, subscriberId } = ownerOf(caller);
    const offer = await readOffer(deps, subscriberId);
    const rows = await asCaller(deps, caller, (tx) =>
      tx.userIdentity.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } }),
    );
    return {
      isOffered: offer !== null,
      label: offer?.settings.label ?? '',
      links: rows.map(({ issuer, createdAt }) => ({ issuer, linkedAt: createdAt.toISOString() })),
    };
  };

  bind(singleSignOn.own, ({ caller }) => read(caller));

  bind(singleSignOn.beginLink, async ({ caller, reply, body }) => {
    await demandPassword(deps, caller, body.password);
    const { userId, subscriberId } = ownerOf(caller);
    return beginTrip(deps, reply, { company: subscriberId, userId, purpose });
  });

  bind(singleSignOn.link, async ({ caller, request, reply, body }) => {
    const { userId } = ownerOf(caller);
    const { offer, ask } = await endTrip(deps, { request, reply, body }, { purpose, userId });
    const claims = await ask();
    try {
      await asCaller(deps, caller, async (tx) => {
        await linkPerson(tx, request, { claims, settings: offer.settings, userId });
        const person = found(await tx.user.findFirst({ where: { id: userId } }));
        await mailTo(tx, deps, person, 'signOnLinked', { device: new URL(claims.issuer).host });
      });
    } catch (error) {
      // Somebody else was faster.
      if (isTaken(error)) throw problem('singleSignOn.linkedElsewhere');
      throw error;
    }
    return read(caller);
  });

  bind(singleSignOn.unlink, async ({ caller, request, body }) => {
    await demandPassword(deps, caller, body.password);
    const { userId } = ownerOf(caller);
    const { issuer } = body;
    await asCaller(deps, caller, async (tx) => {
      const person = found(await tx.user.findFirst({ where: { id: userId } }));
      found(await tx.userIdentity.findFirst({ where: { userId, issuer } }));
      // Without a password nobody would get in any more.
      if (person.passwordHash === null) throw problem('singleSignOn.onlyWay');
      await tx.userIdentity.deleteMany({ where: { userId, issuer } });
      await revokeSessions(tx, userId, { reason: 'singleSignOn', except: caller.userSessionId });
      await audit(tx, request, { act: 'user.unlink', object: userId, before: { issuer } });
    });
    deps.callers.forget();
    return read(caller);
  });
}
