import { mailServices, SourceFaultError } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { mailboxGrantSchema, mailProvider } from '@pdf2press/sources/contracts';
import { companyOf, withdrawConsent } from '@pdf2press/sources/sign-in';
import type { EngineDeps } from '../../deps.ts';
import { revealSecret } from '../../secrets/keep-secret.ts';
import { connectionSecretPurpose } from '../../sources/open-connection.ts';
import type { CloudDelivery } from '../delivery/open-cloud.ts';
import { type ClaimedEffect, EffectError, type EffectRun } from '../run.ts';

type Claimed = ClaimedEffect<'consentEnd'>;
const purpose = connectionSecretPurpose;

/** What is stored of the consent; undefined = it is forgotten already. */
async function readGrant(tx: Transaction, keys: CloudDelivery['keys'], { subscriberId, payload }: Claimed) {
  const id = payload.secretId;
  if ((await tx.secret.count({ where: { id, purpose } })) === 0) return undefined;
  return mailboxGrantSchema.parse(JSON.parse(await revealSecret(tx, keys, { subscriberId, id, purpose })));
}

/**
 * Whether a connection that is still there, of whichever company, has the consent of the same account: withdrawn for one, it
 * would be withdrawn for all of them, because the service knows them as one installation.
 */
async function isShared(tx: Transaction, { payload: { secretId, provider } }: Claimed): Promise<boolean> {
  const services = [provider, ...mailServices.filter((service) => mailProvider(service) === provider)];
  const [found] = await tx.$queryRaw<{ shared: boolean }[]>`
    select exists (
      select 1 from profile_versions ended
        join profile_versions other on lower(other.settings ->> 'account') = lower(ended.settings ->> 'account')
        join profiles profile on profile.id = other.profile_id and profile.current_no = other.no
       where ended.settings ->> 'secretId' = ${secretId} and other.settings ->> 'secretId' <> ${secretId}
         and profile.kind in ('cloudStorage', 'inboundEmail') and profile.deleted_at is null
         and coalesce(other.settings ->> 'signInWith', other.settings ->> 'provider') = any(${services})) as shared`;
  return found?.shared === true;
}

const forget = (tx: Transaction, { payload: { secretId: id } }: Claimed) =>
  tx.secret.deleteMany({ where: { id, purpose } });

/** Withdraws consents of which no connection is left. */
export const endConsents = (
  deps: EngineDeps,
  { keys, fetch, cloudApps }: Pick<CloudDelivery, 'keys' | 'fetch' | 'cloudApps'>,
): EffectRun<'consentEnd'> => ({
  run: async (effect, signal) => {
    const { subscriberId, payload } = effect;
    const { provider } = payload;
    const grant = await deps.database.withSubscriber({ subscriberId }, (tx) => readGrant(tx, keys, effect));
    if (grant && !(await deps.database.asHost((tx) => isShared(tx, effect))))
      await withdrawConsent(
        { provider, endpoint: cloudApps[provider]?.endpoint, fetch, signal },
        grant.refreshToken,
      ).catch((error: unknown) => {
        if (!(error instanceof SourceFaultError)) throw error;
        throw new EffectError(error.code, { isFinal: error.code === 'source.denied', cause: error });
      });
    return {
      commit: async (tx) => {
        await forget(tx, effect);
      },
    };
  },
  onDead: async (tx, effect) => {
    await forget(tx, effect);
    const { secretId, provider } = effect.payload;
    const version = await tx.profileVersion.findFirst({
      where: { settings: { path: ['secretId'], equals: secretId } },
      select: { profileId: true },
    });
    const profile = await tx.profile.findFirst({ where: { id: version?.profileId ?? '' }, select: { name: true } });
    return { name: profile?.name ?? '', service: companyOf(provider) };
  },
});
