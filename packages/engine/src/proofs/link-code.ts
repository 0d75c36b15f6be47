import { createHmac, timingSafeEqual } from 'node:crypto';
import { nearestLocale } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import type { InstanceKeys } from '../secrets/instance-key.ts';
import type { LinkName } from './link.ts';

/** How long a code can be entered. */
const minutes = 10;
/** Codes that are entered in vain before another has to be asked for: five of a million. */
const mostTries = 5;
/**
 * Whoever asks again within so many seconds has clicked twice: the code that is under way stays the only one, unless it was tried
 * too often.
 */
const pauseSeconds = 20;

/** A code by its number; asking again gives the next number. */
export interface LinkCodeName extends LinkName {
  codeNo: number;
}

/** Of a six-byte number the remainder by a million is even enough: no code is likelier than another by more than 1 in 10^8. */
const codeOf = (keys: InstanceKeys, { recipientId, no, codeNo }: LinkCodeName): string => {
  const bytes = createHmac('sha256', keys.derive('proof codes')).update(`${recipientId} ${no} ${codeNo}`).digest();
  return String(bytes.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
};

/**
 * Has a code mailed to the recipient of a link. It is made of the installation's key when the message is sent, so that neither
 * it nor a hash of it, which a million guesses would open, is stored.
 */
export async function sendLinkCode(
  deps: EngineDeps,
  context: SubscriberContext,
  { recipientId }: { recipientId: string },
): Promise<void> {
  await deps.database.withSubscriber(context, async (tx) => {
    const [row] = await tx.$queryRaw<
      { no: number; codeNo: number; email: string; name: string; locale: string; sessionId: string; file: string }[]
    >`
      update proof_recipients recipient
         set code_no = code_no + 1, code_asked_at = clock_timestamp(), code_tries = 0
        from sessions session
       where recipient.id = ${recipientId} and session.subscriber_id = recipient.subscriber_id
         and session.id = recipient.session_id
         and (coalesce(code_asked_at < clock_timestamp() - make_interval(secs => ${pauseSeconds}), true)
              or code_tries >= ${mostTries})
      returning link_no as no, code_no as "codeNo", email, recipient.name, recipient.locale, session_id as "sessionId",
                session.file_name as file`;
    if (!row) return;
    const { no, codeNo, email, name, locale, sessionId, file } = row;
    await enqueueEffect(tx, {
      kind: 'mail',
      key: `mail ${recipientId} proofCode ${codeNo}`,
      sessionId,
      payload: {
        template: 'proofCode',
        to: email,
        name: name || email,
        locale: nearestLocale(locale),
        params: { file, minutes },
        proofCode: { recipientId, no, codeNo },
      },
    });
  });
}

/** The code of a message that is about to be sent; undefined when it cannot be entered any more. */
export async function codeToSend(tx: Transaction, keys: InstanceKeys, name: LinkCodeName): Promise<string | undefined> {
  const valid = await tx.$queryRaw<unknown[]>`
    select 1 from proof_recipients
     where id = ${name.recipientId} and link_no = ${name.no} and code_no = ${name.codeNo} and link_revoked_at is null
       and code_asked_at > clock_timestamp() - make_interval(mins => ${minutes})`;
  return valid.length > 0 ? codeOf(keys, name) : undefined;
}

/**
 * Whether this is the newest code that was mailed to the recipient of a link. It is good for one use; why another is not is told
 * to nobody.
 */
export const useLinkCode = (
  deps: EngineDeps,
  context: SubscriberContext,
  { recipientId, code, keys }: { recipientId: string; code: string; keys: InstanceKeys },
): Promise<boolean> =>
  deps.database.withSubscriber(context, async (tx) => {
    // The row stays locked until the code is used up: of two requests at once, one is right.
    const [row] = await tx.$queryRaw<{ no: number; codeNo: number }[]>`
      update proof_recipients set code_tries = code_tries + 1
       where id = ${recipientId} and code_tries < ${mostTries}
         and code_asked_at > clock_timestamp() - make_interval(mins => ${minutes})
      returning link_no as no, code_no as "codeNo"`;
    const right = Buffer.from(codeOf(keys, { recipientId, ...(row ?? { no: 0, codeNo: 0 }) }));
    const given = Buffer.from(code.replace(/\s/g, ''));
    const isRight = given.length === right.length && timingSafeEqual(given, right);
    if (!row || !isRight) return false;
    await tx.$executeRaw`update proof_recipients set code_asked_at = null where id = ${recipientId}`;
    return true;
  });
