/* Exported as `@pdf2press/sources/sign-in`: how accounts of cloud storages and mailboxes sign in at their services. */
import { type CloudProvider, SourceFaultError } from '@pdf2press/contract';
import { z } from 'zod';
import type { CloudApp, CloudApps, GuardedFetch } from './source.ts';

/** How accounts sign in at a service (OAuth 2.0 with PKCE). */
interface SignIn {
  authorize: (app: CloudApp) => string;
  token: (app: CloudApp) => string;
  /** Where a consent is withdrawn by its token; absent = the service offers no such address. */
  revoke?: (endpoint: string | undefined) => string;
  /** What the service names itself in its answers (RFC 9207), where it does. */
  issuer: (app: CloudApp) => string | undefined;
  more: Readonly<Record<string, string>>;
  /** Who runs the service: there the installation is registered. */
  company: string;
  /** The variables of the environment that register the installation. */
  variables: readonly [string, string];
}

/** Where people sign in for a Graph that is not the public one (learn.microsoft.com/graph/deployments). */
const sovereignSignIn: Readonly<Record<string, string>> = {
  'https://graph.microsoft.us': 'https://login.microsoftonline.us',
  'https://dod-graph.microsoft.us': 'https://login.microsoftonline.us',
  'https://microsoftgraph.chinacloudapi.cn': 'https://login.chinacloudapi.cn',
};
const microsoft = ({ endpoint }: CloudApp, step: string): string => {
  const server = endpoint === undefined ? 'https://login.microsoftonline.com' : (sovereignSignIn[endpoint] ?? endpoint);
  return `${server}/common/oauth2/v2.0/${step}`;
};

const signIns: Readonly<Record<CloudProvider, SignIn>> = {
  GoogleDrive: {
    authorize: ({ endpoint = 'https://accounts.google.com' }) => `${endpoint}/o/oauth2/v2/auth`,
    token: ({ endpoint = 'https://oauth2.googleapis.com' }) => `${endpoint}/token`,
    revoke: (endpoint = 'https://oauth2.googleapis.com') => `${endpoint}/revoke`,
    issuer: ({ endpoint = 'https://accounts.google.com' }) => endpoint,
    // Without these Google gives a refresh token the first time only.
    more: { access_type: 'offline', prompt: 'consent' },
    company: 'Google',
    variables: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  },
  OneDrive: {
    authorize: (app) => microsoft(app, 'authorize'),
    token: (app) => microsoft(app, 'token'),
    issuer: () => undefined,
    more: { response_mode: 'query', prompt: 'select_account' },
    company: 'Microsoft',
    variables: ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  },
};

/** The variables of the environment that register the installation at a service. */
export const cloudVariables = (provider: CloudProvider): readonly string[] => signIns[provider].variables;

/** Who runs a service. */
export const companyOf = (provider: CloudProvider): string => signIns[provider].company;

/** The installation's registration. @throws SourceFaultError `source.notSetUp` naming the variables that are missing */
export function cloudAppOf(apps: CloudApps, provider: CloudProvider): CloudApp {
  const app = apps[provider];
  if (app) return app;
  const variables = cloudVariables(provider).join(', ');
  throw new SourceFaultError('source.notSetUp', { provider: signIns[provider].company, variables });
}

/** The page of the service at which a person consents. Without the first of the scopes an answer is of no use. */
export function consentAddress(
  provider: CloudProvider,
  app: CloudApp,
  {
    state,
    challenge,
    redirect,
    scopes,
    account,
  }: { state: string; challenge: string; redirect: string; scopes: readonly string[]; account?: string | undefined },
): string {
  const signIn = signIns[provider];
  const url = new URL(signIn.authorize(app));
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirect,
    scope: scopes.join(' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...signIn.more,
    ...(account !== undefined && { login_hint: account }),
  }).toString();
  return url.href;
}

/** Whether an answer may come from this service: another one that names itself was mixed up with it. */
export const isIssuer = (provider: CloudProvider, app: CloudApp, named: string | undefined): boolean => {
  const issuer = signIns[provider].issuer(app);
  return named === undefined || issuer === undefined || named === issuer;
};

const tokenSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.coerce.number().min(0).default(3600),
  scope: z.string().optional(),
  id_token: z.string().max(20_000).optional(),
});
export type CloudToken = z.output<typeof tokenSchema>;

const refusalSchema = z.object({ error: z.string() });

