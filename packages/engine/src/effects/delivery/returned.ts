import { storedAs, type Transaction, toJson } from '@pdf2press/prisma';
import { writeEvents } from '../../sessions/events.ts';
import { lockSession } from '../../sessions/session-row.ts';
import type { PayloadOf } from '../catalogue.ts';
import type { BouncedMail } from '../mail/bounced-mail.ts';
import { notifyHolders } from '../notify-holders.ts';
import { deliveryEffect } from './contract.ts';
import { readTargetName } from './open-target.ts';

interface Row {
  sessionId: string | null;
  key: string;
  payload: PayloadOf<'delivery'>;
  progress: { sentTo?: readonly string[] } | null;
  answer: { code?: string; params?: { to?: string } } | null;
}

/** Clocks of servers may differ by so much. */
const clockMinutes = 60;

/**
 * Gives a delivery up whose mail came back: sent again, it goes to those alone to whom it did not get. Only addresses to
 * which it was written count, so that the same report again changes nothing.
 * @returns whether there was such a delivery
 */
export async function giveUpDelivery(
  tx: Transaction,
  id: string,
  { addresses, said, at }: Omit<BouncedMail, 'messageId'>,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<Row[]>`
    select session_id as "sessionId", key, payload, progress, answer from effects
     where id = ${id} and kind = 'delivery' and state in ('Done', 'Dead')
       and coalesce(done_at, created_at) < ${at}::timestamptz + make_interval(mins => ${clockMinutes}::int)
       for update`;
  const sentTo = row?.progress?.sentTo ?? [];
  const returned = sentTo.filter((to) => addresses.some((address) => address.toLowerCase() === to.toLowerCase()));
  if (!row || returned.length === 0) return false;
  const { targetId, name, runNo } = storedAs<PayloadOf<'delivery'>>(row.payload);
  const target = await readTargetName(tx, targetId);
  // Several may come back, one after the other.
  const before = row.answer?.code === 'delivery.mailReturned' ? (row.answer.params?.to ?? '') : '';
  const to = [...before.split(', ').filter(Boolean), ...returned].join(', ');
  const answer = { code: 'delivery.mailReturned', params: { to, text: said }, target };
  const left = { sentTo: sentTo.filter((each) => !returned.includes(each)) };
  await tx.$executeRaw`
    update effects set state = 'Dead', last_error = ${`delivery.mailReturned ${said}`.trim()}, done_at = null,
                       answer = ${JSON.stringify(answer)}::jsonb, progress = ${JSON.stringify(toJson(left))}::jsonb
     where id = ${id}`;
  const session = row.sessionId === null ? undefined : await lockSession(tx, row.sessionId);
  if (!session || session.isDeleted) return true;
  const data = { name, target };
  const cause = `${row.key} returned ${returned.join(' ')} ${at.toISOString()}`;
  await writeEvents(tx, [{ sessionId: session.id, runNo, kind: 'DeliveryFailed', cause, data }]);
  await notifyHolders(tx, deliveryEffect.tells ?? 'delivery.view', {
    kind: 'delivery.dead',
    data: { file: name, target, sessionId: session.id },
    cause: id,
  });
  return true;
}
