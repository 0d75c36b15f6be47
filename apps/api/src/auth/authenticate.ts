import jwt from '@fastify/jwt';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../frame/caller.ts';
import { accessSeconds } from './tokens.ts';

declare module '@fastify/jwt' {
  interface FastifyJWT {
    /** Subscriber, and the signed-in session with its permission version or the embed token that it was given for. */
    payload: { sub: string; tid: string } & ({ sid: string; pv: number } | { eid: string });
  }
}

const keyPrefix = 'p2p_';

/** The credential a request carries: `Authorization: Bearer …`, or `X-Api-Key` for programs that cannot set it. */
function credentialOf(request: FastifyRequest): string | undefined {
  const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
  if (scheme?.toLowerCase() === 'bearer' && token) return token;
  const key = request.headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

async function callerOf(app: FastifyInstance, deps: ApiDeps, request: FastifyRequest): Promise<Caller | null> {
  const credential = credentialOf(request);
  if (!credential) return null;
  if (credential.startsWith(keyPrefix)) return deps.callers.byKey(credential);
  let payload: { sid: string } | { eid: string };
  try {
    payload = app.jwt.verify<typeof payload>(credential);
  } catch {
    return null; // expired, forged and malformed tokens mean that nobody is signed in
  }
  return 'eid' in payload ? deps.callers.byEmbedToken(payload.eid) : deps.callers.bySession(payload.sid);
}

/**
 * Finds out who calls before any route runs. HS256 only, with a key derived for access tokens; type, issuer and audience
 * are checked, so no other kind of token is accepted as an access token.
 */
export async function installAuthentication(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  await app.register(jwt, {
    secret: deps.keys.derive('access tokens').toString('base64'),
    sign: {
      algorithm: 'HS256',
      iss: 'pdf2press',
      aud: 'api',
      expiresIn: `${accessSeconds}s`,
      header: { typ: 'at+jwt', alg: 'HS256' },
    },
    verify: {
      algorithms: ['HS256'],
      allowedIss: 'pdf2press',
      allowedAud: 'api',
      checkTyp: 'at+jwt',
      // What is only compared where it is present must be present.
      requiredClaims: ['iss', 'aud', 'exp', 'sub'],
    },
  });
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.access) request.caller = await callerOf(app, deps, request);
  });
}
