import { isDeepStrictEqual } from 'node:util';
import { SourceFaultError } from '@pdf2press/contract';
import type { EngineDeps } from '../deps.ts';
import type { InstanceKeys } from '../secrets/instance-key.ts';
import { keepSecret, revealSecret, SecretError } from '../secrets/keep-secret.ts';

/** The purpose under which the secret of a connection is stored; its text is the JSON that the kind's contract declares. */
export const connectionSecretPurpose = 'source.connection';

export interface OpenedConnection {
  settings: Record<string, unknown>;
  /** In clear text: use at once and store nowhere. */
  secret: unknown;
}

/**
 * Reads a connection as it is now: the newest version of its profile, and the secret that `settings.secretId` names. A new
 * password is used from the next poll, without publishing the workflows again.
 * @throws SourceFaultError `source.connectionMissing` or `source.secretUnreadable`
 */
export const openConnection = (
  deps: EngineDeps,
  keys: InstanceKeys,
  { subscriberId, connectionId, profile: kind }: { subscriberId: string; connectionId: string; profile: string },
): Promise<OpenedConnection> =>
  deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const profile = await tx.profile.findFirst({ where: { id: connectionId, kind, isEnabled: true, deletedAt: null } });
    const version = profile
      ? await tx.profileVersion.findFirst({ where: { profileId: connectionId, no: profile.currentNo } })
      : null;
    const { secretId, ...settings } = (version?.settings ?? {}) as Record<string, unknown>;
    if (typeof secretId !== 'string') throw new SourceFaultError('source.connectionMissing');
    try {
      const text = await revealSecret(tx, keys, { subscriberId, id: secretId, purpose: connectionSecretPurpose });
      return { settings, secret: JSON.parse(text) };
    } catch (error) {
      // The error of JSON.parse quotes the text, so it is not passed on as the cause.
      if (error instanceof SecretError || error instanceof SyntaxError)
        throw new SourceFaultError('source.secretUnreadable');
      throw error;
    }
  });

interface Renewal {
  subscriberId: string;
  connectionId: string;
  profile: string;
  /** The secret that the new one was made from. */
  before: unknown;
  secret: unknown;
}

/**
 * Stores what a source has made of the secret it was given. If somebody has connected it anew since, or taken the
 * connection away, that counts, and nothing is stored.
 */
export const renewConnectionSecret = (
  deps: EngineDeps,
  keys: InstanceKeys,
  { subscriberId, connectionId, profile: kind, before, secret }: Renewal,
): Promise<void> =>
  deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const profile = await tx.profile.findFirst({ where: { id: connectionId, kind, deletedAt: null } });
    const version = profile
      ? await tx.profileVersion.findFirst({ where: { profileId: connectionId, no: profile.currentNo } })
      : null;
    const { secretId: id } = (version?.settings ?? {}) as Record<string, unknown>;
    if (typeof id !== 'string') return;
    await tx.$queryRaw`select id from secrets where id = ${id} for update`;
    const purpose = connectionSecretPurpose;
    const stored: unknown = JSON.parse(await revealSecret(tx, keys, { subscriberId, id, purpose }));
    if (!isDeepStrictEqual(stored, before)) return;
    await keepSecret(tx, keys, { subscriberId, id, purpose, text: JSON.stringify(secret) });
  });
