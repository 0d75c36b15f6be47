import { randomUUID } from 'node:crypto';
import { type ClaimedStep, claimReady, claimStep } from './claim-step.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { EngineDeps } from './deps.ts';
import { canary, type Doorbell, type DoorbellChoice, openDoorbell } from './doorbell.ts';
import { deliverDue, type EffectHandlers } from './effects.ts';
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
  /** The worker found that it gets nothing done although it could: whoever runs it starts it again (P10). */
  onStuck?: (reason: string) => void;
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

/** Steps taken without a ring while the doorbell says it is well: so many within a watch, and it is opened anew. */
const unheardBound = 10;
/** Watches in a row that a doorbell may be found deaf in, although it was opened anew after each, until that is given up. */
const deafBound = 4;

/** Of each kind: effects are few and mostly wait for others, and a slow mail server must not keep pages from being drawn. */
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
  let lastLookAt = performance.now();
  let unheard = 0;
  let heard = 0;
  let deaf = 0;
  let isCanaryOut = false;

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
    heard += 1;
    if (id === canary) return;
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
    if (isStopping || free <= 0) {
      lastLookAt = performance.now();
      return;
    }
    const isUp = doorbell.isUp();
    const taken = await claimed(free, async (at) => {
      const steps = await claimReady(deps, { ...claim, count: free, age: isUp ? timing.unheard : 0 });
      for (const step of steps) void launch(step, at);
      return steps.length;
    });
    if (isUp) unheard += taken;
    lastLookAt = performance.now();
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

  const stuck = (reason: string) => {
    if (isStopping) return;
    deps.log?.({ level: 'error', event: 'worker.stuck', data: { reason } });
    options.onStuck?.(reason);
  };

  /**
   * Listens for a canary: a doorbell that brings neither it nor steps is deaf, whatever it says of itself. It is opened
   * anew, and when steps go unheard all the same, the process is. Meanwhile steps are found by looking.
   */
  async function watchDoorbell(): Promise<void> {
    // Of two workers one may hear the other's canary as well: silence alone opens anew, which does no harm, and no more.
    const isProven = unheard >= unheardBound;
    const isSilent = isCanaryOut && heard === 0 && held.size < slots;
    const data = { heard, unheard };
    heard = 0;
    unheard = 0;
    deaf = doorbell.isUp() && isProven ? deaf + 1 : 0;
    if (deaf >= deafBound) stuck('deaf');
    else if (doorbell.isUp() && (isProven || isSilent)) {
      deps.log?.({ level: 'warn', event: 'doorbell.reopened', data });
      const old = doorbell;
      doorbell = await openBell();
      await old.close();
    }
    await doorbell.ring([{ id: canary, dispatchNo: Date.now() }]);
    isCanaryOut = doorbell.isRinging;
  }

  /** Looking for steps is what everything else stands on: when it has not come to an end for long, nothing will help. */
  function watchLooking(): void {
    if (performance.now() - lastLookAt < timing.stuck) return;
    // With Postgres away nobody gets anything done; a fresh process would not either.
    deps.database
      .asHost((tx) => tx.$queryRaw`select 1`)
      .then(
        () => stuck('idle'),
        (error: unknown) => isUnanswered(error) || stuck('no answer'),
      )
      .finally(() => {
        lastLookAt = performance.now();
      });
  }

  const looker = repeat(look, timing.pump * 4, warn('worker.look'));
  const pumper = repeat(pump, timing.pump, warn('worker.pump'));
  const beater = repeat(keepLeases, timing.heartbeat, warn('worker.beat'));
  const deliverers = Object.entries(options.effects ?? {}).map(([kind, handler]) => {
    const deliver = async () => {
      if (isStopping) return;
      const limits = { count: effectsAtOnce, stopped: stopped.signal };
      if ((await deliverDue(deps, { [kind]: handler }, limits)) > 0) deliverer.now();
    };
    const deliverer = repeat(deliver, timing.pump * 8, warn('worker.effects'));
    return deliverer;
  });
  const janitor = repeat(
    async () => {
      if (isPump) await collectGarbage(deps);
    },
    garbagePeriod,
    warn('worker.garbage'),
  );
  const watcher = repeat(watchDoorbell, timing.watch, warn('worker.doorbell'));
  const lookWatcher = setInterval(watchLooking, timing.watch);
  lookWatcher.unref();
  const listener = listen({
    url: options.databaseUrl,
    channels: ['pdf2press_steps', 'pdf2press_stops', 'pdf2press_effects'],
    onNotice: (channel) => {
      if (channel === 'pdf2press_stops') return beater.now();
      if (channel === 'pdf2press_effects') {
        for (const deliverer of deliverers) deliverer.now();
        return;
      }
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
      clearInterval(lookWatcher);
      stopped.abort(new Error('the worker stops'));
      await Promise.all([
        pumper.stop(),
        looker.stop(),
        watcher.stop(),
        ...deliverers.map((deliverer) => deliverer.stop()),
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
