import { randomUUID } from 'node:crypto';
import { nearestLocale } from '@pdf2press/contract';
import type { MailParams, MailTemplate } from '@pdf2press/mail';
import type { Transaction } from '@pdf2press/prisma';
import { recordEffect } from './effects.ts';
import type { InstanceKeys } from './secrets/instance-key.ts';
import { keepSecret } from './secrets/keep-secret.ts';

export interface Reader {
  subscriberId: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
}

/** A message as it waits: what it says and to whom. A link that opens something waits among the secrets. */
export interface MailPayload {
  template: MailTemplate;
  to: string;
  name: string;
  locale: string;
  params: Omit<MailParams, 'app' | 'name' | 'link'>;
  linkSecretId?: string;
}

export const linkPurpose = 'mail.link';

export interface NewMail {
  reader: Reader;
  template: MailTemplate;
  params?: Omit<MailParams, 'app' | 'name'>;
  /** What it is about; the same cause, template and reader make one message. Without one every call makes one. */
  cause?: string;
  sessionId?: string;
}

/**
 * Records a message in the transaction of its cause: when that is written the message will be sent, and else never.
 * Workers deliver it, in the reader's language.
 */
export async function queueMail(
  tx: Transaction,
  keys: InstanceKeys,
  { reader, template, params: { link, ...params } = {}, cause = randomUUID(), sessionId }: NewMail,
): Promise<void> {
  const { subscriberId, email } = reader;
  const key = `mail ${cause} ${template} ${email}`;
  if ((await tx.effect.count({ where: { subscriberId, key } })) > 0) return;
  const payload: MailPayload = {
    template,
    to: email,
    name: `${reader.firstName} ${reader.lastName}`.trim() || email,
    locale: nearestLocale(reader.locale),
    params,
    ...(link ? { linkSecretId: await keepSecret(tx, keys, { subscriberId, purpose: linkPurpose, text: link }) } : {}),
  };
  await recordEffect(tx, {
    key,
    kind: 'mail',
    payload: { ...payload },
    subscriberId,
    ...(sessionId ? { sessionId } : {}),
  });
}
