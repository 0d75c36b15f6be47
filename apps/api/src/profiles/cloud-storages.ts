import { createHash, createHmac } from 'node:crypto';
import {
  type CloudState,
  cloudProviders,
  contractMessages,
  errorStatuses,
  type Locale,
  ProblemError,
  problem,
  routes,
  SourceFaultError,
  sentence,
} from '@pdf2press/contract';
import { connectionSecretPurpose, guardedFetch, retryInlets } from '@pdf2press/engine';
import { keepSecret, revealSecret } from '@pdf2press/engine/secrets';
import type { Transaction } from '@pdf2press/prisma';
import {
  accountOf,
  cloudAppOf,
  cloudVariables,
  consentAddress,
  isIssuer,
  listDrives,
  listFolders,
  redeemCode,
  tryCloud,
} from '@pdf2press/sources/cloud';
import { cloudSettingsSchema } from '@pdf2press/sources/contracts';
import { setConsentCookie, takeConsentCookie } from '../auth/cookies.ts';
import { makeOneTimeToken, useOneTimeToken } from '../auth/one-time-tokens.ts';
import { hashOf, randomToken } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { faultsOf, InvalidRequestError } from '../frame/read-part.ts';
import { found } from '../frame/rows.ts';
import { addVersion } from './store.ts';
import { storedSettings } from './stored-settings.ts';

const kind = 'cloudStorage';
/** A call to a service ends after this many milliseconds, however far it is. */
const callMs = 30_000;
const consentSeconds = 600;
const consentPurpose = 'cloud.consent';

interface StateRow {
  id: string;
  provider: CloudState['provider'];
  account: string | null;
  folders: number;
  isEnabled: boolean;
  isConnected: boolean;
  isTaking: boolean;
  lastOkAt: Date | null;
  dueAt: Date | null;
  failingSince: Date | null;
  errorCode: string | null;
  errorParams: Record<string, string | number> | null;
}

/** What is known of the polling of each cloud storage; its rules are those of `listCloudFolders`. */
const readStates = (tx: Transaction) => tx.$queryRaw<StateRow[]>`
  select profile.id, version.settings ->> 'provider' as provider, version.settings ->> 'account' as account,
         jsonb_array_length(version.settings -> 'folders') as folders,
         version.settings @> '{"isEnabled": true}' as "isEnabled",
         version.settings ->> 'secretId' is not null as "isConnected",
         exists (
           select 1 from jsonb_path_query(version.settings, '$.folders[*]') as folder
             join workflows workflow on workflow.id = folder ->> 'workflowId'
             join workflow_versions published on published.workflow_id = workflow.id and published.no = workflow.published_no
            where workflow.is_enabled and workflow.deleted_at is null
              and not jsonb_path_exists(published.definition,
                    '$.steps[*] ? (@.kind == "Inject").settings.ways ? (@.cloudFolder == false)')) as "isTaking",
         inlet.last_ok_at as "lastOkAt", inlet.due_at as "dueAt", inlet.failing_since as "failingSince",
         inlet.error_code as "errorCode", inlet.error_params as "errorParams"
    from profiles profile
    join profile_versions version on version.profile_id = profile.id and version.no = profile.current_no
    left join lateral (
      select * from inlets
       where inlets.connection_id = profile.id and inlets.kind = 'cloud'
         and exists (select 1 from jsonb_path_query(version.settings, '$.folders[*]') as folder
                      where inlets.place = concat(folder ->> 'driveId', ' ', folder ->> 'folderId'))
       order by inlets.failing_since nulls last, inlets.last_ok_at desc nulls last limit 1) inlet on true
   where profile.kind = 'cloudStorage' and profile.deleted_at is null
   order by profile.name, profile.id`;

function pausedOf({ isEnabled, isConnected, folders, isTaking }: StateRow): CloudState['paused'] {
  if (!isEnabled) return 'off';
  if (!isConnected) return 'connection';
  if (folders === 0) return 'folders';
  return isTaking ? null : 'workflow';
}

function stateOf(row: StateRow, locale: Locale): CloudState {
  const { id, provider, account, isConnected, folders, lastOkAt, dueAt, failingSince, errorCode, errorParams } = row;
  const paused = pausedOf(row);
  const message = errorCode === null ? '' : sentence(contractMessages, locale, errorCode, errorParams ?? {});
  return {
    id,
    provider,
    account: isConnected ? (account ?? '') : null,
    folders,
    paused,
    lastLookedAt: lastOkAt?.toISOString() ?? null,
    nextLookAt: paused === null ? (dueAt?.toISOString() ?? null) : null,
    failing: failingSince && errorCode ? { since: failingSince.toISOString(), code: errorCode, message } : null,
  };
}

