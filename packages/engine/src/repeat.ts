/** Work that is done again and again, never twice at once. */
export interface Repeated {
  /** Does it now; during a run, once more right after it. */
  now(): void;
  /** Resolves when the last run has ended. */
  stop(): Promise<void>;
}

/** Runs work now and then `period` milliseconds after each run's end; what it throws goes to `onError`. */
export function repeat(work: () => Promise<void>, period: number, onError: (error: unknown) => void): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAsked = false;
  let isStopped = false;

  function start(): void {
    clearTimeout(timer);
    if (isStopped) return;
    if (running) {
      isAsked = true;
      return;
    }
    isAsked = false;
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (isStopped) return;
        timer = setTimeout(start, isAsked ? 0 : period);
      });
  }

  timer = setTimeout(start, 0);
  return {
    now: start,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
