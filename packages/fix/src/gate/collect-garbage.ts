/** Bytes of JavaScript and what it holds outside its heap. Below this, collecting takes longer than the room is worth. */
const worthCollecting = 96 * 2 ** 20;

/**
 * Runs the garbage collector twice when Node exposes it: memory emptied by the first run is returned to the system by
 * the second. Does nothing in a process that holds little.
 */
export function collectGarbage(): void {
  const { heapTotal, external } = process.memoryUsage();
  if (heapTotal + external < worthCollecting) return;
  globalThis.gc?.();
  globalThis.gc?.();
}
