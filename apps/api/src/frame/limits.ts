interface Window {
  start: number;
  count: number;
}

export interface Limits {
  /** Counts a request; seconds to wait, 0 when it may pass. */
  hit(key: string, max: number, seconds: number): number;
}

/**
 * Counts in this process for the wide limits, which only shed load; the narrow ones of the contract (sign-in, reset,
 * tests that connect outwards) are counted in Postgres, so that neither a restart nor a second API opens the gate.
 */
export function createLimits(factor: number): Limits {
  const windows = new Map<string, Window>();
  let sweptAt = Date.now();
  return {
    hit: (key, max, seconds) => {
      const now = Date.now();
      if (now - sweptAt > 60_000) {
        sweptAt = now;
        for (const [name, window] of windows) if (now - window.start > 3_600_000) windows.delete(name);
      }
      const window = windows.get(key);
      if (!window || now - window.start >= seconds * 1000) {
        windows.set(key, { start: now, count: 1 });
        return 0;
      }
      window.count += 1;
      return window.count > max * factor ? Math.ceil((window.start + seconds * 1000 - now) / 1000) : 0;
    },
  };
}
