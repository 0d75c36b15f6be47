import type { Transaction } from '@pdf2press/prisma';
import { deliveryRequestSchema } from '@pdf2press/steps/contracts';
import { retryEffect } from '../deliver.ts';
import { enqueueEffect } from '../enqueue.ts';

/**
 * Sends a file once more, as a person asks: one that was given up is tried again under its key; one that was delivered
 * goes out again under a new one. Asked again before that has arrived, it goes out once.
 * @returns false where there is no such delivery, or it is still under way
 */
export async function resendDelivery(
  tx: Transaction,
  { sessionId, id }: { sessionId: string; id: string },
): Promise<boolean> {
  const effect = await tx.effect.findFirst({ where: { id, sessionId, kind: 'delivery' } });
  if (!effect) return false;
  if (effect.state === 'Dead') return retryEffect(tx, { id, kind: 'delivery' });
  if (effect.state !== 'Done') return false;
  const payload = { ...deliveryRequestSchema.parse(effect.payload), maxTries: null };
  const key = `${effect.key} again`;
  const before = await tx.effect.findMany({ where: { key: { startsWith: key } }, select: { state: true } });
  // Whoever asks again while the file is on its way gets that one.
  const isOnItsWay = before.some(({ state }) => state === 'Pending' || state === 'Sending');
  if (!isOnItsWay)
    await enqueueEffect(tx, { kind: 'delivery', key: `${key} ${before.length + 1}`, payload, sessionId });
  return true;
}
