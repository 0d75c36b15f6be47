import { startTransition, useEffect, useState } from 'react';

/**
 * A value as it was, until what else shows it has been painted. What is deferred only is often drawn before the next frame
 * all the same, and the visitor waits for both.
 */
export function useAfterPaint<T>(value: T): T {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A frame's callbacks come before it is painted, a timer set there after.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(() => value)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return painted;
}
