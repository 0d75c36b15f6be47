import type { SystemSettings } from '@pdf2press/contract';
import { queueAccountMail, type Reader } from '@pdf2press/engine';
import type { Transaction } from '@pdf2press/prisma';
import { makeLink, minutesOf } from '../auth/links.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Sends a new user the link to choose a password, unless the house sends none. Resolves to the link where nobody would get
 * the message: then whoever made the account passes it on.
 */
export async function sendActivation(
  tx: Transaction,
  deps: ApiDeps,
  { userSettings, smtpSettings }: Pick<SystemSettings, 'userSettings' | 'smtpSettings'>,
  reader: Reader & { id: string },
): Promise<string | null> {
  if (!userSettings.sendActivationEmail) return null;
  const { id: userId, subscriberId } = reader;
  const link = await makeLink(deps, tx, { purpose: 'activation', subscriberId, userId });
  const minutes = minutesOf('activation');
  await queueAccountMail(
    tx,
    { deps: deps.engine, keys: deps.keys },
    { event: 'UserActivation', reader, link: { url: link, minutes } },
  );
  return smtpSettings.host || deps.mail.hostServer ? null : link;
}
