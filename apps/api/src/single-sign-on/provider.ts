/* The service where a company keeps its people, asked by OpenID Connect through the guarded way out. */
import { problem, type SystemSettings } from '@pdf2press/contract';
import { guardedFetch } from '@pdf2press/engine';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import { z } from 'zod';
import type { ApiDeps } from '../deps.ts';

/** A call to the service ends after this many seconds, however far it is. */
const callSeconds = 15;
/** More than any description, key set or token has. */
const mostBytes = 1024 * 1024;
const scope = 'openid email profile';

/** How an installation is registered at a service. */
export type Registration = Pick<SystemSettings['singleSignOnSettings'], 'issuer' | 'clientId' | 'clientSecret'>;

/** What binds an answer of the service to the question. */
export interface Proofs {
  state: string;
  nonce: string;
  /** PKCE: the service is told its hash, and given it with the code. */
  verifier: string;
}

/** Who somebody is, as the service says. */
export interface Claims {
  issuer: string;
  subject: string;
  email: string;
  isVerified: boolean;
  firstName: string;
  lastName: string;
  locale: string;
}

const claimsSchema = z.object({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  email: z.string().max(254).pipe(z.email()).optional().catch(undefined),
  // Some services write the word.
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
    .optional()
    .catch(undefined),
  name: z.string().optional().catch(undefined),
  given_name: z.string().optional().catch(undefined),
  family_name: z.string().optional().catch(undefined),
  locale: z.string().max(35).optional().catch(undefined),
});

/** The answer with at most so many bytes of its body; more of it is an error. */
async function bounded(response: Response): Promise<Response> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > mostBytes) throw new Error('the answer of the sign-in service is too long');
    parts.push(part);
  }
  const { status, headers } = response;
  return new Response(parts.length === 0 ? null : Buffer.concat(parts), { status, headers });
}

/** The way out for one sign-in, and whether the service failed to answer on it. */
function wayOut({ env, stopping }: ApiDeps): { fetch: CustomFetch; hasFailed: () => boolean } {
  const send = guardedFetch(env.outboundAllowedHosts);
  let hasFailed = false;
  const fetch: CustomFetch = async (url, { method, headers, body, signal }) => {
    try {
      const text = body instanceof URLSearchParams ? body.toString() : null;
      const ends = signal ? AbortSignal.any([signal, stopping]) : stopping;
      const response = await bounded(await send(url, { method, headers, body: text, signal: ends }));
      hasFailed ||= response.status >= 500;
      return response;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  return { fetch, hasFailed: () => hasFailed };
}

/** How the service lets the installation prove itself: as it says, else as OpenID Connect says (Core, section 9). */
function authOf({ clientSecret }: Registration): ClientAuth {
  if (!clientSecret) return None();
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    return auth(clientSecret)(server, ...rest);
  };
}

/** Reads what the service says of itself. Signatures of its tokens are always verified. */
const describe = (registration: Registration, fetch: CustomFetch): Promise<Configuration> => {
  const issuer = new URL(registration.issuer);
  return discovery(issuer, registration.clientId, undefined, authOf(registration), {
    [customFetch]: fetch,
    timeout: callSeconds,
    // Plain http is reached only where the environment allows this very host and port.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  });
};

/** The page of the service where a person signs in. @throws ProblemError `singleSignOn.unreachable` */
export async function signInAddress(
  deps: ApiDeps,
  registration: Registration,
  { redirect, proofs }: { redirect: string; proofs: Proofs },
): Promise<string> {
  try {
    const service = await describe(registration, wayOut(deps).fetch);
    return buildAuthorizationUrl(service, {
      redirect_uri: redirect,
      scope,
      state: proofs.state,
      nonce: proofs.nonce,
      code_challenge: await calculatePKCECodeChallenge(proofs.verifier),
      code_challenge_method: 'S256',
    }).href;
  } catch (error) {
    deps.log.warn({ err: error }, 'single sign-on: the service does not answer');
    throw problem('singleSignOn.unreachable');
  }
}

/** Whether the service answers as it should. @throws ProblemError `singleSignOn.unreachable` */
export async function tryService(deps: ApiDeps, issuer: string): Promise<void> {
  const registration = { issuer, clientId: 'test', clientSecret: null };
  await signInAddress(deps, registration, {
    redirect: deps.env.publicUrl,
    proofs: { state: 'test', nonce: 'test', verifier: 'test' },
  });
}

/** What the service says of the person; what the token leaves out is asked for. */
async function readClaims(service: Configuration, answer: Awaited<ReturnType<typeof authorizationCodeGrant>>) {
  const token = claimsSchema.parse(answer.claims());
  const isWhole = token.email !== undefined && token.email_verified !== undefined;
  if (isWhole || service.serverMetadata().userinfo_endpoint === undefined) return token;
  const told = await fetchUserInfo(service, answer.access_token, token.sub);
  return claimsSchema.parse({ ...told, ...answer.claims(), iss: token.iss, sub: token.sub });
}

/**
 * Exchanges the code for who the person is: state, nonce, PKCE, issuer, audience, times and signature are verified.
 * @throws ProblemError `singleSignOn.refused`, `singleSignOn.unreachable`
 */
export async function redeem(
  deps: ApiDeps,
  registration: Registration,
  { returned, proofs }: { returned: URL; proofs: Proofs },
): Promise<Claims> {
  const { fetch, hasFailed } = wayOut(deps);
  try {
    const service = await describe(registration, fetch);
    const answer = await authorizationCodeGrant(service, returned, {
      expectedState: proofs.state,
      expectedNonce: proofs.nonce,
      pkceCodeVerifier: proofs.verifier,
      idTokenExpected: true,
    });
    const claims = await readClaims(service, answer);
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: (claims.email ?? '').toLowerCase(),
      isVerified: claims.email !== undefined && claims.email_verified === true,
      firstName: (claims.given_name ?? claims.name ?? '').trim().slice(0, 100),
      lastName: (claims.family_name ?? '').trim().slice(0, 100),
      locale: claims.locale ?? '',
    };
  } catch (error) {
    deps.log.warn({ err: error }, 'single sign-on: the service does not confirm a person');
    throw problem(hasFailed() ? 'singleSignOn.unreachable' : 'singleSignOn.refused');
  }
}
