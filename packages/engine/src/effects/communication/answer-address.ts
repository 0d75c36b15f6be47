import { isAddress, type SmtpServer } from '@pdf2press/mail';
import type { Transaction } from '@pdf2press/prisma';
import { readSettings } from '../../secrets/settings.ts';
import { communicationOf, profileNow } from '../../sessions/announce.ts';
import { readBrand } from './brand.ts';

/**
 * Where people who were written to about a session can write to: where its communication profile says, else its organization,
 * else the sender of the messages. Null where none of them names an address.
 * @param hostServer the installation's mail server, whose sender it is where the subscriber has none
 */
export async function answerAddress(
  tx: Transaction,
  {
    subscriberId,
    sessionId,
    organizationId,
  }: { subscriberId: string; sessionId: string; organizationId: string | null },
  hostServer: SmtpServer | undefined,
): Promise<string | null> {
  const { snapshot } = await profileNow(tx, sessionId);
  const profile = snapshot && communicationOf(snapshot);
  const brand = await readBrand(tx, { subscriberId, organizationId, title: '' });
  const { smtpSettings } = await readSettings(tx, subscriberId);
  const server = smtpSettings.host ? smtpSettings : hostServer;
  const named = [profile?.replyTo, brand.replyTo, server?.senderEmail, server?.username];
  return named.find((address) => address && isAddress(address)) ?? null;
}
