import type { SubscriberContext } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { interval } from '../postgres/interval.ts';
import { pauseAfter } from '../sources/inlets.ts';
import { announceRefusal, type Refused } from './announce-refusal.ts';

/** A file that was seen and not taken. */
export interface NotTaken extends Refused {
  /** `Rejected`: never tried again by itself. `Retry`: it will be tried again. */
  state: 'Rejected' | 'Retry';
}

/**
 * Records a file that was seen and not taken, so that every skipped file can be traced, and announces a refusal for good. A file
 * that was accepted stays accepted. A file to be tried again gets a due time, later with each try.
 */
export const noteNotTaken = (deps: EngineDeps, context: SubscriberContext, item: NotTaken): Promise<unknown> =>
  deps.database.withSubscriber(context, async (tx) => {
    const ingest = { sourceKind: item.kind, sourceKey: item.key };
    const before = await tx.ingestItem.findFirst({ where: ingest, select: { attempts: true } });
    const pause = pauseAfter((before?.attempts ?? 0) + 1);
    const noted = await tx.$executeRaw`
      insert into ingest_items (source_kind, source_key, state, reason, reason_params, name, size, way, source_name, attempts,
                                next_at)
      values (${item.kind}, ${item.key}, ${item.state}::ingest_state, ${item.reason}, ${JSON.stringify(item.params)}::jsonb,
              ${item.name}, ${item.size}::bigint, ${item.way}, ${item.sourceName}, 1,
              case when ${item.state} = 'Retry' then clock_timestamp() + ${interval(pause)} end)
      on conflict (subscriber_id, source_kind, source_key)
        do update set state = excluded.state, reason = excluded.reason, reason_params = excluded.reason_params,
                      name = excluded.name, size = excluded.size, way = excluded.way, source_name = excluded.source_name,
                      attempts = ingest_items.attempts + 1, next_at = excluded.next_at, asked_at = null,
                      updated_at = clock_timestamp()
        where ingest_items.state <> 'Accepted'`;
    if (noted > 0 && item.state === 'Rejected') await announceRefusal(tx, item);
  });
