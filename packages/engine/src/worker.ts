import { randomUUID } from 'node:crypto';
import { type ClaimedStep, claimReady, claimStep } from './claim-step.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { EngineDeps } from './deps.ts';
import { type Doorbell, type DoorbellChoice, openDoorbell } from './doorbell.ts';
import { claimEffects, deliverEffect, type EffectHandlers } from './effects.ts';
import { beat, releaseAll, writeProgress } from './leases.ts';
import { listen } from './listen.ts';
import { isUnanswered } from './postgres-errors.ts';
import { pumpTick } from './pump.ts';
import { repeat } from './repeat.ts';
import { type ExecuteStep, runStep } from './run-step.ts';
import { sweep } from './sweep.ts';
import { defaultTiming, type Timing } from './timing.ts';

export interface WorkerOptions {
  /** For the connection that listens. */
  databaseUrl: string;
  instance: string;
  doorbell: DoorbellChoice;
  /** Steps at once. */
  slots: number;
  execute: ExecuteStep;
  workFolder: string;
  engineVersion: string;
  timing?: Partial<Timing>;
  /** What this process does beside steps, by kind of effect. */
  effects?: EffectHandlers;
  /** `Kind:version` this process takes; default all it has. */
  kinds?: readonly string[];
}

export interface RunningWorker {
  /** No more claims, time for what runs, then everything else is given back as never tried. */
  stop(): Promise<void>;
  state(): { owner: string; running: number; isPump: boolean; isDoorbellUp: boolean; lastBeatAt: number };
}

interface Held {
  step: ClaimedStep;
  controller: AbortController;
  /** By this process's own clock that never jumps: past it somebody else may have the step. */
  leaseEnds: number;
  done: Promise<boolean>;
}

/** Steps taken without a ring while the doorbell says it is well: so many within a minute, and it is opened anew. */
const unheardBound = 10;

const effectsAtOnce = 2;

const garbagePeriod = 15 * 60_000;

/**
 * Runs steps: woken by the doorbell, and looking for itself whenever that is silent. Any worker may be the pump. All it
 * keeps in memory is what it is running.
 */
