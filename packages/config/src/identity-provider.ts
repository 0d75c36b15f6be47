import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Context, Provider } from 'oidc-provider';

/** What the service says of a person beside their name there. */
export interface PersonAtProvider {
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  locale?: string;
}

export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who has an account there, by the name that the service gives nobody else. */
  people: Map<string, PersonAtProvider>;
  /** Signs somebody in as a browser would, from the address that a sign-in begins with; resolves to where it leads back. */
  signIn: (address: string, subject: string) => Promise<URL>;
  stop: () => Promise<void>;
}

const page = `<!doctype html><html lang="en"><title>The house’s service</title><main><h1>The house’s service</h1>
<form method="post"><label>Account <input name="subject"></label> <button>Go on</button></form></main></html>`;

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return new URLSearchParams(text);
}

/** Everybody who signs in agrees to what is asked for. */
async function agreed({ oidc }: Context) {
  const { clientId } = oidc.client;
  const { accountId } = oidc.session;
  const grant = new oidc.provider.Grant({ clientId, accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

/** Follows an address with the cookies of one browser until it leaves the service. */
async function walk(issuer: string, address: string, subject: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(address);
  let form: URLSearchParams | undefined;
  for (let hop = 0; hop < 10; hop += 1) {
    if (url.origin !== new URL(issuer).origin) return url;
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const next = response.headers.get('location');
    if (response.status >= 400) throw new Error(`the service answers ${response.status}: ${await response.text()}`);
    form = next === null ? new URLSearchParams({ subject }) : undefined;
    if (next !== null) url = new URL(next, url);
  }
  throw new Error('the service leads in circles');
}

/** A real identity provider (OpenID Connect) for tests, with one registered installation. */
export async function startIdentityProvider({
  port = 0,
  redirect,
  clientSecret = randomBytes(24).toString('base64url'),
}: {
  port?: number;
  /** Where the installation takes people back. */
  redirect: string;
  /** Of one that is started again. */
  clientSecret?: string;
}): Promise<IdentityProvider> {
  const people = new Map<string, PersonAtProvider>();
  const clientId = 'the-press';
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirect] }],
    jwks: { keys: [{ ...key, kid: 'one', use: 'sig' }] },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'locale'] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: agreed,
    findAccount: (_: unknown, accountId: string) =>
      people.has(accountId)
        ? { accountId, claims: async () => ({ sub: accountId, ...people.get(accountId) }) }
        : undefined,
  });
  const callback = provider.callback();
  answer = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      void callback(request, response);
    } else if (request.method === 'POST') {
      void bodyOf(request).then((given) =>
        provider.interactionFinished(request, response, { login: { accountId: given.get('subject') ?? '' } }),
      );
    } else {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    }
  };
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    signIn: (address, subject) => walk(issuer, address, subject),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
