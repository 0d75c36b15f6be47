import type { FileFault } from '@pdf2press/contract';

/**
 * Why a step failed decides whether it is tried again. `input`: the file or the settings, never again. `resource`: a
 * limit was hit, once more in the heavy lane with larger ones. `crash`: the child died, twice at most. `remote`:
 * something elsewhere does not answer, with growing pauses for a day. A worker that dies is counted apart (see sweep):
 * that is our fault and not the file's.
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

/** Tries that a failure of a class has had before it is final; remote ones are bounded by time instead. */
const allowed = { input: 0, resource: 1, crash: 1 } as const;
export const maxLost = 6;

const counted = { resource: 'resourceCount', crash: 'crashCount', remote: 'remoteCount' } as const;

/** Whether to try again, given what was tried before this failure and how long it goes on. */
export function mayRetry(kind: FailureClass, tries: Tries, age: number, remotePatience: number): boolean {
  if (kind === 'remote') return age < remotePatience;
  if (kind === 'input') return false;
  return tries[counted[kind]] < allowed[kind];
}

/** Doubling pause in milliseconds, up to `max`. */
export const backoff = (first: number, tries: number, max: number): number =>
  Math.min(first * 2 ** Math.min(tries, 30), max);
