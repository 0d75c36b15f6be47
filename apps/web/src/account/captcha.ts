import { authRoutes } from '@pdf2press/contract/calls';
import { useCallback } from 'react';
import { call } from '../client/call.ts';

/**
 * Proof that some work was done, for forms that anyone may send. The self-hosted provider's challenge is solved in a worker
 * of ours and nothing is asked of another host; only a house that has set reCAPTCHA up has its script loaded.
 */
export function useCaptcha(action: 'login' | 'forgot_password'): () => Promise<string | undefined> {
  return useCallback(async () => {
    const { provider, challenge, siteKey } = await call(authRoutes.captcha);
    if (provider === 'altcha' && challenge) return (await import('./solve-captcha.ts')).solve(challenge);
    if (provider === 'recaptcha' && siteKey) return (await import('./recaptcha.ts')).invisibleToken(siteKey, action);
    return undefined;
  }, [action]);
}
