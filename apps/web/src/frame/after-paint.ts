import { type ReactNode, startTransition, useEffect, useState } from 'react';
import type { StoreApi } from 'zustand';

/** Calls back once the frame under way has been painted. Returns a function that cancels it. */
function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // requestAnimationFrame runs before the paint, a timer set in it after.
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(() => startTransition(act));
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/**
 * The state of a store as it was before the frame under way: it follows once that frame has been painted.
 * `useDeferredValue` often renders before that frame, which delays the first response to an input.
 */
export function useStoreAfterPaint<T>(store: StoreApi<T>): T {
  const [painted, setPainted] = useState(store.getState);
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const unsubscribe = store.subscribe(() => {
      cancel?.();
      cancel = afterPaint(() => setPainted(store.getState));
    });
    return () => {
      unsubscribe();
      cancel?.();
    };
  }, [store]);
  return painted;
}

/** Its children come once what is around them has been painted, so that what is looked at first does not wait for them. */
export function AfterPaint({ children }: { children: ReactNode }): ReactNode {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => setPainted(true)), []);
  return isPainted ? children : null;
}
