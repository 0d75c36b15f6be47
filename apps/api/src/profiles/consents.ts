/* Connecting the account of a cloud storage or a mailbox at its service: OAuth 2.0 with PKCE and a bound state. */
import { createHash, createHmac } from 'node:crypto';
import {
  type CloudProvider,
  errorStatuses,
  ProblemError,
  type ProfileKind,
  problem,
  type routes,
  SourceFaultError,
} from '@pdf2press/contract';
import { connectionSecretPurpose, guardedFetch, retryInlets } from '@pdf2press/engine';
import { keepSecret, revealSecret } from '@pdf2press/engine/secrets';
import type { Transaction } from '@pdf2press/prisma';
import type { SourceTools } from '@pdf2press/sources/contracts';
import {
  cloudAppOf,
  cloudVariables,
  consentAddress,
  isIssuer,
  type Redeemed,
  redeemCode,
} from '@pdf2press/sources/sign-in';
import { setConsentCookie, takeConsentCookie } from '../auth/cookies.ts';
import { makeOneTimeToken, useOneTimeToken } from '../auth/one-time-tokens.ts';
import { hashOf, randomToken } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { consentTarget, forgetSecret } from './connection-secrets.ts';
import { addVersion } from './store.ts';
import { storedSettings } from './stored-settings.ts';

/** A call to a service ends after this many milliseconds, however far it is. */
const callMs = 30_000;
const consentSeconds = 600;

type Stored = Readonly<Record<string, unknown>>;
type Fact = Record<string, string | boolean>;

/** What the account of a profile is asked for. */
interface Asked {
  provider: CloudProvider;
  /** What is kept with the consent, and with what it gives. */
  wanted: Fact;
  scopes: readonly string[];
  /** Whose consent is asked for, where that is known. */
  account?: string | undefined;
}

/** What the consent of an account is to one kind of profile. */
export interface ConsentKind {
  kind: ProfileKind & ('cloudStorage' | 'inboundEmail');
  routes: Pick<(typeof routes)['cloudStorages' | 'mailboxes'], 'connect' | 'callback'>;
  /** Of the one-time tokens. */
  purpose: string;
  /** The page that the service leads people back to. */
  leadsBack: string;
  /** @throws SourceFaultError `source.notSetUp`, ProblemError where nobody can consent */
  asks: (deps: ApiDeps, stored: Stored) => Asked;
  /** What is stored of a consent, and whose it is. */
  accept: (given: {
    stored: Stored;
    redeemed: Redeemed;
    wanted: Fact;
    tools: ReturnType<typeof consentTools>;
    signal: AbortSignal;
  }) => Promise<{ grant: object; account: string }>;
}

export const redirectOf = ({ env }: ApiDeps, leadsBack: string): string => `${env.publicUrl}${leadsBack}`;

/** The services of a kind, and whether this installation is registered at them. */
export const servicesOf = <S extends string>(
  { env }: ApiDeps,
  services: readonly S[],
  providerOf: (service: S) => CloudProvider,
) =>
  services.map((provider) => ({
    provider,
    isSetUp: env.cloudApps[providerOf(provider)] !== undefined,
    variables: [...cloudVariables(providerOf(provider))],
  }));

/** PKCE: the service is told the challenge, and given the verifier with the code; it follows from the state. */
const verifierOf = ({ keys }: ApiDeps, state: string): string =>
  createHmac('sha256', keys.derive('cloud consent')).update(state).digest('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export const signalOf = ({ stopping }: ApiDeps): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(callMs), stopping]);

/** Answers the fault of a service as a problem of the call, where its code is one. */
export async function answered<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = signal.aborted ? new SourceFaultError('source.unreachable') : error;
    if (!(fault instanceof SourceFaultError)) throw error;
    const { code, params } = fault;
    if (!(code in errorStatuses)) throw error;
    throw new ProblemError({ code: code as keyof typeof errorStatuses, params });
  }
}

/** The grant of a stored connection, in clear text; undefined = nobody has connected it. */
export async function grantOf(tx: Transaction, deps: ApiDeps, subscriberId: string, stored: Stored): Promise<unknown> {
  if (typeof stored.secretId !== 'string') return undefined;
  const about = { subscriberId, id: stored.secretId, purpose: connectionSecretPurpose };
  return JSON.parse(await revealSecret(tx, deps.keys, about)) as unknown;
}

/** Stores what a service has made of a grant, in the place of that one. */
const renewalOf =
  (deps: ApiDeps, caller: Caller, stored: Stored) =>
  (secret: unknown): Promise<void> =>
    asCaller(deps, caller, async (tx) => {
      const { subscriberId } = caller;
      const id = String(stored.secretId);
      const text = JSON.stringify(secret);
      await keepSecret(tx, deps.keys, { subscriberId, id, purpose: connectionSecretPurpose, text });
    });

/** What a service is asked with, for a person's call. */
export const consentTools = (
  deps: ApiDeps,
  caller: Caller,
  stored: Stored,
): Pick<SourceTools, 'fetch' | 'cloudApps' | 'renewSecret'> => ({
  fetch: guardedFetch(deps.env.outboundAllowedHosts),
  cloudApps: deps.env.cloudApps,
  renewSecret: renewalOf(deps, caller, stored),
});

/** What is stored of the browser's secret. */
const browserMark = (secret: string): string => Buffer.from(hashOf(secret)).toString('hex');

