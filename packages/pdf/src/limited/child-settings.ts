import type { Limits } from './limits.ts';

/** How the Node.js of every child is set. Benchmarks of its work run a program with the same settings. */
export const childSettings = {
  flags: [
    // Half of the default for the young generation. Reading 1000 pages of text takes 25 MB less memory than with it, and with
    // half of this a sixth more processor time.
    '--max-semi-space-size=8',
    // Without it the heaps of the thread that reads and of the worker beside it grow threefold before they are collected:
    // what they need does not grow with the pages of a file, and what they take does.
    '--heap-growing-percent=50',
    // A collection by several threads takes more of the processor than it saves in time, and other children need it.
    '--single-threaded-gc',
    // Only the functions of a WebAssembly program that run are checked, when they are compiled: most of MuPDF never runs.
    '--wasm-lazy-validation',
    '--expose-gc',
  ],
  /** Makes the C library return freed memory to the system. By default it keeps up to 32 MB of each size. */
  environment: {
    MALLOC_ARENA_MAX: '1',
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_MMAP_THRESHOLD_: '131072',
  },
} as const;

/** All flags of the Node.js of a child with these limits, in the order in which it has them. */
export const childFlags = ({ memoryBytes }: Pick<Limits, 'memoryBytes'>): string[] => {
  const heapMebibytes = Math.max(64, Math.floor((memoryBytes / 2 ** 20) * 0.6));
  return [`--max-old-space-size=${heapMebibytes}`, ...childSettings.flags];
};
