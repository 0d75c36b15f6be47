import { startTransition, useEffect, useState } from 'react';
import type { StoreApi } from 'zustand';

/**
 * The state of a store as it was before the frame under way: it follows once that frame has been painted.
 * `useDeferredValue` often renders before that frame, which delays the first response to an input.
 */
export function useStoreAfterPaint<T>(store: StoreApi<T>): T {
  const [painted, setPainted] = useState(store.getState);
  useEffect(() => {
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      // requestAnimationFrame runs before the paint, a timer set in it after.
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => startTransition(() => setPainted(store.getState)));
      });
    };
    const unsubscribe = store.subscribe(follow);
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [store]);
  return painted;
}
