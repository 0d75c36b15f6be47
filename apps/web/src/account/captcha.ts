import { authRoutes } from '@pdf2press/contract/calls';
import { useCallback } from 'react';
import { call } from '../client/call.ts';

type Action = 'login' | 'forgot_password' | 'upload';

/**
 * The captcha of public forms. By default an ALTCHA proof of work from this server, solved in a worker without contacting
 * another host; the reCAPTCHA script is loaded only if the installation has configured it.
 */
export async function passCaptcha(action: Action): Promise<string | undefined> {
  const { provider, challenge, siteKey } = await call(authRoutes.captcha);
  if (provider === 'altcha' && challenge) return (await import('./solve-captcha.ts')).solve(challenge);
  if (provider === 'recaptcha' && siteKey) return (await import('./recaptcha.ts')).invisibleToken(siteKey, action);
  return undefined;
}

export const useCaptcha = (action: Action): (() => Promise<string | undefined>) =>
  useCallback(() => passCaptcha(action), [action]);