export async function startWorker(deps: EngineDeps, options: WorkerOptions): Promise<RunningWorker> {
  const timing: Timing = { ...defaultTiming, ...options.timing };
  const { slots, engineVersion } = options;
  const owner = randomUUID();
  const claim = { owner, timing, ...(options.kinds && { kinds: options.kinds }) };
  const held = new Map<string, Held>();
  const stopped = new AbortController();
  let claiming = 0;
  let isStopping = false;
  let isPump = false;
  let lastBeatAt = Date.now();
  let unheard = 0;

  const warn = (event: string) => (error: unknown) =>
    deps.log?.({ level: isUnanswered(error) ? 'warn' : 'error', event, error });

  function launch(step: ClaimedStep, claimedAt: number): Promise<boolean> {
    const controller = new AbortController();
    let shownAt = 0;
    const onProgress = (progress: Parameters<typeof writeProgress>[2]) => {
      if (performance.now() - shownAt < 1_000) return;
      shownAt = performance.now();
      writeProgress(deps, step, progress).catch(warn('step.progress'));
    };
    const done = runStep(deps, step, { ...options, timing, signal: controller.signal, onProgress }).finally(() => {
      held.delete(step.id);
      if (!doorbell.isUp()) looker.now();
    });
    held.set(step.id, { step, controller, leaseEnds: claimedAt + timing.lease, done });
    return done;
  }

  /** Claims are counted while on their way, so that slots are not given twice and nothing in flight looks astray. */
  async function claimed<T>(count: number, work: (claimedAt: number) => Promise<T>): Promise<T> {
    claiming += count;
    try {
      return await work(performance.now());
    } finally {
      claiming -= count;
    }
  }

  async function onRing(id: string): Promise<void> {
    if (isStopping || held.size + claiming >= slots) return;
    const done = await claimed(1, async (at) => {
      const step = await claimStep(deps, id, claim);
      return step && { run: launch(step, at) };
    });
    await done?.run;
  }

  const openBell = () =>
    openDoorbell({
      choice: options.doorbell,
      instance: options.instance,
      slots,
      onRing: (id) => onRing(id).catch(warn('worker.ring')),
      ...(deps.log && { log: deps.log }),
    });
  let doorbell: Doorbell = await openBell();

  async function look(): Promise<void> {
    const free = slots - held.size - claiming;
    if (isStopping || free <= 0) return;
    const isUp = doorbell.isUp();
    const taken = await claimed(free, async (at) => {
      const steps = await claimReady(deps, { ...claim, count: free, age: isUp ? timing.unheard : 0 });
      for (const step of steps) void launch(step, at);
      return steps.length;
    });
    if (isUp) unheard += taken;
  }

  async function pump(): Promise<void> {
    if (isStopping) return;
    const tick = await pumpTick(deps, timing, { isRinging: doorbell.isRinging });
    isPump = tick.isLeader;
    await doorbell.ring(tick.rings);
    await sweep(deps, tick, timing);
  }

  async function keepLeases(): Promise<void> {
    const asked = [...held.values()];
    const at = performance.now();
    try {
      const steps = asked.map(({ step }) => step);
      const kept = await beat(deps, { owner, slots, engineVersion }, steps, timing, { releaseStray: claiming === 0 });
      for (const one of asked) {
        if (kept.has(one.step.id)) one.leaseEnds = at + timing.lease;
        else one.controller.abort(new Error('the step belongs to someone else'));
      }
      lastBeatAt = Date.now();
    } catch (error) {
      warn('worker.beat')(error);
    }
    for (const one of held.values()) {
      if (performance.now() > one.leaseEnds) one.controller.abort(new Error('the lease ran out'));
    }
  }

  /** Effects are few and mostly waiting for others: a handful at once, beside the slots for steps. */
  async function deliver(): Promise<void> {
    const { effects = {} } = options;
    if (isStopping || Object.keys(effects).length === 0) return;
    const taken = await claimEffects(deps, effects, effectsAtOnce);
    await Promise.all(
      taken.map(async (effect) => {
        const handler = effects[effect.kind];
        if (handler) await deliverEffect(deps, effect, handler, stopped.signal);
      }),
    );
    if (taken.length > 0) deliverer.now();
  }

  /** Whatever a wedged doorbell says of itself: steps that were found and not rung for are proof. */
  async function watchDoorbell(): Promise<void> {
    const count = unheard;
    unheard = 0;
    if (count < unheardBound) return;
    deps.log?.({ level: 'warn', event: 'doorbell.reopened', data: { unheard: count } });
    const old = doorbell;
    doorbell = await openBell();
    await old.close();
  }

  const looker = repeat(look, timing.pump * 4, warn('worker.look'));
  const pumper = repeat(pump, timing.pump, warn('worker.pump'));
  const beater = repeat(keepLeases, timing.heartbeat, warn('worker.beat'));
  const deliverer = repeat(deliver, timing.pump * 8, warn('worker.effects'));
  const janitor = repeat(
    async () => {
      if (isPump) await collectGarbage(deps);
    },
    garbagePeriod,
    warn('worker.garbage'),
  );
  const watcher = repeat(watchDoorbell, 60_000, warn('worker.doorbell'));
  const listener = listen({
    url: options.databaseUrl,
    channels: ['pdf2press_steps', 'pdf2press_stops', 'pdf2press_effects'],
    onNotice: (channel) => {
      if (channel === 'pdf2press_stops') return beater.now();
      if (channel === 'pdf2press_effects') return deliverer.now();
      if (doorbell.isRinging) pumper.now();
      if (!doorbell.isUp()) looker.now();
    },
    onConnect: () => {
      beater.now();
      pumper.now();
      looker.now();
    },
    ...(deps.log && { log: deps.log }),
  });
  await keepLeases();

  return {
    state: () => ({ owner, running: held.size, isPump, isDoorbellUp: doorbell.isUp(), lastBeatAt }),
    stop: async () => {
      isStopping = true;
      stopped.abort(new Error('the worker stops'));
      await Promise.all([
        pumper.stop(),
        looker.stop(),
        watcher.stop(),
        deliverer.stop(),
        janitor.stop(),
        doorbell.pause().catch(warn('doorbell.pause')),
      ]);
      const rest = () => [...held.values()].map(({ done }) => done);
      await Promise.race([Promise.all(rest()), new Promise((resolve) => setTimeout(resolve, timing.grace))]);
      await beater.stop();
      // Given back first: what the children still write finds its epoch gone.
      await releaseAll(deps, owner).catch(warn('worker.release'));
      for (const one of held.values()) one.controller.abort(new Error('the worker stops'));
      await Promise.all(rest());
      await Promise.all([doorbell.close(), listener.close()]);
    },
  };
}
