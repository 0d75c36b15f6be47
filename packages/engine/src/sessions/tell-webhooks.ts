import type { MessageEvent } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { Happened } from '../effects/communication/contract.ts';
import { enqueueEffect } from '../effects/enqueue.ts';

interface Told {
  key: string;
  event: MessageEvent;
  sessionId?: string;
  about: Omit<Happened, 'event' | 'profileId' | 'asked' | 'at' | 'webhookIds'>;
}

/**
 * Records an event for the subscriber's webhooks that are about it, in the transaction of its cause. Where there are none,
 * nothing. `at` is the time of the database to the microsecond: of two events of one session the later one has the greater.
 */
export async function tellWebhooks(tx: Transaction, { key, event, sessionId, about }: Told): Promise<void> {
  const [found] = await tx.$queryRaw<{ at: string; webhookIds: string[] }[]>`
    select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
           array(select id from webhooks
                  where subscriber_id = current_subscriber() and is_on and ${event}::text = any (events) order by id)
             as "webhookIds"`;
  if (!found || found.webhookIds.length === 0) return;
  await enqueueEffect(tx, {
    kind: 'communication',
    key: `webhooks ${key}`,
    sessionId,
    payload: { ...about, event, profileId: null, at: found.at, webhookIds: found.webhookIds },
  });
}
