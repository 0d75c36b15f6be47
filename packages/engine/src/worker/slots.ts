import type { EngineDeps } from '../deps.ts';
import { type ClaimedStep, claimReady, claimStep } from '../steps/claim-step.ts';
import { beat, releaseAll, writeProgress } from '../steps/leases.ts';
import { type RunOptions, runStep } from '../steps/run-step.ts';
import { warnOf } from './warn.ts';

export interface SlotOptions extends Omit<RunOptions, 'signal' | 'onProgress'> {
  /** Id of the worker process; new at each start. */
  owner: string;
  /** How many steps run at once. */
  slots: number;
  /** `Kind:version` of the steps that may be claimed; default all of this release. */
  kinds?: readonly string[];
  /** Called when a step has ended and its slot is free again. */
  onFree: () => void;
}

/** The steps that one worker runs at once: the only state that a worker keeps in memory. */
export interface Slots {
  running(): number;
  free(): number;
  /**
   * Claims the step whose turn it is and resolves at its end. A ring says that there is work and not which: whose turn it
   * is may change until a slot is free. Waits for a slot, because steps that were found by searching may have all of
   * them: a ring that was dropped would come again only after its time.
   */
  answer(id: string): Promise<void>;
  /** Where a step has been ready for `age` milliseconds: claims those whose turn it is, as many as slots are free. */
  fill(age: number): Promise<void>;
  /** Renews all leases and aborts the steps whose lease is lost; resolves to whether Postgres answered. */
  renew(): Promise<boolean>;
  /** Claims no more steps. */
  close(): void;
  /** Waits up to `grace` milliseconds for running steps to end. */
  drain(grace: number): Promise<void>;
  /** Gives back what still runs, as never tried, and ends its child processes. */
  release(): Promise<void>;
}

interface Held {
  step: ClaimedStep;
  controller: AbortController;
  /** By this process's monotonic clock; after it another worker may have the step. */
  leaseEnds: number;
  done: Promise<boolean>;
}

/** Opens the slots of a worker. */
export function openSlots(deps: EngineDeps, options: SlotOptions): Slots {
  const { owner, slots, timing, engineVersion, onFree } = options;
  const claim = {
    owner,
    timing,
    ...(options.kinds && { kinds: options.kinds }),
  };
  const warn = warnOf(deps);
  const held = new Map<string, Held>();
  /** Rings that wait for a slot; each is told once that one may be free. */
  const queue: (() => void)[] = [];
  let claiming = 0;
  let isClosed = false;

  function launch(step: ClaimedStep, claimedAt: number): Promise<boolean> {
    const controller = new AbortController();
    let shownAt = 0;
    const onProgress: RunOptions['onProgress'] = (progress) => {
      if (performance.now() - shownAt < 1_000) return;
      shownAt = performance.now();
      writeProgress(deps, step, progress).catch(warn('step.progress'));
    };
    const done = runStep(deps, step, {
      ...options,
      signal: controller.signal,
      onProgress,
    }).finally(() => {
      held.delete(step.id);
      queue.shift()?.();
      onFree();
    });
    held.set(step.id, {
      step,
      controller,
      leaseEnds: claimedAt + timing.lease,
      done,
    });
    return done;
  }

  // Claims in progress are counted, so that no slot is used twice and `beat` does not give them back.
  async function claimed<T>(count: number, work: (claimedAt: number) => Promise<T>): Promise<T> {
    claiming += count;
    try {
      return await work(performance.now());
    } finally {
      claiming -= count;
      // What was claimed has its slot now, and what was not claimed has freed it.
      for (let left = Math.max(0, slots - held.size - claiming); left > 0; left -= 1) queue.shift()?.();
    }
  }

  const free = () => (isClosed ? 0 : Math.max(0, slots - held.size - claiming));
  const rest = () => [...held.values()].map(({ done }) => done);

  return {
    running: () => held.size,
    free,
    answer: async (id) => {
      while (!isClosed && free() === 0) await new Promise<void>((resolve) => queue.push(resolve));
      if (isClosed) return;
      const taken = await claimed(1, async (at) => {
        const step = await claimStep(deps, { ...claim, rung: id });
        return step && { run: launch(step, at) };
      });
      await taken?.run;
    },
    fill: async (age) => {
      const count = free();
      if (count === 0) return;
      await claimed(count, async (at) => {
        for (const step of await claimReady(deps, { ...claim, count, age })) void launch(step, at);
      });
    },
    renew: async () => {
      const asked = [...held.values()];
      const at = performance.now();
      let isAnswered = false;
      try {
        const steps = asked.map(({ step }) => step);
        const releaseStray = claiming === 0;
        const kept = await beat(deps, { owner, slots, engineVersion }, steps, timing, { releaseStray });
        for (const one of asked) {
          if (kept.has(one.step.id)) one.leaseEnds = at + timing.lease;
          else one.controller.abort(new Error('the step belongs to someone else'));
        }
        isAnswered = true;
      } catch (error) {
        warn('worker.beat')(error);
      }
      for (const one of held.values()) {
        if (performance.now() > one.leaseEnds) one.controller.abort(new Error('the lease ran out'));
      }
      return isAnswered;
    },
    close: () => {
      isClosed = true;
      for (const wake of queue.splice(0)) wake();
    },
    drain: async (grace) => {
      await Promise.race([Promise.all(rest()), new Promise((resolve) => setTimeout(resolve, grace))]);
    },
    release: async () => {
      // The rows are given back before the child processes are ended, so that later results of a child are refused.
      await releaseAll(deps, owner).catch(warn('worker.release'));
      for (const one of held.values()) one.controller.abort(new Error('the worker stops'));
      await Promise.all(rest());
    },
  };
}
