import { type CloudProvider, SourceFaultError } from '@pdf2press/contract';
import { type AccessTools, accessOf } from '../access-token.ts';
import { cloudAppOf, waitOf } from '../sign-in.ts';
import type { CloudGrant } from './contract.ts';

/** Google answers 403 to what others answer 429 to (developers.google.com/workspace/drive/api/guides/handle-errors). */
const tooMany = /rateLimitExceeded|dailyLimitExceeded|quotaExceeded|TooManyRequests|activityLimitReached/i;

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
  /** A request to an address that is a permission by itself, such as that of an upload: it is not signed in. */
  fetchOpen: (
    address: string,
    init: { method: string; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> },
  ) => Promise<Response>;
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

/** Signs the requests of an account in by its grant; what the service refuses once is asked with a new token. */
export function signedIn(
  { provider, hasLibraries, grant }: { provider: CloudProvider; hasLibraries: boolean; grant: CloudGrant },
  tools: AccessTools,
  signal: AbortSignal,
): SignedIn {
  const { endpoint } = cloudAppOf(tools.cloudApps, provider);
  const accessToken = accessOf({ provider, grant }, tools, signal);

  async function send(address: string, init: CloudRequest, isRefused: boolean): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${await accessToken(isRefused)}`);
    const body = typeof init.body === 'string' ? init.body : null;
    return tools.fetch(address, { method: init.method ?? 'GET', headers, body, signal });
  }

  const demandNoFault = async (response: Response): Promise<Response> => {
    const fault = await faultOf(response);
    if (!fault) return response;
    await response.body?.cancel().catch(() => undefined); // its text was read
    throw fault;
  };

  return {
    endpoint,
    hasLibraries,
    fetchOpen: async (address, init) => demandNoFault(await tools.fetch(address, { ...init, signal })),
    fetch: async (address, init) => {
      let response = await send(address, init, false);
      if (response.status === 401) {
        await response.body?.cancel();
        response = await send(address, init, true);
      }
      return demandNoFault(response);
    },
  };
}
