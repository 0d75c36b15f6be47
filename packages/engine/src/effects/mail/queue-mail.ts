import { randomUUID } from 'node:crypto';
import { nearestLocale, personName } from '@pdf2press/contract';
import type { MailParams, MailTemplate } from '@pdf2press/mail';
import type { Transaction } from '@pdf2press/prisma';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { keepSecret } from '../../secrets/keep-secret.ts';
import type { PayloadOf } from '../catalogue.ts';
import { enqueueEffect } from '../enqueue.ts';
import { linkPurpose } from './contract.ts';

export interface Reader {
  subscriberId: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
}

export interface NewMail {
  reader: Reader;
  template: MailTemplate;
  params?: Omit<MailParams, 'app' | 'name'>;
  /**
   * What the message is about; the same cause, template and reader make one message. Without a cause every call makes one.
   */
  cause?: string;
  sessionId?: string;
  /** Of a page of the product that the message leads to; a `link` is secret, this is not. */
  path?: string;
  /** Whose look the message has, and where answers go; absent = as the product's own. */
  sender?: Pick<PayloadOf<'mail'>, 'brand' | 'logo' | 'fromName' | 'replyTo'>;
  /** Message-ID of the mail that this answers. */
  inReplyTo?: string | null;
}

/**
 * Records a message in the transaction of its cause: if that commits, the message will be sent, otherwise never. Workers
 * deliver it, in the reader's language.
 */
export async function queueMail(
  tx: Transaction,
  keys: InstanceKeys,
  {
    reader,
    template,
    params: { link, ...params } = {},
    cause = randomUUID(),
    sessionId,
    path,
    sender,
    inReplyTo,
  }: NewMail,
): Promise<void> {
  const { subscriberId, email } = reader;
  const key = `mail ${cause} ${template} ${email}`;
  if ((await tx.effect.count({ where: { subscriberId, key } })) > 0) return;
  const payload: PayloadOf<'mail'> = {
    template,
    to: email,
    name: personName(reader),
    locale: nearestLocale(reader.locale),
    params,
    ...sender,
    ...(path !== undefined ? { path } : {}),
    ...(inReplyTo ? { inReplyTo } : {}),
    ...(link ? { linkSecretId: await keepSecret(tx, keys, { subscriberId, purpose: linkPurpose, text: link }) } : {}),
  };
  await enqueueEffect(tx, { kind: 'mail', key, payload, subscriberId, sessionId });
}
