import { wakeInlet } from '@pdf2press/engine';
import type { SourceTools } from '@pdf2press/sources/contracts';
import type { IntakeDeps } from './deps.ts';
import { errorWithout } from './hide-secrets.ts';
import type { Inlet } from './inlets.ts';
import { openSource } from './open-source.ts';

/** A watch outlives the time of the next poll by this much, in milliseconds; then that poll was another process's. */
const leeway = 30_000;

/**
 * Watches, between their polls, the inlets whose source tells by itself that there is something new. A watch takes no slot and
 * holds no lease: it only makes its inlet due, and whoever claims that polls it. What ends a watch is left to the next poll.
 */
export function createWatches(deps: IntakeDeps, stopping: AbortSignal, onNews: () => void) {
  const running = new Map<string, { controller: AbortController; ended: Promise<void> }>();

  async function watch(inlet: Inlet, memory: SourceTools['memory'], signal: AbortSignal): Promise<void> {
    const log = deps.log.child({ inlet: inlet.id, kind: inlet.kind });
    let secret: unknown;
    try {
      const opened = await openSource(deps, inlet, memory);
      secret = opened.connection?.secret;
      // Nobody is answered who asks for a file once more: that is the next poll's.
      const tools = { ...opened.tools, asked: async () => new Map() };
      const isNew = await inlet.source.watch?.({ ...opened, tools, signal });
      if (!isNew || signal.aborted) return;
      await wakeInlet(deps.engine, inlet.id);
      onNews();
    } catch (error) {
      if (!signal.aborted) log.info({ err: errorWithout(secret)(error) }, 'intake.watchEnded');
    }
  }

  return {
    begin: (inlet: Inlet, memory: SourceTools['memory']): void => {
      const isFull = running.size >= deps.timing.watches;
      if (!inlet.source.watch || stopping.aborted || isFull || running.has(inlet.id)) return;
      const controller = new AbortController();
      const longest = AbortSignal.timeout(deps.env.remotePollSeconds * 1000 + leeway);
      const signal = AbortSignal.any([controller.signal, longest, stopping]);
      const one = { controller, ended: Promise.resolve() };
      one.ended = watch(inlet, memory, signal).finally(() => {
        if (running.get(inlet.id) === one) running.delete(inlet.id);
      });
      running.set(inlet.id, one);
    },
    end: (id: string): void => {
      running.get(id)?.controller.abort();
      running.delete(id);
    },
    /** Ends those whose inlet is not there any more. */
    keep: (ids: ReadonlyMap<string, unknown>): void => {
      for (const [id, { controller }] of running) if (!ids.has(id)) controller.abort();
    },
    allEnded: async (): Promise<void> => {
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