interface Begun extends Fact {
  profileId: string;
  provider: CloudProvider;
  scopes: string;
  /** Where the grant would be sent: a consent counts for that alone. */
  target: string;
}

/** Uses up a state, whatever comes of it. @throws ProblemError `cloud.stateInvalid`, the same for every reason */
async function takeState(deps: ApiDeps, caller: Caller, purpose: string, state: string, browser: string) {
  const { userId } = caller;
  const wanted = { purposes: [purpose], data: { browser: browserMark(browser) } };
  const used = userId && (await asCaller(deps, caller, (tx) => useOneTimeToken(tx, state, { ...wanted, userId })));
  if (!used) throw problem('cloud.stateInvalid');
  return used.data as Begun;
}

/** Whether the same account has consented once more: of one service one name, however it is written. */
const isSameAccount = (stored: Stored, account: string): boolean =>
  typeof stored.account === 'string' && stored.account.toLowerCase() === account.toLowerCase();

/**
 * Stores a grant as the secret of its profile, whose next version names it. What another account had consented to before is
 * withdrawn; a consent of the same one stays, for the service withdraws all of an account's at once.
 */
async function keepGrant(
  tx: Transaction,
  { deps, caller, kind, begun }: { deps: ApiDeps; caller: Caller; kind: ProfileKind; begun: Begun },
  { grant, account }: { grant: object; account: string },
): Promise<{ id: string; name: string; account: string }> {
  const { profileId, target } = begun;
  const { subscriberId } = caller;
  const profile = found(await tx.profile.findFirst({ where: { id: profileId, kind, deletedAt: null } }));
  const now = await storedSettings(tx, kind, profileId);
  if (consentTarget(kind, now) !== target) throw problem('cloud.stateInvalid');
  const isSame = isSameAccount(now, account);
  if (!isSame) await forgetSecret(tx, kind, now);
  const id = isSame && typeof now.secretId === 'string' ? now.secretId : undefined;
  const purpose = connectionSecretPurpose;
  const secretId = await keepSecret(tx, deps.keys, { subscriberId, purpose, text: JSON.stringify(grant), id });
  const no = profile.currentNo + 1;
  const where = { id: profileId, currentNo: profile.currentNo };
  const { count } = await tx.profile.updateMany({ where, data: { currentNo: no, updatedAt: new Date() } });
  if (count === 0) throw problem('resource.conflict');
  await addVersion(tx, caller, profileId, no, { ...now, secretId, account });
  await retryInlets(tx, profileId);
  return { id: profileId, name: profile.name, account };
}

/** Binds the calls with which the account of a profile is connected. */
export function bindConsents(bind: Bind, deps: ApiDeps, consent: ConsentKind): void {
  const { kind, purpose } = consent;
  const redirect = redirectOf(deps, consent.leadsBack);

  bind(consent.routes.connect, async ({ caller, request, reply, params }) => {
    const browser = randomToken();
    const { userId, subscriberId } = caller;
    if (caller.kind !== 'user') throw problem('access.denied', { permission: 'signedIn' });
    const address = await asCaller(deps, caller, async (tx) => {
      const stored = await storedSettings(tx, kind, params.id);
      const { app, ...asked } = await answered(request.signal, async () => {
        const asks = consent.asks(deps, stored);
        return { ...asks, app: cloudAppOf(deps.env.cloudApps, asks.provider) };
      });
      const { provider, wanted, scopes, account } = asked;
      const state = await makeOneTimeToken(tx, {
        ...{ subscriberId, userId, purpose, seconds: consentSeconds },
        data: {
          ...{ ...wanted, profileId: params.id, browser: browserMark(browser) },
          ...{ provider, scopes: scopes.join(' '), target: consentTarget(kind, stored) },
        },
      });
      await audit(tx, request, { act: 'profile.connect', object: params.id, after: { kind, ...wanted } });
      const challenge = challengeOf(verifierOf(deps, state));
      return consentAddress(provider, app, { state, challenge, redirect, scopes, account });
    });
    setConsentCookie(deps, reply, browser, consentSeconds);
    return { address };
  });

  bind(consent.routes.callback, async ({ caller, request, reply, body }) => {
    const browser = takeConsentCookie(deps, request, reply);
    const begun = await takeState(deps, caller, purpose, body.state, browser);
    const { provider } = begun;
    const { code } = body;
    if (body.error !== undefined || code === undefined) throw problem('cloud.refused');
    const stored = await asCaller(deps, caller, (tx) => storedSettings(tx, kind, begun.profileId));
    if (consentTarget(kind, stored) !== begun.target) throw problem('cloud.stateInvalid');
    const signal = signalOf(deps);
    const tools = consentTools(deps, caller, stored);
    const connected = await answered(signal, async () => {
      const asking = { app: cloudAppOf(deps.env.cloudApps, provider), provider, fetch: tools.fetch, signal };
      if (!isIssuer(provider, asking.app, body.iss)) throw problem('cloud.stateInvalid');
      const verifier = verifierOf(deps, body.state);
      const scopes = begun.scopes.split(' ');
      const redeemed = await redeemCode(asking, { code, verifier, redirect, scopes });
      return consent.accept({ stored, redeemed, wanted: begun, tools, signal });
    });
    return asCaller(deps, caller, async (tx) => {
      const kept = await keepGrant(tx, { deps, caller, kind, begun }, connected);
      const { account } = connected;
      await audit(tx, request, { act: 'profile.connected', object: kept.id, after: { kind, provider, account } });
      return kept;
    });
  });
}
