import { FileFaultError } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import { interval } from './claim-step.ts';
import type { EngineDeps } from './deps.ts';
import { LostStepError } from './record-result.ts';
import { backoff, classOf } from './retry.ts';

/** Something to be done to the outside, or beside the workflow: recorded with its cause, done later, shown when dead. */
export interface NewEffect {
  /** The same key is done once; names the cause and the target: `mail <step run> <template> <recipient>`. */
  key: string;
  kind: string;
  sessionId?: string;
  payload: Record<string, unknown>;
}

/** Records an effect in the transaction of its cause. */
export async function recordEffect(tx: Transaction, { key, kind, sessionId, payload }: NewEffect): Promise<void> {
  await tx.$executeRaw`
    insert into effects (id, key, kind, session_id, payload)
    values (${newId('effect')}, ${key}, ${kind}, ${sessionId ?? null}, ${JSON.stringify(payload)}::jsonb)
    on conflict (subscriber_id, key) do nothing`;
  await tx.$queryRaw`select pg_notify('pdf2press_effects', '')::text`;
}

export interface ClaimedEffect {
  id: string;
  subscriberId: string;
  sessionId: string | null;
  key: string;
  kind: string;
  payload: Record<string, unknown>;
  attempt: number;
  epoch: number;
  /** An earlier try ended without its outcome being known: it may have been done. */
  wasUnknown: boolean;
  /** Milliseconds since it was recorded. */
  age: number;
}

export interface EffectDone {
  /** What the other side calls it. */
  remoteRef?: string;
  /** Written in the transaction that marks the effect as done. */
  commit?: (tx: Transaction) => Promise<void>;
}

export interface EffectHandler {
  /** Must end within this time; past it another worker may try. */
  leaseMs: number;
  /** Whether it may be done again when the first outcome is unknown; if not, it is tried once more at most. */
  isRepeatable: boolean;
  /** After this long of failures it is dead, and shown with a retry. */
  patienceMs: number;
  run(effect: ClaimedEffect, signal: AbortSignal): Promise<EffectDone>;
}
export type EffectHandlers = Readonly<Record<string, EffectHandler>>;

/** Takes due effects, and those whose worker was lost while at it. */
export function claimEffects(deps: EngineDeps, handlers: EffectHandlers, count: number): Promise<ClaimedEffect[]> {
  const kinds = Object.keys(handlers);
  const leases = Object.values(handlers).map(({ leaseMs }) => leaseMs / 1000);
  return deps.database.asHost(
    (tx) => tx.$queryRaw<ClaimedEffect[]>`
      with due as (
        select id, state from effects
         where kind = any (${kinds}::text[])
           and ((state = 'Pending' and next_at <= clock_timestamp()) or (state = 'Sending' and lease_until < clock_timestamp()))
         order by next_at limit ${count} for update skip locked)
      update effects effect
         set state = 'Sending', epoch = effect.epoch + 1, attempt = effect.attempt + 1,
             was_unknown = effect.was_unknown or due.state = 'Sending',
             lease_until = clock_timestamp() + make_interval(secs => lease.seconds)
        from due, unnest(${kinds}::text[], ${leases}::float8[]) as lease (kind, seconds)
       where effect.id = due.id and lease.kind = effect.kind
      returning effect.id, effect.subscriber_id as "subscriberId", effect.session_id as "sessionId", effect.key, effect.kind,
                effect.payload, effect.attempt, effect.epoch, effect.was_unknown as "wasUnknown",
                (extract(epoch from clock_timestamp() - effect.created_at) * 1000)::float8 as age`,
  );
}

async function finish(deps: EngineDeps, effect: ClaimedEffect, done: EffectDone): Promise<void> {
  await deps.database.withSubscriber({ subscriberId: effect.subscriberId }, async (tx) => {
    const written = await tx.$executeRaw`
      update effects set state = 'Done', done_at = clock_timestamp(), lease_until = null, last_error = null,
                         remote_ref = ${done.remoteRef ?? null}
       where id = ${effect.id} and epoch = ${effect.epoch} and state = 'Sending'`;
    if (written === 0) throw new LostStepError();
    await done.commit?.(tx);
  });
}

const firstPause = 5_000;
const longestPause = 15 * 60_000;

async function putBack(deps: EngineDeps, effect: ClaimedEffect, error: unknown, isDead: boolean): Promise<void> {
  const pause = interval(backoff(firstPause, effect.attempt - 1, longestPause) * (0.75 + Math.random() / 2));
  const text = error instanceof FileFaultError ? error.code : error instanceof Error ? error.message : String(error);
  await deps.database.withSubscriber(
    { subscriberId: effect.subscriberId },
    (tx) => tx.$executeRaw`
      update effects set state = ${isDead ? 'Dead' : 'Pending'}::effect_state, lease_until = null,
                         last_error = ${text.slice(0, 2000)}, next_at = clock_timestamp() + ${pause}
       where id = ${effect.id} and epoch = ${effect.epoch} and state = 'Sending'`,
  );
}

/** Does one effect. What was tried before with an unknown outcome is repeated only where that does no harm, or once. */
export async function deliverEffect(
  deps: EngineDeps,
  effect: ClaimedEffect,
  handler: EffectHandler,
  stopped: AbortSignal,
): Promise<void> {
  const maxUnknownTries = 2;
  if (effect.wasUnknown && !handler.isRepeatable && effect.attempt > maxUnknownTries) {
    await putBack(deps, effect, new Error('unknown outcome'), true);
    return;
  }
  const signal = AbortSignal.any([AbortSignal.timeout(handler.leaseMs), stopped]);
  try {
    await finish(deps, effect, await handler.run(effect, signal));
  } catch (error) {
    if (error instanceof LostStepError) return;
    const isFinal = error instanceof FileFaultError && classOf(error.code) !== 'remote';
    deps.log?.({
      level: 'warn',
      event: 'effect.failed',
      data: { effect: effect.id, kind: effect.kind, attempt: effect.attempt },
      error,
    });
    await putBack(deps, effect, error, isFinal || effect.age > handler.patienceMs);
  }
}
