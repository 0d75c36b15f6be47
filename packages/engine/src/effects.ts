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
  /** Given where the transaction is the host's. */
  subscriberId?: string;
}

/** Records an effect in the transaction of its cause. */
export async function recordEffect(tx: Transaction, effect: NewEffect): Promise<void> {
  const { key, kind, sessionId = null, payload, subscriberId = null } = effect;
  await tx.$executeRaw`
    insert into effects (id, subscriber_id, key, kind, session_id, payload)
    values (${newId('effect')}, coalesce(${subscriberId}::text, current_subscriber()), ${key}, ${kind}, ${sessionId},
            ${JSON.stringify(payload)}::jsonb)
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
  /** Earlier tries that ended without their outcome being known: it may have been done. */
  unknownCount: number;
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
  /** Written in the transaction that gives the effect up. */
  onDead?(tx: Transaction, effect: ClaimedEffect): Promise<void>;
}

/** A try that failed in a way that the handler knows more about than that it failed. */
export class EffectError extends Error {
  override readonly name = 'EffectError';
  /** Trying again is of no use. */
  readonly isFinal: boolean;
  /** It may have been done. */
  readonly isUnknown: boolean;
  constructor(message: string, about: { isFinal?: boolean; isUnknown?: boolean; cause?: unknown }) {
    super(message, { cause: about.cause });
    this.isFinal = about.isFinal ?? false;
    this.isUnknown = about.isUnknown ?? false;
  }
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
             unknown_count = effect.unknown_count + (due.state = 'Sending')::int,
             lease_until = clock_timestamp() + make_interval(secs => lease.seconds)
        from due, unnest(${kinds}::text[], ${leases}::float8[]) as lease (kind, seconds)
       where effect.id = due.id and lease.kind = effect.kind
      returning effect.id, effect.subscriber_id as "subscriberId", effect.session_id as "sessionId", effect.key, effect.kind,
                effect.payload, effect.attempt, effect.epoch, effect.unknown_count as "unknownCount",
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
/** What may not be repeated is repeated once after an unknown outcome, and never after a second one (P13). */
const maxUnknown = 1;

interface Failed {
  reason: string;
  isUnknown: boolean;
  isDead: boolean;
}

async function putBack(
  deps: EngineDeps,
  effect: ClaimedEffect,
  handler: EffectHandler,
  { reason, isUnknown, isDead }: Failed,
): Promise<void> {
  const pause = interval(backoff(firstPause, effect.attempt - 1, longestPause) * (0.75 + Math.random() / 2));
  await deps.database.withSubscriber({ subscriberId: effect.subscriberId }, async (tx) => {
    const written = await tx.$executeRaw`
      update effects set state = ${isDead ? 'Dead' : 'Pending'}::effect_state, lease_until = null,
                         unknown_count = unknown_count + ${isUnknown ? 1 : 0},
                         last_error = ${reason.slice(0, 2000)}, next_at = clock_timestamp() + ${pause}
       where id = ${effect.id} and epoch = ${effect.epoch} and state = 'Sending'`;
    if (isDead && written === 1) await handler.onDead?.(tx, effect);
  });
}

/** What an error says about the try it ended. */
function aboutOf(error: unknown): { reason: string; isFinal: boolean; isUnknown: boolean } {
  if (error instanceof EffectError)
    return { reason: error.message, isFinal: error.isFinal, isUnknown: error.isUnknown };
  if (error instanceof FileFaultError)
    return { reason: error.code, isFinal: classOf(error.code) !== 'remote', isUnknown: false };
  return { reason: error instanceof Error ? error.message : String(error), isFinal: false, isUnknown: false };
}

/** Does one effect. What was tried before with an unknown outcome is repeated only where that does no harm, or once. */
export async function deliverEffect(
  deps: EngineDeps,
  effect: ClaimedEffect,
  handler: EffectHandler,
  stopped: AbortSignal,
): Promise<void> {
  if (effect.unknownCount > maxUnknown && !handler.isRepeatable) {
    await putBack(deps, effect, handler, { reason: 'unknown outcome', isUnknown: false, isDead: true });
    return;
  }
  const signal = AbortSignal.any([AbortSignal.timeout(handler.leaseMs), stopped]);
  try {
    await finish(deps, effect, await handler.run(effect, signal));
  } catch (error) {
    if (error instanceof LostStepError) return;
    const { id, kind, attempt, unknownCount, age } = effect;
    deps.log?.({ level: 'warn', event: 'effect.failed', data: { effect: id, kind, attempt }, error });
    const { isFinal, isUnknown, reason } = aboutOf(error);
    const isExhausted = isUnknown && !handler.isRepeatable && unknownCount >= maxUnknown;
    const isDead = isFinal || isExhausted || age > handler.patienceMs;
    await putBack(deps, effect, handler, { reason, isUnknown, isDead });
  }
}

/** Delivers what is due now, a few at a time; resolves to how many were tried. */
export async function deliverDue(
  deps: EngineDeps,
  handlers: EffectHandlers,
  { count, stopped }: { count: number; stopped: AbortSignal },
): Promise<number> {
  const taken = await claimEffects(deps, handlers, count);
  await Promise.all(
    taken.map(async (effect) => {
      const handler = handlers[effect.kind];
      if (handler) await deliverEffect(deps, effect, handler, stopped);
    }),
  );
  return taken.length;
}

/**
 * Tries a dead effect once more, for a person who has put right what was wrong.
 * @returns whether there was such an effect
 */
export async function retryEffect(tx: Transaction, { id, kind }: { id: string; kind: string }): Promise<boolean> {
  const written = await tx.$executeRaw`
    update effects set state = 'Pending', next_at = clock_timestamp(), unknown_count = 0
     where id = ${id} and kind = ${kind} and state = 'Dead'`;
  if (written > 0) await tx.$queryRaw`select pg_notify('pdf2press_effects', '')::text`;
  return written > 0;
}
