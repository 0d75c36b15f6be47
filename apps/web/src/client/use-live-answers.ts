import type { Call } from '@pdf2press/contract';
import { useEffect } from 'react';
import { type LiveQuery, listenToSessions } from './live.ts';
import { invalidate } from './queries.ts';

const gatherMilliseconds = 300;

/**
 * Asks for answers again when an event says that they have changed; events that come close together count once. Also when
 * the stream opens: what happened before then is not in it.
 * @param routes a constant list
 */
export function useLiveAnswers(
  routes: readonly Call[],
  { query, isOn = true }: { query: LiveQuery; isOn?: boolean },
): void {
  const key = JSON.stringify(query);
  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listenToSessions(
      () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          void invalidate(...routes);
        }, gatherMilliseconds);
      },
      JSON.parse(key) as LiveQuery,
      () => void invalidate(...routes),
    );
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [key, isOn, routes]);
}
