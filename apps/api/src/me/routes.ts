import { type Me, nearestLocale, problem, routes } from '@pdf2press/contract';
import { readSettings } from '@pdf2press/engine';
import { mailTo } from '../auth/mails.ts';
import { demandGoodPassword, hashPassword, isPassword } from '../auth/passwords.ts';
import { revokeSessions } from '../auth/refresh.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';

/** For routes about a person: API keys are refused. */
export function personId(caller: Caller): string {
  if (caller.kind !== 'user') throw problem('access.denied', { permission: 'signedIn' });
  return caller.id;
}

/** An embedded page is told what its token allows, and nothing about the token's maker. */
const readEmbed = (deps: ApiDeps, caller: Caller): Promise<Me> =>
  asCaller(deps, caller, async (tx) => ({
    id: caller.id,
    firstName: caller.name,
    lastName: '',
    userName: '',
    email: '',
    phone: '',
    locale: caller.locale,
    subscriberId: caller.subscriberId,
    subscriberName: found(await tx.subscriber.findFirst({ select: { name: true } })).name,
    roles: [],
    permissions: [...caller.permissions],
    hostPermissions: [],
    isHostAdministrator: false,
    appearance: (await readSettings(tx, caller.subscriberId)).appearanceSettings,
    mustSetUpSecondFactor: false,
  }));

const readMe = (deps: ApiDeps, caller: Caller): Promise<Me> =>
  asCaller(deps, caller, async (tx) => {
    const user = found(
      await tx.user.findFirst({
        where: { id: caller.userId ?? '' },
        include: { userRoles: { include: { role: true } }, subscriber: true },
      }),
    );
    return {
      id: user.id,
      firstName: user.firstName,
      lastName: user.lastName,
      userName: user.userName,
      email: user.email,
      phone: user.phone,
      locale: nearestLocale(user.locale),
      subscriberId: user.subscriberId,
      subscriberName: user.subscriber.name,
      roles: user.userRoles.map(({ role }) => ({ id: role.id, name: role.name })),
      permissions: [...caller.permissions],
      hostPermissions: [...caller.hostPermissions],
      isHostAdministrator: caller.hostPermissions.size > 0,
      appearance: (await readSettings(tx, caller.subscriberId)).appearanceSettings,
      mustSetUpSecondFactor: caller.mustSetUpSecondFactor,
    };
  });

export function bindMe(bind: Bind, deps: ApiDeps): void {
  bind(routes.auth.me, ({ caller }) => (caller.kind === 'embed' ? readEmbed : readMe)(deps, caller));

  bind(routes.auth.updateMe, async ({ caller, request, body }) => {
    const id = personId(caller);
    await asCaller(deps, caller, async (tx) => {
      const select = { firstName: true, lastName: true, phone: true, locale: true } as const;
      const before = found(await tx.user.findFirst({ where: { id }, select }));
      await tx.user.update({ where: { id }, data: body, select: { id: true } });
      await audit(tx, request, { act: 'user.update', object: id, before, after: body });
    });
    deps.callers.forget();
    return readMe(deps, { ...caller, locale: body.locale });
  });

  bind(routes.auth.changePassword, async ({ caller, request, body }) => {
    const id = personId(caller);
    const { person, settings } = await asCaller(deps, caller, async (tx) => ({
      person: found(await tx.user.findFirst({ where: { id } })),
      settings: await readSettings(tx, caller.subscriberId),
    }));
    // Hashing takes its turn and its time; no transaction waits for it.
    if (!(await isPassword(person.passwordHash, body.currentPassword)))
      throw problem('password.wrong', {}, 'currentPassword');
    const about = [person.email, person.userName, person.firstName];
    demandGoodPassword(body.password, body.passwordConfirmation, settings.passwordSettings, about);
    const passwordHash = await hashPassword(body.password);
    await asCaller(deps, caller, async (tx) => {
      // Unless the password was changed meanwhile.
      const { count } = await tx.user.updateMany({
        where: { id, passwordHash: person.passwordHash },
        data: { passwordHash, permissionVersion: { increment: 1 } },
      });
      if (count === 0) throw problem('password.wrong', {}, 'currentPassword');
      await revokeSessions(tx, id, { reason: 'password', except: caller.userSessionId });
      await audit(tx, request, { act: 'password.change', object: id });
      await mailTo(tx, deps, person, 'passwordChanged');
    });
    deps.callers.forget();
    return {};
  });

  bind(routes.auth.mySessions, async ({ caller }) => {
    const userId = personId(caller);
    const rows = await asCaller(deps, caller, (tx) =>
      tx.userSession.findMany({
        where: { userId, revokedAt: null, absoluteExpiresAt: { gt: new Date() } },
        orderBy: { lastSeenAt: 'desc' },
        take: 100,
      }),
    );
    return rows.map((row) => ({
      id: row.id,
      userAgent: row.userAgent,
      ip: row.ip,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      isCurrent: row.id === caller.userSessionId,
    }));
  });

  bind(routes.auth.revokeMySession, async ({ caller, request, params }) => {
    const userId = personId(caller);
    await asCaller(deps, caller, async (tx) => {
      const { count } = await tx.userSession.updateMany({
        where: { id: params.id, userId, revokedAt: null },
        data: { revokedAt: new Date(), revokedReason: 'revoked' },
      });
      found(count === 1 ? true : null);
      await audit(tx, request, { act: 'session.revoke', object: params.id });
    });
    deps.callers.forget();
    return {};
  });
}