const redirectOf = ({ env }: ApiDeps): string => `${env.publicUrl}/cloud-storage/callback`;

/** PKCE: the service is told the challenge, and given the verifier with the code; it follows from the state. */
const verifierOf = ({ keys }: ApiDeps, state: string): string =>
  createHmac('sha256', keys.derive('cloud consent')).update(state).digest('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const wantedOf = ({ after, hasLibraries }: { after: string; hasLibraries: boolean }) => ({
  mayWrite: after !== 'leave',
  hasLibraries,
});

const signalOf = ({ stopping }: ApiDeps): AbortSignal => AbortSignal.any([AbortSignal.timeout(callMs), stopping]);

/** Answers the fault of a service as a problem of the call, where its code is one. */
async function answered<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
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

/** The grant of a stored cloud storage, in clear text; undefined = nobody has connected it. */
async function grantOf(tx: Transaction, deps: ApiDeps, subscriberId: string, stored: Record<string, unknown>) {
  if (typeof stored.secretId !== 'string') return undefined;
  const about = { subscriberId, id: stored.secretId, purpose: connectionSecretPurpose };
  return JSON.parse(await revealSecret(tx, deps.keys, about)) as unknown;
}

/** Stores what a service has made of a grant, in the place of that one. */
const renewalOf =
  (deps: ApiDeps, caller: Caller, stored: Record<string, unknown>) =>
  (secret: unknown): Promise<void> =>
    asCaller(deps, caller, async (tx) => {
      const { subscriberId } = caller;
      const id = String(stored.secretId);
      await keepSecret(tx, deps.keys, {
        subscriberId,
        id,
        purpose: connectionSecretPurpose,
        text: JSON.stringify(secret),
      });
    });

const toolsOf = (deps: ApiDeps, caller: Caller, stored: Record<string, unknown>) => ({
  fetch: guardedFetch(deps.env.outboundAllowedHosts),
  cloudApps: deps.env.cloudApps,
  renewSecret: renewalOf(deps, caller, stored),
});

/** What is stored of the browser's secret. */
const browserMark = (secret: string): string => Buffer.from(hashOf(secret)).toString('hex');

interface Begun {
  profileId: string;
  mayWrite: boolean;
  hasLibraries: boolean;
}

/** Uses up a state, whatever comes of it. @throws ProblemError `cloud.stateInvalid`, the same for every reason */
async function takeState(deps: ApiDeps, caller: Caller, state: string, browser: string): Promise<Begun> {
  const { userId } = caller;
  const wanted = { purposes: [consentPurpose], data: { browser: browserMark(browser) } };
  const used = userId && (await asCaller(deps, caller, (tx) => useOneTimeToken(tx, state, { ...wanted, userId })));
  if (!used) throw problem('cloud.stateInvalid');
  return used.data as Begun;
}

