import { type SubscriberContext, storedAs, type Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import { noteRefused } from '../../proofs/refused.ts';
import type { PayloadOf } from '../catalogue.ts';
import { giveUpDelivery } from '../delivery/returned.ts';
import { notifyHolders } from '../notify-holders.ts';
import type { BouncedMail } from './bounced-mail.ts';
import { mailEffect } from './contract.ts';

/** Clocks of servers may differ by so much. */
const clockMinutes = 60;

/** The effect that wrote a message; a delivery writes one to each of its recipients, with a sign of its own behind the dot. */
const idOf = (messageId: string): string | undefined =>
  /^<(eff_[^@\s.]+)(?:\.[0-9a-f]+)?@pdf2press>$/.exec(messageId)?.[1];

/** A report about somebody else says nothing of a message: anybody may have written it. */
const isOf = (addresses: readonly string[], to: string): boolean =>
  addresses.some((address) => address.toLowerCase() === to.toLowerCase());

/** Gives a sent message up, as if its server had refused it at once; whoever cares for that is told. */
async function giveUpMail(tx: Transaction, id: string, { addresses, said, at }: BouncedMail): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ sessionId: string | null; payload: PayloadOf<'mail'> }[]>`
    select session_id as "sessionId", payload from effects
     where id = ${id} and kind = 'mail' and state = 'Done' and remote_ref = 'sent'
       and done_at < ${at}::timestamptz + make_interval(mins => ${clockMinutes}::int)
       for update`;
  const { to, template, proofLink, proofCode } = row ? storedAs<PayloadOf<'mail'>>(row.payload) : {};
  if (!row || to === undefined || template === undefined || !isOf(addresses, to)) return false;
  await tx.$executeRaw`update effects set state = 'Dead', last_error = ${said || 'undelivered'} where id = ${id}`;
  const asked = proofLink ?? proofCode;
  if (asked) await noteRefused(tx, { ...asked, email: to });
  const data = { to, template, ...(row.sessionId !== null && { sessionId: row.sessionId }) };
  const { tells } = mailEffect;
  if (tells) await notifyHolders(tx, tells, { kind: 'mail.dead', data, cause: id });
  return true;
}

async function giveUp(tx: Transaction, bounce: BouncedMail): Promise<boolean> {
  const id = idOf(bounce.messageId);
  if (id === undefined) return false;
  return (await giveUpMail(tx, id, bounce)) || giveUpDelivery(tx, id, bounce);
}

/**
 * Notes of messages that they came back. The same report again, one about a message that is sent again since, and one that
 * names another recipient change nothing. Resolves to how many were given up.
 */
export const noteBounces = (
  deps: EngineDeps,
  context: SubscriberContext,
  bounces: readonly BouncedMail[],
): Promise<number> =>
  deps.database.withSubscriber(context, async (tx) => {
    let noted = 0;
    for (const bounce of bounces) noted += (await giveUp(tx, bounce)) ? 1 : 0;
    return noted;
  });
