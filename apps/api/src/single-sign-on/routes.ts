import { createHmac } from 'node:crypto';
import { ProblemError, problem, routes, type SystemSettings, type TokenResult } from '@pdf2press/contract';
import { readSettings } from '@pdf2press/engine';
import { revealSecret } from '@pdf2press/engine/secrets';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setConsentCookie, takeConsentCookie } from '../auth/cookies.ts';
import { makeOneTimeToken, useOneTimeToken } from '../auth/one-time-tokens.ts';
import { signInConfirmed } from '../auth/sign-in.ts';
import { hashOf, randomToken } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind, ReadBody } from '../frame/bind.ts';
import { firstSubscriberId } from '../setup/set-up.ts';
import { demandAllowed, personOf } from './people.ts';
import { type Proofs, type Registration, redeem, signInAddress, tryService } from './provider.ts';

/** Of the client secret that settings hold. */
export const clientSecretPurpose = 'singleSignOn.clientSecret';

/** Of the one-time tokens. */
const purpose = 'singleSignOn';
/** How long a person may take at the service. */
const seconds = 600;

interface Offer {
  subscriberId: string;
  settings: SystemSettings['singleSignOnSettings'];
}

/** What a company offers; without its id, the first company of the installation. Null = nothing. */
const readOffer = (deps: ApiDeps, company: string | undefined): Promise<Offer | null> =>
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

async function begin(deps: ApiDeps, reply: FastifyReply, company: string | undefined): Promise<{ address: string }> {
  const offer = await readOffer(deps, company);
  if (!offer) throw problem('singleSignOn.notOffered');
  const { subscriberId, settings } = offer;
  const browser = randomToken();
  const { issuer, clientId } = settings;
  const data = { browser: browserMark(browser), issuer, clientId };
  const state = await deps.db.withSubscriber({ subscriberId }, (tx) =>
    makeOneTimeToken(tx, { subscriberId, userId: null, purpose, seconds, data }),
  );
  const proofs = proofsOf(deps, state, browser);
  const address = await signInAddress(deps, await registrationOf(deps, offer), { redirect: redirectOf(deps), proofs });
  setConsentCookie(deps, reply, browser, seconds);
  return { address };
}

type Returned = ReadBody<typeof routes.singleSignOn.finish>;

/** Uses up a state, whatever comes of it. @throws ProblemError `singleSignOn.stateInvalid`, the same for every reason */
async function takeState(deps: ApiDeps, state: string, browser: string): Promise<Offer> {
  const wanted = { purposes: [purpose], data: { browser: browserMark(browser) } };
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

/** Writes down that nobody was let in, and why. */
async function writeRefusal(deps: ApiDeps, request: FastifyRequest, { subscriberId }: Offer, error: unknown) {
  if (!(error instanceof ProblemError)) return;
  const after = { stage: 'singleSignOn', reason: error.problems[0]?.code ?? '' };
  await deps.db.asHost((tx) => audit(tx, request, { act: 'login.failed', object: subscriberId, subscriberId, after }));
}

async function finish(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Returned,
): Promise<TokenResult> {
  const browser = takeConsentCookie(deps, request, reply);
  const offer = await takeState(deps, body.state, browser);
  const { settings, subscriberId } = offer;
  let userId: string;
  try {
    if (body.error !== undefined || body.code === undefined) throw problem('singleSignOn.refused');
    const registration = await registrationOf(deps, offer);
    const returned = returnedAddress(deps, body);
    const claims = await redeem(deps, registration, { returned, proofs: proofsOf(deps, body.state, browser) });
    demandAllowed(claims, settings);
    userId = await personOf(deps, request, { subscriberId, settings, claims });
  } catch (error) {
    await writeRefusal(deps, request, offer, error);
    throw error;
  }
  return signInConfirmed(deps, request, reply, { userId, by: settings.issuer, useCookie: body.useCookie === true });
}

export function bindSingleSignOn(bind: Bind, deps: ApiDeps): void {
  const { singleSignOn } = routes;

  bind(singleSignOn.offer, async ({ query }) => {
    const offer = await readOffer(deps, query.company);
    return { isOffered: offer !== null, label: offer?.settings.label ?? '' };
  });

  bind(singleSignOn.begin, ({ reply, body }) => begin(deps, reply, body.company));

  bind(singleSignOn.finish, ({ request, reply, body }) => finish(deps, request, reply, body));

  bind(singleSignOn.test, async ({ body }) => {
    await tryService(deps, body.issuer);
    return { isConnected: true };
  });
}
