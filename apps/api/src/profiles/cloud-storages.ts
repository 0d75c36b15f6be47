import {
  type CloudState,
  cloudProviders,
  type cloudStorageSorts,
  contractMessages,
  type Locale,
  routes,
  sentence,
} from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { accountOf, cloudGrantSchema, cloudScopes, listDrives, listFolders, tryCloud } from '@pdf2press/sources/cloud';
import { cloudSettingsSchema } from '@pdf2press/sources/contracts';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { faultsOf, InvalidRequestError } from '../frame/read-part.ts';
import type { Order } from '../frame/sorted-page.ts';
import { organizationOrder } from '../organizations/made-for.ts';
import {
  answered,
  bindConsents,
  type ConsentKind,
  consentTools,
  grantOf,
  redirectOf,
  servicesOf,
  signalOf,
} from './consents.ts';
import { stateOrders } from './state-orders.ts';
import { storedSettings } from './stored-settings.ts';

const kind = 'cloudStorage';
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
  paused: CloudState['paused'];
}

/** What is known of the polling of each cloud storage; its rules are those of `listCloudFolders`. */
const states = Prisma.sql`
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
   where profile.kind = 'cloudStorage' and profile.deleted_at is null`;

/** The states with why a storage is not looked into. */
const pausedStates = Prisma.sql`
  select state.*, case when not state."isEnabled" then 'off' when not state."isConnected" then 'connection'
                       when state.folders = 0 then 'folders' when not state."isTaking" then 'workflow' end as paused
    from (${states}) state`;

const readStates = (tx: Transaction) => tx.$queryRaw<StateRow[]>(Prisma.sql`${pausedStates} order by id`);

const join = Prisma.sql`left join (${pausedStates}) state on state.id = listed.id`;
/** What the list is sorted by. */
export const cloudStorageOrders: Readonly<Record<(typeof cloudStorageSorts)[number], Order>> = {
  name: { by: Prisma.sql`listed.name` },
  organization: organizationOrder,
  account: {
    join,
    by: Prisma.sql`(state.provider, case when state."isConnected" then coalesce(state.account, '') else '' end)`,
  },
  ...stateOrders(join),
};

function stateOf(row: StateRow, locale: Locale): CloudState {
  const { id, provider, account, isConnected, folders, lastOkAt, dueAt, failingSince, errorCode, errorParams } = row;
  const { paused } = row;
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

const consent: ConsentKind = {
  kind,
  routes: routes.cloudStorages,
  purpose: 'cloud.consent',
  leadsBack: '/cloud-storage/callback',
  asks: (_, stored) => {
    const { provider, after, hasLibraries } = cloudSettingsSchema.parse(stored);
    const wanted = { mayWrite: after !== 'leave', hasLibraries };
    return { provider, wanted, scopes: cloudScopes(provider, wanted) };
  },
  accept: async ({ stored, redeemed, wanted, tools, signal }) => {
    let grant = { refreshToken: redeemed.refreshToken, mayWrite: wanted.mayWrite === true };
    const renewSecret = async (secret: unknown) => {
      grant = cloudGrantSchema.parse(secret);
    };
    const settings = cloudSettingsSchema.parse(stored);
    const account = await accountOf({ settings, grant, tools: { ...tools, renewSecret }, signal });
    return { grant, account };
  },
};

export function bindCloudStorages(bind: Bind, deps: ApiDeps): void {
  bindConsents(bind, deps, consent);

  bind(routes.cloudStorages.states, ({ caller, request }) =>
    asCaller(deps, caller, async (tx) => (await readStates(tx)).map((row) => stateOf(row, localeOf(request)))),
  );

  bind(routes.cloudStorages.services, async () => ({
    redirect: redirectOf(deps, consent.leadsBack),
    services: servicesOf(deps, cloudProviders, (provider) => provider),
  }));

  bind(routes.cloudStorages.folders, async ({ caller, params, query }) => {
    const { stored, grant } = await asCaller(deps, caller, async (tx) => {
      const settings = await storedSettings(tx, kind, params.id);
      return { stored: settings, grant: await grantOf(tx, deps, caller.subscriberId, settings) };
    });
    const signal = signalOf(deps);
    const { driveId = '', folderId } = query;
    const asking = {
      settings: cloudSettingsSchema.parse(stored),
      grant,
      tools: consentTools(deps, caller, stored),
      signal,
    };
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
    const tools = consentTools(deps, caller, stored);
    const { failed, account } = await tryCloud({ settings: read.data, grant, tools, signal });
    if (!failed) return { account, failed };
    const { stage, code, params } = failed;
    return { account, failed: { stage, code, message: sentence(contractMessages, localeOf(request), code, params) } };
  });
}
