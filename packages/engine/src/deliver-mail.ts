import path from 'node:path';
import type { Locale, Permission } from '@pdf2press/contract';
import { AddressError, type MailEnvironment, renderMail, sendMail, UndeliveredError } from '@pdf2press/mail';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from './deps.ts';
import { type ClaimedEffect, EffectError, type EffectHandler } from './effects.ts';
import type { Env } from './env.ts';
import { linkPurpose, type MailPayload } from './queue-mail.ts';
import type { InstanceKeys } from './secrets/instance-key.ts';
import { revealSecret, SecretError } from './secrets/keep-secret.ts';
import { smtpServerOf } from './settings.ts';

export interface MailDelivery {
  keys: InstanceKeys;
  environment: MailEnvironment;
  /** Title of the app, in subjects and texts. */
  title: string;
}

/** What holds for every message of this installation. */
export const mailEnvironmentOf = (env: Env): MailEnvironment => ({
  keepFolder: path.join(env.dataDir, 'mail'),
  hostServer: env.smtp,
  allowedHosts: env.outboundAllowedHosts,
});

const leaseMs = 90_000;
const patienceMs = 72 * 3_600_000;

/** Tells everyone who may do something about it. */
export async function notifyHolders(
  tx: Transaction,
  permission: Permission,
  { kind, data }: { kind: string; data: Record<string, string> },
): Promise<void> {
  const holders = await tx.userRole.findMany({
    where: { role: { permissions: { has: permission } } },
    select: { userId: true },
    distinct: ['userId'],
  });
  await tx.notification.createMany({
    data: holders.map(({ userId }) => ({ id: newId('notification'), userId, kind, severity: 'Error', data })),
  });
}

const payloadOf = (effect: ClaimedEffect) => effect.payload as unknown as MailPayload;

async function prepare(deps: EngineDeps, effect: ClaimedEffect, { keys, title }: MailDelivery) {
  const { subscriberId } = effect;
  const { template, locale, name, params, to, linkSecretId } = payloadOf(effect);
  const { server, link } = await deps.database.withSubscriber({ subscriberId }, async (tx) => ({
    server: await smtpServerOf(tx, keys, subscriberId),
    link: linkSecretId
      ? await revealSecret(tx, keys, { subscriberId, id: linkSecretId, purpose: linkPurpose })
      : undefined,
  }));
  const rendered = renderMail(template, locale as Locale, { ...params, app: title, name, ...(link ? { link } : {}) });
  // Receivers that know the id drop a repetition.
  return { server, mail: { ...rendered, to, messageId: `<${effect.id}@pdf2press>` } };
}

/**
 * Sends messages by the subscriber's server, or the host's, or keeps them for the administrators. A message that may
 * have arrived is sent once more at most; one that fails for three days is shown as dead.
 */
export const deliverMail = (deps: EngineDeps, delivery: MailDelivery): EffectHandler => ({
  leaseMs,
  patienceMs,
  isRepeatable: false,
  run: async (effect) => {
    const { subscriberId } = effect;
    const { linkSecretId } = payloadOf(effect);
    try {
      const prepared = await prepare(deps, effect, delivery);
      const remoteRef = await sendMail(delivery.environment, { subscriberId, ...prepared });
      return {
        remoteRef,
        commit: async (tx) => {
          if (linkSecretId) await tx.secret.deleteMany({ where: { id: linkSecretId } });
        },
      };
    } catch (error) {
      if (error instanceof UndeliveredError) throw new EffectError(error.message, { ...error, cause: error });
      if (error instanceof AddressError || error instanceof SecretError)
        throw new EffectError(error.message, { isFinal: true, cause: error });
      throw error;
    }
  },
  onDead: async (tx, effect) => {
    const { to, template } = payloadOf(effect);
    await notifyHolders(tx, 'settings.smtp.manage', { kind: 'mail.dead', data: { to, template } });
  },
});
