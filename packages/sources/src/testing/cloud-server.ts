/* Exported as `@pdf2press/sources/testing-cloud`: Google Drive and Microsoft Graph on this machine, for tests of any package. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CloudProvider } from '@pdf2press/contract';
import type { CloudAnswer, CloudFault, CloudQuestion, CloudServer } from './cloud-wire.ts';
import { createWorld } from './cloud-world.ts';
import { answerAsDrive } from './drive-face.ts';
import { answerAsGraph } from './graph-face.ts';

export type { CloudAnswer, CloudServer } from './cloud-wire.ts';

const secret = (): string => randomBytes(12).toString('hex');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

interface Consents {
  codes: Map<string, { challenge: string; redirect: string; scope: string }>;
  refresh: Map<string, { scope: string; account: string }>;
  /** Whose token it is. */
  access: Map<string, string>;
}

/** The page at which a person consents (RFC 6749, 4.1.1; RFC 7636, 4.3). */
function consentPage(server: CloudServer, { codes }: Consents, { searchParams }: URL): CloudAnswer {
  const given = (name: string) => searchParams.get(name) ?? '';
  const back = (answer: Record<string, string>) =>
    `${given('redirect_uri')}?${new URLSearchParams({ ...answer, state: given('state') })}`;
  const isRight = given('client_id') === server.clientId && given('code_challenge_method') === 'S256';
  if (!isRight) return { status: 400, body: 'invalid_request' };
  const code = secret();
  codes.set(code, { challenge: given('code_challenge'), redirect: given('redirect_uri'), scope: given('scope') });
  // developers.google.com/identity/protocols/oauth2/web-server: the answer of Google names who gives it.
  const issued = server.provider === 'GoogleDrive' ? { iss: server.address } : {};
  const links = { Allow: back({ code, ...issued }), Deny: back({ error: 'access_denied', ...issued }) };
  const anchors = Object.entries(links).map(
    ([name, to]) => `<p><a href="${to.replaceAll('&', '&amp;')}">${name}</a></p>`,
  );
  return { status: 200, headers: { 'content-type': 'text/html' }, body: `<title>Consent</title>${anchors.join('')}` };
}

/** Whose account it is, where that was asked for (OpenID Connect Core, 3.1.3.3). */
function identityOf({ account, address }: CloudServer, scope: string): { id_token?: string } {
  if (!scope.split(' ').includes('openid')) return {};
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return { id_token: `${part({ alg: 'none' })}.${part({ iss: address, email: account })}.` };
}

/** What a mail server asks of a token that it was given (RFC 7662, 2.2). */
function introspect({ account }: CloudServer, { access }: Consents, body: string): CloudAnswer {
  const active = access.has(new URLSearchParams(body).get('token') ?? '');
  return { status: 200, body: active ? { active, email: account } : { active } };
}

/** Exchanges a code or a refresh token (RFC 6749, 4.1.3 and 6; errors by 5.2). */
function giveToken(server: CloudServer, { codes, refresh, access }: Consents, body: string): CloudAnswer {
  const given = new URLSearchParams(body);
  const refused = (error: string): CloudAnswer => ({ status: 400, body: { error } });
  if (given.get('client_id') !== server.clientId || given.get('client_secret') !== server.clientSecret)
    return { status: 401, body: { error: 'invalid_client' } };
  const token = secret();
  const base = { access_token: token, token_type: 'Bearer', expires_in: 3600 };
  if (given.get('grant_type') === 'refresh_token') {
    const consented = refresh.get(given.get('refresh_token') ?? '');
    if (consented === undefined) return refused('invalid_grant');
    const { scope, account } = consented;
    access.set(token, account);
    if (server.provider === 'GoogleDrive') return { status: 200, body: { ...base, scope } };
    // learn.microsoft.com/entra/identity-platform/refresh-tokens: each use gives a new one, and the old one stays valid.
    const next = secret();
    refresh.set(next, consented);
    return { status: 200, body: { ...base, scope, refresh_token: next } };
  }
  const code = given.get('code') ?? '';
  const consent = codes.get(code);
  codes.delete(code);
  const isRight =
    consent?.challenge === challengeOf(given.get('code_verifier') ?? '') &&
    consent.redirect === given.get('redirect_uri');
  if (!isRight) return refused('invalid_grant');
  const next = secret();
  access.set(token, server.account);
  refresh.set(next, { scope: consent.scope, account: server.account });
  const identity = identityOf(server, consent.scope);
  return { status: 200, body: { ...base, ...identity, scope: consent.scope, refresh_token: next } };
}

