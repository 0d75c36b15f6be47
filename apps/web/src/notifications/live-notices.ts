import { systemRoutes } from '@pdf2press/contract/calls';
import { listenToNotices } from '../client/live.ts';
import { invalidate } from '../client/queries.ts';

/** Calls within this time cause one request, milliseconds. */
const gatherMilliseconds = 1000;

/** Reads the notifications again as soon as there is something else to show. Returns a function that stops. */
export function followNotices(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = listenToNotices(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void invalidate(systemRoutes.notifications);
    }, gatherMilliseconds);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
