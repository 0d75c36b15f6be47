/** Work that is repeated, never run twice at the same time. */
export interface Repeated {
  /** Runs it now; when it is running already, once more right after that. */
  now(): void;
  /** Resolves when the last run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs work now and then `period` milliseconds after the end of each run, or as many as the run resolves to; with null only
 * when it is asked. What it throws goes to `onError`.
 */
export function repeat(
  work: () => Promise<unknown>,
  period: number | null,
  onError: (error: unknown) => void,
): Repeated {
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
      .then((pause) => {
        running = undefined;
        if (isStopped) return;
        const next = isAsked ? 0 : typeof pause === 'number' ? pause : period;
        if (next !== null) timer = setTimeout(start, next);
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
