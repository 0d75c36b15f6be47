import type { FileFault } from '@pdf2press/contract';

/**
 * The class of a failure decides whether the step is tried again. `input`: the file or the settings are at fault, never
 * again. `resource`: a limit was reached, once more in the heavy lane with higher limits. `crash`: the child process died,
 * two runs at most. `remote`: another system does not answer, with growing pauses for a day. A worker that dies is counted
 * separately (see sweep), because the file did not cause it.
 */
export type FailureClass = 'input' | 'resource' | 'crash' | 'remote';

const classes: Partial<Record<FileFault, FailureClass>> = {
  PDF_TIMEOUT: 'resource',
  PDF_MEMORY: 'resource',
  PDF_LIMIT_OUTPUT: 'resource',
  PDF_CRASH: 'crash',
  INTERNAL: 'crash',
  STORAGE_UNAVAILABLE: 'remote',
  STORAGE_FULL: 'remote',
};

export const classOf = (code: FileFault): FailureClass => classes[code] ?? 'input';

export interface Tries {
  crashCount: number;
  resourceCount: number;
  remoteCount: number;
}

/** How many retries a class gets; remote failures are limited by time instead. */
const allowed = { input: 0, resource: 1, crash: 1 } as const;
export const maxLost = 6;

const counted = { resource: 'resourceCount', crash: 'crashCount', remote: 'remoteCount' } as const;

/** Whether to try again, given the tries before this failure and the time since the first, in milliseconds. */
export function mayRetry(kind: FailureClass, tries: Tries, age: number, remotePatience: number): boolean {
  if (kind === 'remote') return age < remotePatience;
  if (kind === 'input') return false;
  return tries[counted[kind]] < allowed[kind];
}

/** Doubling pause in milliseconds, up to `max`. */
export const backoff = (first: number, tries: number, max: number): number =>
  Math.min(first * 2 ** Math.min(tries, 30), max);
