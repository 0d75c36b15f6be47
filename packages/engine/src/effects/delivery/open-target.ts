import { DeliveryFaultError } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { revealSecret, SecretError } from '../../secrets/keep-secret.ts';
import { deliverySecretPurpose } from './contract.ts';

export interface NamedTarget {
  name: string;
  settings: Record<string, unknown>;
  /** In clear text: use at once and store nowhere. */
  secret: unknown;
}

/**
 * Reads a target as it is now: the newest version of its profile, and the secret that `settings.secretId` names. A new
 * password is used from the next try, without publishing the workflows again.
 * @throws DeliveryFaultError `delivery.targetGone` or `delivery.secretUnreadable`
 */
export async function openDeliveryTarget(
  tx: Transaction,
  keys: InstanceKeys,
  { subscriberId, id }: { subscriberId: string; id: string },
): Promise<NamedTarget> {
  const profile = await tx.profile.findFirst({ where: { id, kind: 'delivery', deletedAt: null } });
  if (!profile) throw new DeliveryFaultError('delivery.targetGone');
  const version = await tx.profileVersion.findFirst({ where: { profileId: id, no: profile.currentNo } });
  const { secretId, ...settings } = (version?.settings ?? {}) as Record<string, unknown>;
  const { name } = profile;
  if (typeof secretId !== 'string') return { name, settings, secret: {} };
  try {
    const text = await revealSecret(tx, keys, { subscriberId, id: secretId, purpose: deliverySecretPurpose });
    return { name, settings, secret: JSON.parse(text) };
  } catch (error) {
    // The error of JSON.parse quotes the text, so it is not passed on as the cause.
    if (error instanceof SecretError || error instanceof SyntaxError)
      throw new DeliveryFaultError('delivery.secretUnreadable');
    throw error;
  }
}

/** The name of a target, also of one that was deleted. */
export const readTargetName = async (tx: Transaction, id: string): Promise<string> =>
  (await tx.profile.findFirst({ where: { id, kind: 'delivery' }, select: { name: true } }))?.name ?? '';