/**
 * Withdraws a consent, and with it whatever the account has consented to
 * (developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke). Microsoft has no such address.
 */
function withdraw({ refresh, access }: Consents, body: string): CloudAnswer {
  const token = new URLSearchParams(body).get('token') ?? '';
  const account = refresh.get(token)?.account ?? access.get(token);
  if (account === undefined) return { status: 400, body: { error: 'invalid_token' } };
  for (const [one, of] of refresh) if (of.account === account) refresh.delete(one);
  for (const [one, of] of access) if (of === account) access.delete(one);
  return { status: 200, body: {} };
}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
};

function send(response: ServerResponse, { status, headers = {}, body, cutAfter }: CloudAnswer): void {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(isRaw ? body : JSON.stringify(body));
  const type = isRaw ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, 'content-length': String(bytes.length), ...headers });
  if (cutAfter === undefined) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20));
}

const faces = { GoogleDrive: answerAsDrive, OneDrive: answerAsGraph } as const;

/** Starts a service with one drive and nothing in it; who consents is the account of the moment. */
export async function startCloudServer(provider: CloudProvider, port = 0): Promise<CloudServer> {
  const consents: Consents = { codes: new Map(), refresh: new Map(), access: new Map() };
  const faults: { fault: CloudFault; times: number }[] = [];

  function answer(question: CloudQuestion): CloudAnswer {
    const { url, headers } = question;
    for (const one of faults) {
      const faulty = one.times > 0 ? one.fault(question) : undefined;
      if (!faulty) continue;
      one.times -= 1;
      return faulty;
    }
    if (/\/(auth|authorize)$/.test(url.pathname)) return consentPage(server, consents, url);
    if (/\/token$/.test(url.pathname)) return giveToken(server, consents, question.body);
    if (url.pathname === '/revoke' && provider === 'GoogleDrive') return withdraw(consents, question.body);
    if (url.pathname === '/introspect') return introspect(server, consents, question.body);
    const isOpen = url.pathname.startsWith('/download/') || url.searchParams.has('upload_id');
    const isSigned = consents.access.has((headers.authorization ?? '').replace('Bearer ', ''));
    if (!isSigned && !isOpen) return { status: 401, body: { error: { code: 'InvalidAuthenticationToken' } } };
    return (
      faces[provider](server, question) ?? { status: 404, body: { error: { code: 404, message: 'itemNotFound' } } }
    );
  }

  const http = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', server.address);
    const { method = 'GET', headers } = request;
    server.asked.push(`${method} ${url.pathname}`);
    server.signed.push({ path: url.pathname, authorization: headers.authorization });
    try {
      const bytes = await readBody(request);
      send(response, answer({ method, url, headers, body: bytes.toString(), bytes }));
    } catch (error) {
      send(response, { status: 500, body: String(error) });
    }
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const server: CloudServer = {
    address: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    provider,
    world: createWorld(),
    clientId: 'the-client',
    clientSecret: 'the client secret',
    account: 'anna@example.com',
    pageSize: 100,
    asked: [],
    signed: [],
    grant: () => {
      const token = secret();
      const scope = 'https://www.googleapis.com/auth/drive Files.ReadWrite';
      consents.refresh.set(token, { scope, account: server.account });
      return token;
    },
    failNext: (fault, times = 1) => void faults.push({ fault, times }),
    revoke: () => {
      consents.refresh.clear();
      consents.access.clear();
    },
    counts: (token) => consents.refresh.has(token),
    endGrant: (token) => void consents.refresh.delete(token),
    endAccess: () => consents.access.clear(),
    forgetCursors: () => {
      server.world.changes.push('');
      server.cursorsFrom = server.world.changes.length;
    },
    cursorsFrom: 0,
    uploads: new Map(),
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
