/** What one child may use. Defaults and heavy lane: reliability design §2.6. */
export interface Limits {
  /** Wall clock until the whole process group is killed. */
  wallMs: number;
  /** Processor seconds of the child (RLIMIT_CPU), all threads together. */
  cpuSeconds: number;
  /** Private writable memory (RLIMIT_DATA): bounds buffers and WASM heaps, which RLIMIT_AS and V8's own limits do not. */
  memoryBytes: number;
  /** One written file (RLIMIT_FSIZE). */
  fileBytes: number;
  /** All files in the work directory together, looked at every second. */
  workDirBytes: number;
  /** Open files. */
  openFiles: number;
  /** The JSON answer. */
  resultBytes: number;
}

const mebibyte = 2 ** 20;

export const defaultLimits: Limits = {
  wallMs: 120_000,
  cpuSeconds: 180,
  memoryBytes: 1536 * mebibyte,
  fileBytes: 1024 * mebibyte,
  workDirBytes: 2048 * mebibyte,
  // Node opens all the modules that one module imports at once: every check with its words came to 262. Any system allows 1024.
  openFiles: 1024,
  resultBytes: 64 * mebibyte,
};

export const heavyLimits: Limits = {
  ...defaultLimits,
  wallMs: 900_000,
  cpuSeconds: 1200,
  memoryBytes: 2048 * mebibyte,
  fileBytes: 4096 * mebibyte,
  workDirBytes: 8192 * mebibyte,
};
