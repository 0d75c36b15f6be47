import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { readSigned, refreshAbsoluteSeconds, sign } from './tokens.ts';

const isSecure = (deps: ApiDeps) => deps.env.publicUrl.startsWith('https:');

/** `__Host-` binds a cookie to this very host, but browsers take it over https only. */
const refreshName = (deps: ApiDeps) => (isSecure(deps) ? '__Host-rt' : 'rt');
const consentName = (deps: ApiDeps) => (isSecure(deps) ? '__Host-oauth' : 'oauth');
const deviceName = (deps: ApiDeps) => (isSecure(deps) ? '__Host-device' : 'device');

const options = (deps: ApiDeps) => ({ httpOnly: true, sameSite: 'strict', secure: isSecure(deps), path: '/' }) as const;

export function setRefreshCookie(deps: ApiDeps, reply: FastifyReply, token: string): void {
  reply.setCookie(refreshName(deps), token, { ...options(deps), maxAge: refreshAbsoluteSeconds });
}

export function clearRefreshCookie(deps: ApiDeps, reply: FastifyReply): void {
  reply.clearCookie(refreshName(deps), options(deps));
}

/**
 * The refresh token from the cookie of our web app. Accepted only from a page of our own origin, which the browser tells
 * in `Sec-Fetch-Site`; besides, browsers do not send a cookie with SameSite=Strict from other sites.
 */
export function refreshCookie(deps: ApiDeps, request: FastifyRequest): string | undefined {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return undefined;
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(deps, origin, request.headers.host)) return undefined;
  return request.cookies[refreshName(deps)];
}

function isOwnOrigin(deps: ApiDeps, origin: string, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: originHost } = new URL(origin);
  return originHost === host || originHost === new URL(deps.env.publicUrl).host;
}

/** The id of a browser that this person signed in with before; undefined for any other. */
export function knownDevice(deps: ApiDeps, request: FastifyRequest, email: string): string | undefined {
  const value = readSigned(deps.keys.derive('known device'), request.cookies[deviceName(deps)]);
  const [device, owner] = value?.split('|') ?? [];
  return owner === email ? device : undefined;
}

export function rememberDevice(deps: ApiDeps, reply: FastifyReply, email: string): void {
  const value = sign(deps.keys.derive('known device'), `${randomBytes(12).toString('base64url')}|${email}`);
  reply.setCookie(deviceName(deps), value, { ...options(deps), maxAge: 365 * 86_400 });
}

/** How long a browser is shown a proof whose code was entered in it, seconds. */
const guardSeconds = 8 * 3600;
const guardName = 'proof-guard';

/** A link to a proof as a guard names it: a new link has another number, and asks for a code again. */
interface GuardedLink {
  /** Of the link's routes; the cookie is sent to no other. */
  path: string;
  recipientId: string;
  linkNo: number;
}

/** Whether the code of a link was entered in this browser, a short while ago. */
export function hasProofGuard(
  deps: ApiDeps,
  request: FastifyRequest,
  { recipientId, linkNo }: Omit<GuardedLink, 'path'>,
) {
  const value = readSigned(deps.keys.derive('proof guard'), request.cookies[guardName]);
  const [whose, no, until] = value?.split('|') ?? [];
  return whose === recipientId && Number(no) === linkNo && Number(until) > Date.now();
}

export function setProofGuard(deps: ApiDeps, reply: FastifyReply, { path, recipientId, linkNo }: GuardedLink): void {
  const until = Date.now() + guardSeconds * 1000;
  const value = sign(deps.keys.derive('proof guard'), `${recipientId}|${linkNo}|${until}`);
  reply.setCookie(guardName, value, { ...options(deps), path, maxAge: guardSeconds });
}

/** Binds signing in at another service to the browser that began it. */
export function setConsentCookie(deps: ApiDeps, reply: FastifyReply, secret: string, seconds: number): void {
  reply.setCookie(consentName(deps), secret, { ...options(deps), maxAge: seconds });
}

/** The secret of this browser, which serves once; empty = it has begun nothing. */
export function takeConsentCookie(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): string {
  reply.clearCookie(consentName(deps), options(deps));
  return request.cookies[consentName(deps)] ?? '';
}
