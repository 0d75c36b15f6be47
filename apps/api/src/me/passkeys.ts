import { problem, routes } from '@pdf2press/contract';
import { mailTo } from '../auth/mails.ts';
import { makeOneTimeToken, useOneTimeToken } from '../auth/one-time-tokens.ts';
import { keepPasskey, optionsToAdd } from '../auth/passkeys.ts';
import { revokeSessions } from '../auth/refresh.ts';
import { confirmByPasskey, findFactor, isFactorRequired, removeFactor } from '../auth/second-factor.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { demandPassword, ownerOf } from './second-factor.ts';

const purpose = 'passkey';
/** A person may look for the key meanwhile. */
const seconds = 600;

/** Own passkeys. Another person's, and one that does not exist, are answered the same. */
export function bindPasskeys(bind: Bind, deps: ApiDeps): void {
  const { passkeys } = routes;

  bind(passkeys.list, async ({ caller }) => {
    const { userId } = ownerOf(caller);
    const rows = await asCaller(deps, caller, (tx) =>
      tx.passkey.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } }),
    );
    return rows.map(({ id, name, createdAt, lastUsedAt }) => ({
      ...{ id, name },
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }));
  });

  bind(passkeys.begin, async ({ caller, body }) => {
    await demandPassword(deps, caller, body.password);
    const owner = ownerOf(caller);
    const { email, name } = caller;
    return asCaller(deps, caller, async (tx) => {
      const token = await makeOneTimeToken(tx, { ...owner, purpose, seconds });
      return { token, options: await optionsToAdd(tx, deps, { userId: owner.userId, token, email, name }) };
    });
  });

  bind(passkeys.add, async ({ caller, request, body }) => {
    const owner = ownerOf(caller);
    const { userId } = owner;
    // Whatever comes of it, the token is used up.
    const used = await asCaller(deps, caller, (tx) => useOneTimeToken(tx, body.token, { purposes: [purpose], userId }));
    if (!used) throw problem('passkey.refused');
    const recoveryCodes = await asCaller(deps, caller, async (tx) => {
      await keepPasskey(tx, deps, owner, body);
      const codes = await confirmByPasskey(tx, deps.keys, owner);
      if (codes) await revokeSessions(tx, userId, { reason: 'secondFactor', except: caller.userSessionId });
      await audit(tx, request, { act: 'passkey.add', object: userId, after: { name: body.name } });
      await mailTo(tx, deps, found(await tx.user.findFirst({ where: { id: userId } })), 'passkeyAdded', {
        device: body.name,
      });
      return codes;
    });
    deps.callers.forget();
    return { recoveryCodes };
  });

  bind(passkeys.rename, ({ caller, request, params, body }) =>
    asCaller(deps, caller, async (tx) => {
      const { userId } = ownerOf(caller);
      const { id } = params;
      const before = found(await tx.passkey.findFirst({ where: { id, userId } }));
      await tx.passkey.update({ where: { id }, data: { name: body.name }, select: { id: true } });
      const names = { before: { name: before.name }, after: { name: body.name } };
      await audit(tx, request, { act: 'passkey.rename', object: userId, ...names });
      return {};
    }),
  );

  bind(passkeys.remove, async ({ caller, request, params, body }) => {
    const owner = ownerOf(caller);
    const { userId } = owner;
    // Before the password: what is another's is answered the same with a right and a wrong one.
    found(await asCaller(deps, caller, (tx) => tx.passkey.findFirst({ where: { id: params.id, userId } })));
    await demandPassword(deps, caller, body.password);
    await asCaller(deps, caller, async (tx) => {
      const passkey = found(await tx.passkey.findFirst({ where: { id: params.id, userId } }));
      await tx.passkey.delete({ where: { id: passkey.id }, select: { id: true } });
      await audit(tx, request, { act: 'passkey.remove', object: userId, before: { name: passkey.name } });
      const isLast = (await tx.passkey.count({ where: { userId } })) === 0;
      if (!isLast || (await findFactor(tx, owner))?.appConfirmedAt) return;
      if (await isFactorRequired(tx, userId)) throw problem('secondFactor.required');
      await removeFactor(tx, owner);
      await audit(tx, request, { act: 'secondFactor.off', object: userId });
      await mailTo(tx, deps, found(await tx.user.findFirst({ where: { id: userId } })), 'secondFactorOff');
    });
    deps.callers.forget();
    return {};
  });
}
