import type { SessionEvent } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { listenToSessions } from '../client/live.ts';
import { invalidate } from '../client/queries.ts';

/** Events with which a notification begins or ends. */
const telling: ReadonlySet<SessionEvent['kind']> = new Set([
  'HoldEntered',
  'HoldReleased',
  'HoldEscalated',
  'ProofHeld',
  'ProofDecided',
  'ProofExtended',
  'Failed',
  'Restarted',
  'Cancelled',
  'Completed',
  'Rerouted',
  'Deleted',
  'Assigned',
  'Commented',
]);
/** Events within this time cause one request, milliseconds. */
const gatherMilliseconds = 1000;

/** Reads the notifications again as soon as something happened that they tell of. Returns a function that stops. */
export function followNotices(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = listenToSessions(({ kind }) => {
    if (!telling.has(kind)) return;
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
