import { FileFaultError } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { failpoint } from '../failpoint.ts';
import { interval } from '../postgres/interval.ts';
import { backoff, classOf } from '../retry.ts';
import { traced } from '../tracing.ts';
import { wakeStep } from '../waits/wake-step.ts';
import { type EffectKind, effectContracts, isEffectKind } from './catalogue.ts';
import { type ClaimedRow, claimEffects } from './claim-effects.ts';
import { notifyHolders } from './notify-holders.ts';
import { LostEffectError } from './progress.ts';
import { type ClaimedEffect, type EffectDone, EffectError, type EffectRun, type EffectRuns } from './run.ts';

const jsonOf = (answer: unknown): string | null => (answer === undefined ? null : JSON.stringify(answer));

async function finish(deps: EngineDeps, effect: ClaimedEffect, done: EffectDone): Promise<void> {
  await deps.database.withSubscriber({ subscriberId: effect.subscriberId }, async (tx) => {
    const written = await tx.$executeRaw`
      update effects set state = 'Done', done_at = clock_timestamp(), lease_until = null, last_error = null,
                         remote_ref = ${done.remoteRef ?? null}, answer = ${jsonOf(done.answer)}::jsonb
       where id = ${effect.id} and epoch = ${effect.epoch} and state = 'Sending'`;
    if (written === 0) throw new LostEffectError();
    await done.commit?.(tx);
    await wakeStep(tx, effect);
    failpoint('insideEffectCommit');
  });
}

const firstPause = 5_000;
const longestPause = 15 * 60_000;
/** How many tries with unknown outcome a `repeatOnce` effect may have and still be tried again. */
const maxUnknown = 1;

interface Failed {
  reason: string;
  isUnknown: boolean;
  isDead: boolean;
  answer?: unknown;
}

/** Records a failed try; `onDead` runs in the same transaction when the effect is given up. */
async function putBack(
  deps: EngineDeps,
  effect: Omit<ClaimedRow, 'payload'> & { heldUntil?: (at: Date) => Date | null },
  { reason, isUnknown, isDead, answer }: Failed,
  onDead: (tx: Transaction) => Promise<void>,
): Promise<void> {
  // Varied at random by up to a quarter, so that effects that failed together are not all tried again together.
  const pause = backoff(firstPause, effect.attempt - 1, longestPause) * (0.75 + Math.random() / 2);
  const heldUntil = effect.heldUntil?.(new Date(Date.now() + pause)) ?? null;
  await deps.database.withSubscriber({ subscriberId: effect.subscriberId }, async (tx) => {
    const written = await tx.$executeRaw`
      update effects set state = ${isDead ? 'Dead' : 'Pending'}::effect_state, lease_until = null,
                         unknown_count = unknown_count + ${isUnknown ? 1 : 0},
                         last_error = ${reason.slice(0, 2000)}, answer = ${jsonOf(answer)}::jsonb, next_at = greatest(clock_timestamp() + ${interval(pause)}, ${heldUntil}::timestamptz)
       where id = ${effect.id} and epoch = ${effect.epoch} and state = 'Sending'`;
    if (!isDead || written === 0) return;
    await onDead(tx);
    await wakeStep(tx, effect);
  });
}

/** What an error says about the try that failed. */
function aboutOf(error: unknown): { reason: string; isFinal: boolean; isUnknown: boolean; answer?: unknown } {
  if (error instanceof EffectError) return { ...error, reason: error.message };
  if (error instanceof FileFaultError)
    return { reason: error.code, isFinal: classOf(error.code) !== 'remote', isUnknown: false };
  return { reason: error instanceof Error ? error.message : String(error), isFinal: false, isUnknown: false };
}

async function tellOfDeath(
  tx: Transaction,
  { id, kind, sessionId }: { id: string; kind: EffectKind; sessionId: string | null },
  params: Record<string, string> | undefined,
): Promise<void> {
  const { tells } = effectContracts[kind];
  if (!tells || !params) return;
  const data = { ...params, ...(sessionId !== null && { sessionId }) };
  await notifyHolders(tx, tells, { kind: `${kind}.dead`, data, cause: id });
}

/** Renews the lease of an effect three times in its length; aborts when another worker has the effect. */
function keepLease(
  deps: EngineDeps,
  { id, subscriberId, epoch }: Pick<ClaimedRow, 'id' | 'subscriberId' | 'epoch'>,
  leaseMs: number,
): { signal: AbortSignal; stop(): void } {
  const lost = new AbortController();
  let isOver = false;
  // By this process's own clock: without an answer the lease ends all the same.
  let end = setTimeout(() => lost.abort(new LostEffectError()), leaseMs);
  const renew = async () => {
    const began = performance.now();
    const written = await deps.database.withSubscriber(
      { subscriberId },
      (tx) => tx.$executeRaw`
        update effects set lease_until = clock_timestamp() + ${interval(leaseMs)}
         where id = ${id} and epoch = ${epoch} and state = 'Sending'`,
    );
    clearTimeout(end);
    if (isOver) return;
    if (written === 0) lost.abort(new LostEffectError());
    else end = setTimeout(() => lost.abort(new LostEffectError()), leaseMs - (performance.now() - began));
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) =>
      deps.log?.({ level: 'warn', event: 'effect.lease', data: { effect: id }, error }),
    );
  }, leaseMs / 3);
  const stop = () => {
    isOver = true;
    clearInterval(timer);
    clearTimeout(end);
  };
  return { signal: lost.signal, stop };
}

