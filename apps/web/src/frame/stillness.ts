import { createContext, use, useDeferredValue, useRef, useSyncExternalStore } from 'react';

/** Whether a list stands still, for what is drawn only then. */
export interface Stillness {
  isStill: () => boolean;
  /** Calls `tell` when the list stops or begins to move; answers what ends that. */
  subscribe: (tell: () => void) => () => void;
}

/** One that is told of each change with `set`. */
export function createStillness(): Stillness & { set: (isStill: boolean) => void } {
  let isStill = true;
  const listeners = new Set<() => void>();
  return {
    isStill: () => isStill,
    subscribe(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    set(next) {
      if (next === isStill) return;
      isStill = next;
      for (const tell of listeners) tell();
    },
  };
}

/** The list around; what is in none stands still. */
export const StillnessContext = createContext<Stillness>(createStillness());

/**
 * True once the list around has stood still since this was mounted, and from then on: what takes long to draw comes after
 * the scrolling, and what is drawn stays. Drawn in pieces that leave room for frames.
 */
export function useOnceStill(): boolean {
  const { isStill, subscribe } = use(StillnessContext);
  const was = useRef(false);
  const now = useSyncExternalStore(subscribe, () => {
    was.current ||= isStill();
    return was.current;
  });
  return useDeferredValue(now, false);
}
