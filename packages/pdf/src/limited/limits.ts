/** Limits of one child process. */
export interface Limits {
  /**
   * Wall-clock time without progress until the process group is killed. It ends what hangs; how much work a file may ask
   * for is limited by `cpuSeconds`, which does not depend on what else the machine does.
   */
  wallMs: number;
  /** Processor seconds of the child (RLIMIT_CPU), all threads together. */
  cpuSeconds: number;
  /**
   * Private writable memory (RLIMIT_DATA). It limits buffers and WebAssembly heaps, which RLIMIT_AS and the limits of
   * V8 do not.
   */
  memoryBytes: number;
  /** Size of one written file (RLIMIT_FSIZE). */
  fileBytes: number;
  /** Size of all files in the work directory, checked every second. */
  workDirBytes: number;
  /** Number of open files. */
  openFiles: number;
  /** Size of the result as JSON. */
  resultBytes: number;
}

const mebibyte = 2 ** 20;

/** Limits for ordinary work. Values not given in `LimitedWork.limits` come from here. */
export const defaultLimits: Limits = {
  wallMs: 120_000,
  cpuSeconds: 180,
  memoryBytes: 1536 * mebibyte,
  fileBytes: 1024 * mebibyte,
  workDirBytes: 2048 * mebibyte,
  // Node opens all modules that a module imports at the same time (262 files for all checks); every system allows 1024.
  openFiles: 1024,
  resultBytes: 64 * mebibyte,
};

/** Limits for long work on large files. */
export const heavyLimits: Limits = {
  ...defaultLimits,
  wallMs: 900_000,
  cpuSeconds: 1200,
  memoryBytes: 2048 * mebibyte,
  fileBytes: 4096 * mebibyte,
  workDirBytes: 8192 * mebibyte,
};
