import { type CloudProvider, SourceFaultError } from '@pdf2press/contract';
import type { SourceTools } from '../source.ts';
import type { CloudGrant } from './contract.ts';
import { cloudAppOf, refreshToken, waitOf } from './grant.ts';

/** An access token is replaced this long before it ends. */
const earlyMs = 60_000;

/** Google answers 403 to what others answer 429 to (developers.google.com/workspace/drive/api/guides/handle-errors). */
const tooMany = /rateLimitExceeded|dailyLimitExceeded|quotaExceeded|TooManyRequests|activityLimitReached/i;

interface Access {
  /** The grant that it was given for: another one may be another account's. */
  of: string;
  token: string;
  until: number;
}

/** What the client libraries and this folder ask for. */
export interface CloudRequest {
  method?: string | undefined;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: unknown;
}

/** How requests of one account are sent: signed in, within a poll or a call. */
export interface SignedIn {
  endpoint: string | undefined;
  hasLibraries: boolean;
  fetch: (address: string, init: CloudRequest) => Promise<Response>;
}

/** Why a service refuses, for every request alike; undefined = the answer is for whoever asked. */
async function faultOf(response: Response): Promise<SourceFaultError | undefined> {
  const { status } = response;
  if (status === 401) return new SourceFaultError('source.signInNeeded');
  if (status === 429 || status === 503)
    return new SourceFaultError('source.busy', { seconds: waitOf(response, Date.now()) });
  if (status === 403) {
    const isBusy = tooMany.test((await response.text()).slice(0, 10_000));
    return isBusy
      ? new SourceFaultError('source.busy', { seconds: waitOf(response, Date.now()) })
      : new SourceFaultError('source.denied');
  }
  return status >= 500 ? new SourceFaultError('source.unreachable') : undefined;
}

/**
 * Signs an account in by its grant. An access token is kept in `tools.memory` for the next poll and replaced when it ends,
 * by a clock that nobody sets, or when the service refuses it.
 */
export function signedIn(
  { provider, hasLibraries, grant }: { provider: CloudProvider; hasLibraries: boolean; grant: CloudGrant },
  tools: Pick<SourceTools, 'fetch' | 'cloudApps' | 'renewSecret' | 'memory' | 'now'>,
  signal: AbortSignal,
): SignedIn {
  const app = cloudAppOf(tools.cloudApps, provider);
  let current = grant;

  async function accessToken(isRefused: boolean): Promise<string> {
    const kept = tools.memory.get('access') as Access | undefined;
    if (kept?.of === current.refreshToken && !isRefused && tools.now() < kept.until) return kept.token;
    const asked = tools.now();
    const asking = { provider, app, fetch: tools.fetch, signal };
    const token = await refreshToken(asking, current.refreshToken);
    const { refresh_token: renewed = current.refreshToken } = token;
    const until = asked + Math.max(0, token.expires_in * 1000 - earlyMs);
    tools.memory.set('access', { of: renewed, token: token.access_token, until } satisfies Access);
    if (renewed !== current.refreshToken) {
      current = { ...current, refreshToken: renewed };
      await tools.renewSecret(current);
    }
    return token.access_token;
  }

  async function send(address: string, init: CloudRequest, isRefused: boolean): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${await accessToken(isRefused)}`);
    const body = typeof init.body === 'string' ? init.body : null;
    return tools.fetch(address, { method: init.method ?? 'GET', headers, body, signal });
  }

  return {
    endpoint: app.endpoint,
    hasLibraries,
    fetch: async (address, init) => {
      let response = await send(address, init, false);
      if (response.status === 401) {
        await response.body?.cancel();
        response = await send(address, init, true);
      }
      const fault = await faultOf(response);
      if (!fault) return response;
      await response.body?.cancel().catch(() => undefined); // its text was read
      throw fault;
    },
  };
}
