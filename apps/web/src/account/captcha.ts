import { authRoutes } from '@pdf2press/contract';
import { useCallback } from 'react';
import { call } from '../client/call.ts';

/**
 * Proof that some work was done, for forms that anyone may send. The self-hosted provider's challenge is solved in a worker
 * of ours; nothing is asked of another host.
 */
export function useCaptcha(): () => Promise<string | undefined> {
  return useCallback(async () => {
    const { provider, challenge } = await call(authRoutes.captcha);
    if (provider !== 'altcha' || !challenge) return undefined;
    const { solve } = await import('./solve-captcha.ts');
    return solve(challenge);
  }, []);
}
