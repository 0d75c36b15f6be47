/**
 * Runs the garbage collector twice when Node exposes it: memory emptied by the first run is returned to the system by
 * the second.
 */
export function collectGarbage(): void {
  globalThis.gc?.();
  globalThis.gc?.();
}
