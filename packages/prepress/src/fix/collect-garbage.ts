/** Twice: what one collection empties, only the next gives back to the system. */
export function collectGarbage(): void {
  globalThis.gc?.();
  globalThis.gc?.();
}
