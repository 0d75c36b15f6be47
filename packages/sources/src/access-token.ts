import type { CloudProvider } from '@pdf2press/contract';
import { cloudAppOf, refreshToken } from './sign-in.ts';
import type { SourceTools } from './source.ts';

/** An access token is replaced this long before it ends. */
const earlyMs = 60_000;

interface Access {
  /** The grant that it was given for: another one may be another account's. */
  of: string;
  token: string;
  until: number;
}

/** What an access token is got with. */
export type AccessTools = Pick<SourceTools, 'fetch' | 'cloudApps' | 'renewSecret' | 'memory' | 'now'>;

/** Resolves to an access token; `isRefused` = the service refused the one that was given before. */
export type AccessToken = (isRefused: boolean) => Promise<string>;

/**
 * Makes the function that signs an account in by its grant. An access token is kept in `tools.memory` for the next poll and
 * replaced when it ends, by a clock that nobody sets, or when the service refuses it.
 * @throws SourceFaultError `source.notSetUp`
 */
export function accessOf(
  { provider, grant }: { provider: CloudProvider; grant: { refreshToken: string } },
  tools: AccessTools,
  signal: AbortSignal,
): AccessToken {
  const app = cloudAppOf(tools.cloudApps, provider);
  let current = grant;
  return async (isRefused) => {
    const kept = tools.memory.get('access') as Access | undefined;
    if (kept?.of === current.refreshToken && !isRefused && tools.now() < kept.until) return kept.token;
    const asked = tools.now();
    const token = await refreshToken({ provider, app, fetch: tools.fetch, signal }, current.refreshToken);
    const { refresh_token: renewed = current.refreshToken } = token;
    const until = asked + Math.max(0, token.expires_in * 1000 - earlyMs);
    tools.memory.set('access', { of: renewed, token: token.access_token, until } satisfies Access);
    if (renewed !== current.refreshToken) {
      current = { ...current, refreshToken: renewed };
      await tools.renewSecret(current);
    }
    return token.access_token;
  };
}