/** One try of one effect. Resolves to why it failed; undefined where it is done, or another worker has it. */
async function deliverEffect<Kind extends EffectKind>(
  deps: EngineDeps,
  { kind, row, run }: { kind: Kind; row: ClaimedRow; run: EffectRun<Kind> },
  stopped: AbortSignal,
): Promise<string | undefined> {
  const { leaseMs, isRenewed = false, patienceMs, maxTries, afterUnknown, payload } = effectContracts[kind];
  const read = payload.safeParse(row.payload);
  if (!read.success) {
    const failed = { reason: `payload: ${read.error.message}`, isUnknown: false, isDead: true };
    await putBack(deps, row, failed, (tx) => tellOfDeath(tx, { ...row, kind }, {}));
    return 'payload';
  }
  const effect: ClaimedEffect<Kind> = { ...row, kind, payload: read.data };
  const heldUntil = effectContracts[kind].heldUntil;
  const held = { ...row, ...(heldUntil && { heldUntil: (at: Date) => heldUntil(effect.payload, at) }) };
  const fail = (failed: Failed) =>
    putBack(deps, held, failed, async (tx) => {
      await tellOfDeath(tx, effect, run.onDead ? await run.onDead(tx, effect) : {});
    });
  if (effect.unknownCount > maxUnknown && afterUnknown === 'repeatOnce') {
    await fail({ reason: 'unknown outcome', isUnknown: false, isDead: true });
    return 'unknown';
  }
  const lease = isRenewed
    ? keepLease(deps, row, leaseMs)
    : { signal: AbortSignal.timeout(leaseMs), stop: () => undefined };
  const signal = AbortSignal.any([lease.signal, stopped]);
  try {
    failpoint('beforeEffect');
    const done = await run.run(effect, signal);
    failpoint('afterEffect');
    await finish(deps, effect, done);
    failpoint('afterEffectCommit');
    return undefined;
  } catch (error) {
    if (error instanceof LostEffectError) return undefined;
    const { id, attempt, unknownCount, age } = effect;
    deps.log?.({ level: 'warn', event: 'effect.failed', data: { effect: id, kind, attempt }, error });
    const { isFinal, isUnknown, ...about } = aboutOf(error);
    const isExhausted = isUnknown && afterUnknown === 'repeatOnce' && unknownCount >= maxUnknown;
    const isOver =
      isExhausted || age > patienceMs || attempt >= (maxTries?.(effect.payload) ?? Number.POSITIVE_INFINITY);
    await fail({ ...about, isUnknown, isDead: isFinal || isOver });
    return isFinal || isOver ? 'dead' : 'failed';
  } finally {
    lease.stop();
  }
}

interface DeliveryLimits {
  count: number;
  stopped: AbortSignal;
}

/** Begins effects that are due, of the kinds that have a run, at most `count`; resolves to what ends when each has been tried. */
export async function beginDue(
  deps: EngineDeps,
  runs: Partial<EffectRuns>,
  { count, stopped }: DeliveryLimits,
): Promise<Promise<void>[]> {
  const taken = await claimEffects(deps, Object.keys(runs).filter(isEffectKind), count);
  const deliver = async <Kind extends EffectKind>(kind: Kind, row: ClaimedRow) => {
    const run: EffectRun<Kind> | undefined = runs[kind];
    if (!run) return;
    const span = {
      name: `effect ${kind}`,
      kind: 'consumer',
      parent: row.trace,
      attributes: {
        'pdf2press.subscriber': row.subscriberId,
        'pdf2press.session': row.sessionId,
        'pdf2press.effect': row.id,
        'pdf2press.attempt': row.attempt,
      },
    } as const;
    await traced(
      span,
      () => deliverEffect(deps, { kind, row, run }, stopped),
      (failure) => ({ 'pdf2press.failure': failure }),
    );
  };
  return taken.map(async (row) => {
    if (isEffectKind(row.kind)) await deliver(row.kind, row);
  });
}

/** Tries effects that are due as `beginDue` does, and waits for all of them; resolves to how many there were. */
export async function deliverDue(deps: EngineDeps, runs: Partial<EffectRuns>, limits: DeliveryLimits): Promise<number> {
  const begun = await beginDue(deps, runs, limits);
  await Promise.all(begun);
  return begun.length;
}

/**
 * Tries an effect again that was given up, for use after its cause has been put right.
 * @returns whether there was such an effect
 */
export async function retryEffect(tx: Transaction, { id, kind }: { id: string; kind: EffectKind }): Promise<boolean> {
  const written = await tx.$executeRaw`
    update effects set state = 'Pending', next_at = clock_timestamp(), unknown_count = 0
     where id = ${id} and kind = ${kind} and state = 'Dead'`;
  if (written === 0) return false;
  await tx.$executeRaw`
    update notifications set ended_at = clock_timestamp(), read_at = coalesce(read_at, clock_timestamp())
     where cause = ${id} and ended_at is null`;
  await tx.$queryRaw`select pg_notify('pdf2press_effects', '')::text`;
  return true;
}
