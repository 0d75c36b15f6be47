import { createHash } from 'node:crypto';
import { problem, type WayIn, wayOfSource } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { PayloadOf } from '../catalogue.ts';
import { retryEffect } from '../deliver.ts';
import { enqueueEffect } from '../enqueue.ts';

/** The kind of source under which files are known that a program hands in, whether it sends them or names their address. */
export const fetchSource = 'api';

/** Of the effect that fetches the file of a delivery. */
export const fetchKeyOf = (ingestKey: string): string => `fetch ${ingestKey}`;

export type AskedFile = Omit<PayloadOf<'fetch'>, 'addressHash' | 'host'>;

/**
 * Writes down that a file is to be fetched from its address: if the transaction commits, it is fetched, whatever crashes. Asked
 * for with a known key it is not fetched twice; one that was given up is tried again.
 * @param isHere its session is known: only whether the address is the same is looked at
 * @returns whether it was asked for before
 * @throws ProblemError `delivery.differs` where the key is that of another address
 */
export async function askForFile(
  tx: Transaction,
  file: AskedFile,
  { isHere = false }: { isHere?: boolean } = {},
): Promise<{ isDuplicate: boolean }> {
  const key = fetchKeyOf(file.ingestKey);
  const addressHash = createHash('sha256').update(file.fileUrl).digest('hex');
  const before = await tx.effect.findFirst({ where: { key, kind: 'fetch' } });
  if (before) {
    if ((before.payload as { addressHash?: unknown }).addressHash !== addressHash)
      throw problem('delivery.differs', {}, 'Idempotency-Key');
    if (!isHere) await fetchAgain(tx, file.ingestKey);
    return { isDuplicate: true };
  }
  // What came by its bytes is not fetched as well.
  if (isHere) return { isDuplicate: true };
  const { host } = new URL(file.fileUrl);
  await enqueueEffect(tx, { kind: 'fetch', key, payload: { ...file, addressHash, host } });
  const way: WayIn = file.way ?? wayOfSource[file.source];
  await tx.$executeRaw`
    insert into ingest_items (source_kind, source_key, state, name, way, source_name, attempts)
    values (${fetchSource}, ${file.ingestKey}, 'Retry', ${file.fileName ?? host}, ${way},
            ${[file.sourceName, file.externalId].filter(Boolean).join(' · ')}, 0)
    on conflict (subscriber_id, source_kind, source_key)
      do update set state = 'Retry', reason = null, reason_params = null, next_at = null, updated_at = clock_timestamp()
      where ingest_items.state <> 'Accepted'`;
  return { isDuplicate: false };
}

/** Lets a file that was refused or waits be fetched at once; nothing for one that has no address. */
export async function fetchAgain(tx: Transaction, ingestKey: string): Promise<void> {
  const effect = await tx.effect.findFirst({ where: { key: fetchKeyOf(ingestKey), kind: 'fetch' } });
  if (effect?.state === 'Dead') {
    await retryEffect(tx, { id: effect.id, kind: 'fetch' });
    await tx.$executeRaw`
      update ingest_items set state = 'Retry', next_at = clock_timestamp()
       where source_kind = ${fetchSource} and source_key = ${ingestKey} and state = 'Rejected'`;
  } else if (effect?.state === 'Pending') {
    await tx.$executeRaw`
      update effects set next_at = clock_timestamp() where id = ${effect.id} and state = 'Pending'`;
    await tx.$queryRaw`select pg_notify('pdf2press_effects', '')::text`;
  }
}
