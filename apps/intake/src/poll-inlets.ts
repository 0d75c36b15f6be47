import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionSource } from '@pdf2press/contract';
import { type SourceKind, sourceContracts } from '@pdf2press/sources/contracts';
import { poll } from '@pdf2press/sources/runners';
import type { Inlet, IntakeDeps } from './deps.ts';
import { takeItem } from './take-item.ts';

const sessionSourceOf = (kind: string): SessionSource =>
  Object.hasOwn(sourceContracts, kind) ? sourceContracts[kind as SourceKind].sessionSource : 'CloudFolder';

/** Looks once into one inlet. What goes wrong with one file or inlet is logged and does not keep the others waiting. */
async function lookInto(
  deps: IntakeDeps,
  inlet: Inlet,
  memory: Map<string, unknown>,
  signal: AbortSignal,
): Promise<void> {
  const found = poll(inlet.kind, inlet.settings, { root: inlet.root, memory, now: () => performance.now() });
  try {
    for await (const item of found ?? []) {
      if (signal.aborted) return;
      try {
        await takeItem(deps, inlet, item, sessionSourceOf(inlet.kind));
      } catch (error) {
        deps.log.error({ err: error, inlet: inlet.id }, 'intake.item');
      }
    }
  } catch (error) {
    deps.log.error({ err: error, inlet: inlet.id }, 'intake.poll');
  }
}

/**
 * Looks into all inlets round after round until told to stop; resolves when the round under way has ended. `list` is
 * asked before each round, by every kind of source that there is.
 */
export async function pollInlets(
  deps: IntakeDeps,
  list: readonly (() => Promise<Inlet[]>)[],
  signal: AbortSignal,
): Promise<void> {
  const memories = new Map<string, Map<string, unknown>>();
  while (!signal.aborted) {
    try {
      for (const inlet of (await Promise.all(list.map((make) => make()))).flat()) {
        if (signal.aborted) return;
        const memory = memories.get(inlet.id) ?? new Map<string, unknown>();
        memories.set(inlet.id, memory);
        await lookInto(deps, inlet, memory, signal);
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'intake.round');
    }
    await sleep(deps.env.pollSeconds * 1000, undefined, { signal }).catch(() => undefined);
  }
}
