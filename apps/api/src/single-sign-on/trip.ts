/* Leading somebody to the sign-in service and taking them back, whatever for. */
import { createHmac } from 'node:crypto';
import { problem, type routes, type SystemSettings } from '@pdf2press/contract';
import { readSettings } from '@pdf2press/engine';
import { revealSecret } from '@pdf2press/engine/secrets';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setConsentCookie, takeConsentCookie } from '../auth/cookies.ts';
import { makeOneTimeToken, useOneTimeToken } from '../auth/one-time-tokens.ts';
import { hashOf, randomToken } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import type { ReadBody } from '../frame/bind.ts';
import { firstSubscriberId } from '../setup/set-up.ts';
import { type Claims, type Proofs, type Registration, redeem, signInAddress } from './provider.ts';

/** Of the client secret that settings hold. */
export const clientSecretPurpose = 'singleSignOn.clientSecret';

/** How long a person may take at the service. */
const seconds = 600;

export interface Offer {
  subscriberId: string;
  settings: SystemSettings['singleSignOnSettings'];
}

/** What a company offers; without its id, the first company of the installation. Null = nothing. */
export const readOffer = (deps: ApiDeps, company: string | undefined): Promise<Offer | null> =>
  deps.db.asHost(async (tx) => {
    const subscriberId = company ?? (await firstSubscriberId(tx));
    const subscriber = subscriberId ? await tx.subscriber.findUnique({ where: { id: subscriberId } }) : null;
    if (!subscriber?.isActive) return null;
    const { singleSignOnSettings: settings } = await readSettings(tx, subscriber.id);
    return settings.isOn ? { subscriberId: subscriber.id, settings } : null;
  });

/** The registration with its secret in clear text. */
async function registrationOf(deps: ApiDeps, { subscriberId, settings }: Offer): Promise<Registration> {
  const { clientSecret: id, ...registration } = settings;
  const about = id === null ? null : { subscriberId, id, purpose: clientSecretPurpose };
  const clientSecret =
    about && (await deps.db.withSubscriber({ subscriberId }, (tx) => revealSecret(tx, deps.keys, about)));
  return { ...registration, clientSecret };
}

/** Nonce and verifier follow from the state and the secret of the browser: neither is stored, and neither serves another. */
function proofsOf({ keys }: ApiDeps, state: string, browser: string): Proofs {
  const made = (what: string) =>
    createHmac('sha256', keys.derive(`single sign-on ${what}`))
      .update(`${state}|${browser}`)
      .digest('base64url');
  return { state, nonce: made('nonce'), verifier: made('verifier') };
}

/** The page that the service leads people back to. */
const redirectOf = ({ env }: ApiDeps): string => `${env.publicUrl}/login`;
const browserMark = (secret: string): string => Buffer.from(hashOf(secret)).toString('hex');

/**
 * Leads a browser to the service; what comes back is taken by `endTrip`.
 * @throws ProblemError `singleSignOn.notOffered`, `singleSignOn.unreachable`
 */
export async function beginTrip(
  deps: ApiDeps,
  reply: FastifyReply,
  { company, userId, purpose }: { company: string | undefined; userId: string | null; purpose: string },
): Promise<{ address: string }> {
  const offer = await readOffer(deps, company);
  if (!offer) throw problem('singleSignOn.notOffered');
  const { subscriberId, settings } = offer;
  const browser = randomToken();
  const { issuer, clientId } = settings;
  const data = { browser: browserMark(browser), issuer, clientId };
  const state = await deps.db.withSubscriber({ subscriberId }, (tx) =>
    makeOneTimeToken(tx, { subscriberId, userId, purpose, seconds, data }),
  );
  const proofs = proofsOf(deps, state, browser);
  const address = await signInAddress(deps, await registrationOf(deps, offer), { redirect: redirectOf(deps), proofs });
  setConsentCookie(deps, reply, browser, seconds);
  return { address };
}

type Returned = ReadBody<typeof routes.singleSignOn.link>;

/** What a state must have been made for. */
interface Trip {
  browser: string;
  purpose: string;
  /** Whose it is; without it, of somebody who is still to come in. */
  userId?: string;
}

/** Uses up a state, whatever comes of it. @throws ProblemError `singleSignOn.stateInvalid`, the same for every reason */
async function takeState(deps: ApiDeps, state: string, { browser, purpose, userId }: Trip): Promise<Offer> {
  const wanted = { purposes: [purpose], data: { browser: browserMark(browser) }, ...(userId && { userId }) };
  const used = await deps.db.asHost((tx) => useOneTimeToken(tx, state, wanted));
  const offer = used && (await readOffer(deps, used.subscriberId));
  const begun = used?.data as { issuer: string; clientId: string } | undefined;
  // An answer counts for what was asked, not for what the settings name by now.
  const isSame = offer?.settings.issuer === begun?.issuer && offer?.settings.clientId === begun?.clientId;
  if (!offer || !isSame) throw problem('singleSignOn.stateInvalid');
  return offer;
}

/** What the service sent back, as the address that it leads to. */
function returnedAddress(deps: ApiDeps, { state, code, iss }: Returned): URL {
  const address = new URL(redirectOf(deps));
  for (const [name, value] of Object.entries({ state, code, iss }))
    if (value !== undefined) address.searchParams.set(name, value);
  return address;
}

/**
 * Takes back who was led to the service: what was offered then, and `ask`, which redeems what the service sent.
 * @throws ProblemError `singleSignOn.stateInvalid`; `ask` rejects with `singleSignOn.refused`, `singleSignOn.unreachable`
 */
export async function endTrip(
  deps: ApiDeps,
  { request, reply, body }: { request: FastifyRequest; reply: FastifyReply; body: Returned },
  trip: Omit<Trip, 'browser'>,
): Promise<{ offer: Offer; ask: () => Promise<Claims> }> {
  const browser = takeConsentCookie(deps, request, reply);
  const offer = await takeState(deps, body.state, { ...trip, browser });
  const ask = async () => {
    if (body.error !== undefined || body.code === undefined) throw problem('singleSignOn.refused');
    const registration = await registrationOf(deps, offer);
    const returned = returnedAddress(deps, body);
    return redeem(deps, registration, { returned, proofs: proofsOf(deps, body.state, browser) });
  };
  return { offer, ask };
}