function bindConsent(bind: Bind, deps: ApiDeps): void {
  bind(routes.cloudStorages.connect, async ({ caller, request, reply, params }) => {
    const browser = randomToken();
    const { userId, subscriberId } = caller;
    if (caller.kind !== 'user') throw problem('access.denied', { permission: 'signedIn' });
    const address = await asCaller(deps, caller, async (tx) => {
      const settings = cloudSettingsSchema.parse(await storedSettings(tx, kind, params.id));
      const app = await answered(request.signal, async () => cloudAppOf(deps.env.cloudApps, settings.provider));
      const wanted = wantedOf(settings);
      const state = await makeOneTimeToken(tx, {
        ...{ subscriberId, userId, purpose: consentPurpose, seconds: consentSeconds },
        data: { profileId: params.id, browser: browserMark(browser), ...wanted },
      });
      await audit(tx, request, { act: 'profile.connect', object: params.id, after: { kind, ...wanted } });
      const challenge = challengeOf(verifierOf(deps, state));
      return consentAddress(settings.provider, app, { state, challenge, redirect: redirectOf(deps), ...wanted });
    });
    setConsentCookie(deps, reply, browser, consentSeconds);
    return { address };
  });

  bind(routes.cloudStorages.callback, async ({ caller, request, reply, body }) => {
    const browser = takeConsentCookie(deps, request, reply);
    const { profileId, ...wanted } = await takeState(deps, caller, body.state, browser);
    const { code } = body;
    if (body.error !== undefined || code === undefined) throw problem('cloud.refused');
    const stored = await asCaller(deps, caller, (tx) => storedSettings(tx, kind, profileId));
    const settings = cloudSettingsSchema.parse(stored);
    const { provider } = settings;
    const signal = signalOf(deps);
    const tools = toolsOf(deps, caller, stored);
    const connected = await answered(signal, async () => {
      const app = cloudAppOf(deps.env.cloudApps, provider);
      if (!isIssuer(provider, app, body.iss)) throw problem('cloud.stateInvalid');
      const asking = { provider, app, fetch: tools.fetch, signal };
      const verifier = verifierOf(deps, body.state);
      let grant = await redeemCode(asking, { code, verifier, redirect: redirectOf(deps), ...wanted });
      const renewSecret = async (secret: unknown) => {
        grant = secret as typeof grant;
      };
      const account = await accountOf({ settings, grant, tools: { ...tools, renewSecret }, signal });
      return { grant, account };
    });
    const { grant, account } = connected;
    const { subscriberId } = caller;
    return asCaller(deps, caller, async (tx) => {
      const profile = found(await tx.profile.findFirst({ where: { id: profileId, kind, deletedAt: null } }));
      const now = await storedSettings(tx, kind, profileId);
      if (now.provider !== provider) throw problem('cloud.stateInvalid');
      const id = typeof now.secretId === 'string' ? now.secretId : undefined;
      const purpose = connectionSecretPurpose;
      const text = JSON.stringify(grant);
      const secretId = await keepSecret(tx, deps.keys, { subscriberId, purpose, text, id });
      const no = profile.currentNo + 1;
      const where = { id: profileId, currentNo: profile.currentNo };
      const { count } = await tx.profile.updateMany({ where, data: { currentNo: no, updatedAt: new Date() } });
      if (count === 0) throw problem('resource.conflict');
      await addVersion(tx, caller, profileId, no, { ...now, secretId, account });
      await retryInlets(tx, profileId);
      await audit(tx, request, { act: 'profile.connected', object: profileId, after: { kind, provider, account } });
      return { id: profileId, name: profile.name, account };
    });
  });
}

export function bindCloudStorages(bind: Bind, deps: ApiDeps): void {
  bindConsent(bind, deps);

  bind(routes.cloudStorages.states, ({ caller, request }) =>
    asCaller(deps, caller, async (tx) => (await readStates(tx)).map((row) => stateOf(row, localeOf(request)))),
  );

  bind(routes.cloudStorages.services, async () => ({
    redirect: redirectOf(deps),
    services: cloudProviders.map((provider) => ({
      provider,
      isSetUp: deps.env.cloudApps[provider] !== undefined,
      variables: [...cloudVariables(provider)],
    })),
  }));

  bind(routes.cloudStorages.folders, async ({ caller, params, query }) => {
    const { stored, grant } = await asCaller(deps, caller, async (tx) => {
      const settings = await storedSettings(tx, kind, params.id);
      return { stored: settings, grant: await grantOf(tx, deps, caller.subscriberId, settings) };
    });
    const signal = signalOf(deps);
    const { driveId = '', folderId } = query;
    const asking = { settings: cloudSettingsSchema.parse(stored), grant, tools: toolsOf(deps, caller, stored), signal };
    return answered(signal, async () => {
      if (folderId === undefined)
        return (await listDrives(asking)).map(({ id, name, rootId }) => ({ driveId: id, folderId: rootId, name }));
      return (await listFolders(asking, { driveId, folderId })).map(({ id, name }) => ({
        driveId,
        folderId: id,
        name,
      }));
    });
  });

  bind(routes.cloudStorages.test, async ({ caller, request, body }) => {
    const read = cloudSettingsSchema.safeParse(body.settings, { reportInput: true });
    if (!read.success) throw new InvalidRequestError(faultsOf(read.error, 'settings'), 422);
    const { stored, grant } = await asCaller(deps, caller, async (tx) => {
      const settings = body.id === undefined ? {} : await storedSettings(tx, kind, body.id);
      // A grant is sent to the service that it came from, and to no other.
      const isSame = settings.provider === read.data.provider;
      return { stored: settings, grant: isSame ? await grantOf(tx, deps, caller.subscriberId, settings) : undefined };
    });
    const signal = signalOf(deps);
    const tools = toolsOf(deps, caller, stored);
    const { failed, account } = await tryCloud({ settings: read.data, grant, tools, signal });
    if (!failed) return { account, failed };
    const { stage, code, params } = failed;
    return { account, failed: { stage, code, message: sentence(contractMessages, localeOf(request), code, params) } };
  });
}
