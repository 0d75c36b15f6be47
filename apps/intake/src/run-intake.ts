import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { type ClaimedInlet, claimInlets, LostInletError, noteIntake, renewInlets, repeat } from '@pdf2press/engine';
import type { SourceTools } from '@pdf2press/sources/contracts';
import type { IntakeDeps } from './deps.ts';
import { createEndPoll } from './end-together.ts';
import type { Inlet } from './inlets.ts';
import { pollInlet } from './poll-inlet.ts';
import { createWatches } from './watch-inlets.ts';

interface RunningPoll {
  claim: ClaimedInlet;
  /** When the lease was last known to be held, by the monotonic clock. */
  renewedAt: number;
  lost: AbortController;
  ended: Promise<void>;
}

/**
 * Polls all inlets that are due, each in a poll of its own, until told to stop; resolves when the last poll has ended. Any
 * number of processes may do so at the same time. `lists` are read in each round; of two inlets with one id the later is
 * used.
 */
export async function runIntake(
  deps: IntakeDeps,
  lists: readonly (() => Promise<Inlet[]>)[],
  stopping: AbortSignal,
): Promise<void> {
  const { lease: leaseMs, heartbeat, slots } = deps.timing;
  const owner = `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`;
  const running = new Map<string, RunningPoll>();
  const endPoll = createEndPoll(deps);
  // Each poll listens, and this function: more than Node takes for a leak.
  setMaxListeners(slots + 1, stopping);
  const memories = new Map<string, SourceTools['memory']>();
  const watches = createWatches(deps, stopping, () => rounds.now());

  function start(inlet: Inlet, claim: ClaimedInlet, renewedAt: number): void {
    const memory = memories.get(inlet.id) ?? new Map<string, unknown>();
    memories.set(inlet.id, memory);
    const lost = new AbortController();
    watches.end(inlet.id);
    const poll = pollInlet(deps, { inlet, claim, memory, stopping, lost: lost.signal, endPoll });
    const ended = poll.then((isWell) => {
      const wasFull = running.size >= slots;
      running.delete(inlet.id);
      if (isWell) watches.begin(inlet, memory);
      // Other inlets may have been due in the meantime.
      if (wasFull) rounds.now();
    });
    running.set(inlet.id, { claim, renewedAt, lost, ended });
  }

  async function round(): Promise<void> {
    await noteIntake(deps.engine);
    const all = (await Promise.all(lists.map((list) => list()))).flat();
    const inlets = new Map(all.map((inlet) => [inlet.id, inlet]));
    watches.keep(inlets);
    for (const id of memories.keys()) if (!inlets.has(id)) memories.delete(id);
    const idle = [...inlets.values()].filter(({ id }) => !running.has(id));
    const count = slots - running.size;
    if (count <= 0 || idle.length === 0 || stopping.aborted) return;
    const at = performance.now();
    for (const claim of await claimInlets(deps.engine, idle, { owner, count, leaseMs })) {
      const inlet = inlets.get(claim.id);
      if (inlet) start(inlet, claim, at);
    }
  }

  async function renew(): Promise<void> {
    const held = [...running.values()];
    if (held.length === 0) return;
    const at = performance.now();
    try {
      const kept = await renewInlets(
        deps.engine,
        held.map(({ claim }) => claim),
        leaseMs,
      );
      for (const poll of held) {
        if (kept.has(poll.claim.id)) poll.renewedAt = at;
        else poll.lost.abort(new LostInletError());
      }
    } finally {
      // While Postgres does not answer, another process may have taken over inlets whose lease ran out.
      for (const { renewedAt, lost } of held)
        if (performance.now() - renewedAt > leaseMs) lost.abort(new LostInletError());
    }
  }

  const logged = (event: string) => (error: unknown) => deps.log.warn({ err: error }, event);
  const rounds = repeat(round, deps.env.pollSeconds * 1000, logged('intake.round'));
  const renewals = repeat(renew, heartbeat, logged('intake.renew'));
  if (!stopping.aborted) await new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
  await rounds.stop();
  await Promise.all([...running.values()].map(({ ended }) => ended));
  await renewals.stop();
  await watches.allEnded();
}
