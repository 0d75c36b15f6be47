import { newId, type Transaction } from '@pdf2press/prisma';
import { type EffectKind, effectContracts, type PayloadOf } from './catalogue.ts';

export interface NewEffect<Kind extends EffectKind> {
  kind: Kind;
  /**
   * An effect with a known key is not recorded again. The key names the cause and the target: `mail <step run> <template>
   * <recipient>`.
   */
  key: string;
  payload: PayloadOf<Kind>;
  sessionId?: string | undefined;
  /** A step that waits until the effect has ended. */
  stepRunId?: string;
  /** It is not carried out before; absent = as soon as a worker is free. */
  notBefore?: Date | null;
  /** Needed only in a transaction without a subscriber; otherwise the transaction's subscriber is taken. */
  subscriberId?: string;
}

/**
 * Records an effect in the transaction of its cause: if that commits, the effect will be carried out, otherwise never. Of a
 * session that is a trial nothing is recorded that is felt outside.
 * @throws ZodError when the payload does not fit the kind
 */
export async function enqueueEffect<Kind extends EffectKind>(
  tx: Transaction,
  { kind, key, payload, sessionId, stepRunId, notBefore, subscriberId }: NewEffect<Kind>,
): Promise<void> {
  const { limits, payload: schema, isForTrials = false } = effectContracts[kind];
  const checked = schema.parse(payload);
  await tx.$executeRaw`
    insert into effects (id, subscriber_id, key, kind, session_id, step_run_id, lane, payload, next_at)
    select ${newId('effect')}, coalesce(${subscriberId ?? null}::text, current_subscriber()), ${key}, ${kind},
           ${sessionId ?? null}, ${stepRunId ?? null},
           ${limits?.laneOf(checked) ?? null}, ${JSON.stringify(checked)}::jsonb,
           coalesce(${notBefore ?? null}::timestamptz, clock_timestamp())
     where ${isForTrials}
        or not exists (select 1 from sessions where id = ${sessionId ?? null} and is_trial)
    on conflict (subscriber_id, key) do nothing`;
  await tx.$queryRaw`select pg_notify('pdf2press_effects', '')::text`;
}

/** The state of an effect that somebody waits for: `dead` = it was given up, `code` = why. */
export interface AskedEffect {
  state: 'asked' | 'dead';
  code: string | null;
}

/**
 * Records an effect whose file somebody waits for, unless it is recorded already, and returns its state. One that was done
 * and whose file was removed since is done anew.
 * @param findMade the file; it is written in one transaction with the end of the effect
 */
export async function askForEffect<Kind extends EffectKind>(
  tx: Transaction,
  effect: NewEffect<Kind>,
  findMade: (tx: Transaction) => Promise<object | null | undefined>,
): Promise<AskedEffect> {
  await enqueueEffect(tx, effect);
  const isDone = (await tx.effect.count({ where: { key: effect.key, state: 'Done' } })) > 0;
  if (isDone && !(await findMade(tx))) {
    // Its patience begins anew as well.
    await tx.$executeRaw`
      update effects set state = 'Pending', attempt = 0, unknown_count = 0, done_at = null, last_error = null, progress = null,
                         next_at = clock_timestamp(), created_at = clock_timestamp()
       where key = ${effect.key} and state = 'Done'`;
    await tx.$queryRaw`select pg_notify('pdf2press_effects', '')::text`;
  }
  const { state, lastError } = await tx.effect.findFirstOrThrow({
    where: { key: effect.key },
    select: { state: true, lastError: true },
  });
  return { state: state === 'Dead' ? 'dead' : 'asked', code: lastError };
}