interface Asking {
  provider: CloudProvider;
  app: CloudApp;
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/** Seconds that an answer asks to wait: a number or a time, within an hour whatever the clocks say. */
export function waitOf(response: Response, now: number): number {
  const said = response.headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - now) / 1000;
  return Math.min(3600, Math.max(1, Math.round(Number.isNaN(seconds) ? 30 : seconds)));
}

async function askForToken({ provider, app, fetch, signal }: Asking, given: Record<string, string>) {
  const response = await fetch(signIns[provider].token(app), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      client_id: app.clientId,
      client_secret: app.clientSecret,
      ...given,
    }).toString(),
    signal,
  });
  if (response.status === 429 || response.status === 503)
    throw new SourceFaultError('source.busy', { seconds: waitOf(response, Date.now()) });
  if (response.status >= 500) throw new SourceFaultError('source.unreachable');
  const body: unknown = await response.json().catch(() => undefined);
  const token = tokenSchema.safeParse(body);
  if (response.ok && token.success) return token.data;
  const refusal = refusalSchema.safeParse(body);
  // The answer itself may hold what was sent; only its code is passed on.
  const cause = new Error(
    `the service refuses a token: ${refusal.success ? refusal.data.error.slice(0, 60) : response.status}`,
  );
  throw new SourceFaultError('source.signInNeeded', {}, { cause });
}

const claimsSchema = z.object({ email: z.string().optional(), preferred_username: z.string().optional() });

/**
 * Whose token it is, where an OpenID scope asked for that. It came from the service itself by an encrypted connection, so
 * its signature tells nothing more (OpenID Connect Core, 3.1.3.7).
 */
function accountIn(idToken: string | undefined): string | undefined {
  const [, claims = ''] = idToken?.split('.') ?? [];
  try {
    const { email, preferred_username: name } = claimsSchema.parse(
      JSON.parse(Buffer.from(claims, 'base64url').toString()),
    );
    return email ?? name;
  } catch {
    return undefined; // a service that says nothing of the account, or not in this way
  }
}

/** What a consent gave. */
export interface Redeemed {
  refreshToken: string;
  /** Who consented, where the service tells it. */
  account: string | undefined;
}

/**
 * Exchanges the code of the callback for what the account has allowed.
 * @throws SourceFaultError `source.signInNeeded` when the service refuses it, `source.denied` when less was allowed
 */
export async function redeemCode(
  asking: Asking,
  { code, verifier, redirect, scopes }: { code: string; verifier: string; redirect: string; scopes: readonly string[] },
): Promise<Redeemed> {
  const token = await askForToken(asking, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirect,
  });
  const [needed = ''] = scopes;
  // Microsoft may write a scope with the address of its service before it.
  const given = token.scope?.split(' ').map((scope) => scope.toLowerCase());
  const isEnough = given?.some((scope) => scope === needed.toLowerCase() || scope.endsWith(`/${needed.toLowerCase()}`));
  if (isEnough === false || token.refresh_token === undefined) throw new SourceFaultError('source.denied');
  return { refreshToken: token.refresh_token, account: accountIn(token.id_token) };
}

/** A new access token; services may replace the refresh token with it. @throws SourceFaultError `source.signInNeeded` */
export const refreshToken = (asking: Asking, refresh: string): Promise<CloudToken> =>
  askForToken(asking, { grant_type: 'refresh_token', refresh_token: refresh });

/** Whether the service takes a consent back by its token. Microsoft only signs a person out of everything at once. */
export const canWithdraw = (provider: CloudProvider): boolean => signIns[provider].revoke !== undefined;

/**
 * Withdraws what an account has consented to. One that does not count any more is withdrawn already. Google takes with it all
 * that the account has consented to of this installation.
 * @throws SourceFaultError `source.busy`, `source.unreachable`, `source.denied` when the service refuses it
 */
export async function withdrawConsent(
  {
    provider,
    endpoint,
    fetch,
    signal,
  }: Pick<Asking, 'provider' | 'fetch' | 'signal'> & { endpoint: string | undefined },
  refresh: string,
): Promise<void> {
  const address = signIns[provider].revoke?.(endpoint);
  if (address === undefined) throw new SourceFaultError('source.denied');
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ token: refresh }).toString(),
    signal,
  });
  const refusal = refusalSchema.safeParse(await response.json().catch(() => undefined));
  // developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke
  if (response.ok || (refusal.success && refusal.data.error === 'invalid_token')) return;
  if (response.status === 429 || response.status === 503)
    throw new SourceFaultError('source.busy', { seconds: waitOf(response, Date.now()) });
  throw new SourceFaultError(response.status >= 500 ? 'source.unreachable' : 'source.denied');
}
