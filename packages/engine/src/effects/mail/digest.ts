import type { ComposedMail, GatheredMessage } from '@pdf2press/mail';
import { composeDigest } from '@pdf2press/mail';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import type { PayloadOf } from '../catalogue.ts';
import { enqueueEffect } from '../enqueue.ts';

type Payload = PayloadOf<'mail'>;

/** So many messages are in one digest; what comes then begins the next. */
const mostGathered = 100;

/** What its reader's digest says of a message is kept with it as `remote_ref`. */
export const gatheredRef = 'gathered';

export interface ToGather {
  key: string;
  sessionId: string;
  payload: Payload & { content: ComposedMail };
  /** What is gathered together, for the same address. */
  of: string;
  brand: { name: string; color: string | null };
  shown: Omit<GatheredMessage, 'subject'>;
  due: Date;
}

/** The digest that still gathers, locked, so that no worker begins to send it before this transaction has ended. */
async function openDigest(tx: Transaction, of: string): Promise<string | undefined> {
  // One at a time: two that find none would begin two.
  await tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended('digest ' || current_subscriber() || ${of}, 0))::text`;
  const [open] = await tx.$queryRaw<{ key: string }[]>`
    select key from effects
     where kind = 'mail' and state = 'Pending' and attempt = 0 and next_at > clock_timestamp()
       and payload #>> '{digest,of}' = ${of} and jsonb_array_length(payload #> '{digest,items}') < ${mostGathered}
     order by next_at limit 1 for update`;
  return open?.key;
}

/**
 * Keeps a message to be sent with others to its reader, in the transaction of its cause. It is an effect of its session,
 * with its text, that nobody carries out: the digest is an effect of its own, a mail like every other, sent once.
 */
export async function gather(tx: Transaction, { key, sessionId, payload, brand, shown, due, ...group }: ToGather) {
  const of = `${group.of} ${payload.to}`;
  if ((await tx.effect.count({ where: { key } })) > 0) return;
  const { content: _, event: __, shownTo: ___, shownCc: ____, ...common } = payload;
  const digest = (await openDigest(tx, of)) ?? `digest ${key}`;
  const gathered = { in: digest, paragraphs: shown.paragraphs, ...(shown.link && { link: shown.link }) };
  await enqueueEffect(tx, { kind: 'mail', key, sessionId, payload: { ...payload, gathered } });
  const kept = await tx.$executeRaw`
    update effects set state = 'Done', done_at = clock_timestamp(), remote_ref = ${gatheredRef} where key = ${key}`;
  // Of a trial nothing is recorded.
  if (kept === 0) return;
  await enqueueEffect(tx, {
    kind: 'mail',
    key: digest,
    notBefore: due,
    payload: { ...common, digest: { of, brand, items: [] } },
  });
  await tx.$executeRaw`
    update effects set payload = jsonb_set(payload, '{digest,items}', (payload #> '{digest,items}') || to_jsonb(${key}::text))
     where key = ${digest}`;
}

/** What a digest says: of sessions that are still there. Null when there are none. */
export async function digestContent(
  tx: Transaction,
  { digest, locale, logo }: Pick<Payload, 'digest' | 'locale' | 'logo'>,
): Promise<ComposedMail | null> {
  if (!digest) return null;
  const rows = await tx.effect.findMany({
    where: { key: { in: digest.items }, session: { deletedAt: null } },
    select: { key: true, payload: true },
  });
  const messages = digest.items.flatMap((key): GatheredMessage[] => {
    const row = rows.find((one) => one.key === key);
    const { content, gathered } = row ? storedAs<Payload>(row.payload) : {};
    return content && gathered ? [{ ...gathered, subject: content.subject }] : [];
  });
  if (messages.length === 0) return null;
  const brand = { ...digest.brand, logo: logo === undefined ? null : 'cid:logo' };
  return composeDigest({ messages, brand, locale });
}
