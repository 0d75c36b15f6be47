import type { Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';

/** A webhook switches itself off after so many tries in a row that failed, the first of them at least so many hours ago. */
export const webhookEnds = { failures: 20, hours: 24 } as const;

/** Of a webhook: where its calls go and what signs them now. */
export interface StandingWebhook {
  url: string;
  isOn: boolean;
  /** Ids of stored secrets: its own, and the one before as long as that holds. */
  secretIds: string[];
}

/** A webhook as it is now, so that what waits goes to the address and is signed with the secret of today; null = there is none. */
export async function readWebhook(tx: Transaction, id: string): Promise<StandingWebhook | null> {
  const [row] = await tx.$queryRaw<StandingWebhook[]>`
    select url, is_on as "isOn",
           array_remove(array[secret_id, case when old_secret_until > clock_timestamp() then old_secret_id end], null)
             as "secretIds"
      from webhooks where id = ${id}`;
  return row ?? null;
}

/** Notes that a call was taken, in the transaction that marks it as done: the run of failures is over. */
export async function noteTaken(tx: Transaction, id: string): Promise<void> {
  await tx.$executeRaw`
    update webhooks set failures = 0, failing_since = null where id = ${id} and failures > 0`;
}

/** Notes a try that failed. After too many in a row the webhook is off, until a person switches it on. */
export async function noteFailed(
  deps: EngineDeps,
  { subscriberId, id }: { subscriberId: string; id: string },
): Promise<void> {
  const { failures, hours } = webhookEnds;
  await deps.database.withSubscriber(
    { subscriberId },
    (tx) => tx.$executeRaw`
      with ending as (
        select id, failures + 1 >= ${failures}::int
                   and failing_since < clock_timestamp() - make_interval(hours => ${hours}::int) as is_over
          from webhooks where id = ${id} and is_on for update)
      update webhooks webhook
         set failures = webhook.failures + 1, failing_since = coalesce(webhook.failing_since, clock_timestamp()),
             is_on = ending.is_over is not true,
             disabled_at = case when ending.is_over then clock_timestamp() end
        from ending where webhook.id = ending.id`,
  );
}
