import { clientProofRoutes as routes } from '@pdf2press/contract/calls';
import { useEffect, useRef } from 'react';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { type ProofLink, useProofSample } from './use-client-proof.ts';

/** It is told again at this interval, well before it ends by itself. Milliseconds. */
const againMilliseconds = 60_000;

/**
 * Tells that a gatekeeper is deciding as long as the dialog is open, so that the others of the gate do not at the same moment.
 * @param onHeld another was there before
 */
export function useGateLock(link: ProofLink, isNeeded: boolean, onHeld: (error: unknown) => void): void {
  const sample = useProofSample();
  const isTold = isNeeded && !sample;
  const held = useRef(onHeld);
  held.current = onHeld;
  useEffect(() => {
    if (!isTold) return;
    // Without an answer nothing is lost: who decides at the same moment is still told by the server.
    const tell = (isDeciding: boolean) =>
      call(routes.deciding, { params: link, body: { isDeciding } }).catch((error: unknown) => {
        if (error instanceof CallError && error.has('proof.beingDecided')) held.current(error);
      });
    void tell(true);
    const timer = setInterval(() => void tell(true), againMilliseconds);
    return () => {
      clearInterval(timer);
      void tell(false);
    };
  }, [link, isTold]);
}
