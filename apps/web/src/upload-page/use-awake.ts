import { useEffect } from 'react';

/**
 * Keeps the screen on while `isOn`, for a phone that falls asleep ends its uploads. A browser that cannot, or will not because its
 * battery is low, sleeps as it likes: the upload goes on when it wakes.
 */
export function useAwake(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const ask = async () => {
      // The browser takes it back whenever the page is hidden.
      if (document.visibilityState !== 'visible') return;
      lock = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (isOver) await lock?.release();
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, [isOn]);
}
