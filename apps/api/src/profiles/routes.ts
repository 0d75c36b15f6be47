import {
  isConnection,
  type Locale,
  type Profile,
  type ProfileKind,
  type ProfileSort,
  type ProfileSummary,
  problem,
  type profileSorts,
  routes,
} from '@pdf2press/contract';
import { previewNames, retryInlets } from '@pdf2press/engine';
import { fixPresetOf, fixPresets, fixPresetWords } from '@pdf2press/fix/contracts';
import { presetName, presetOf, presets } from '@pdf2press/preflight/contracts';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { renameProfileSchema } from '@pdf2press/steps/rename-profile';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Bind, ReadQuery } from '../frame/bind.ts';
import { type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { sendList } from '../frame/csv.ts';
import { localeOf } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';
import { containsText, inOrder, type Order, sortedPage } from '../frame/sorted-page.ts';
import {
  isMadeFor,
  madeForOf,
  organizationOfChanged,
  organizationOfNew,
  organizationOrder,
} from '../organizations/made-for.ts';
import { demandNotOfAccounts, demandWordsOfAccounts } from './account-mails.ts';
import { bindCloudStorages, cloudStorageOrders } from './cloud-storages.ts';
import { bindCommunication } from './communication.ts';
import { forgetSecret, withSecretId, withSecretMarks } from './connection-secrets.ts';
import { profileColumns } from './csv.ts';
import { bindDeliveryTargets } from './delivery-targets.ts';
import { demandFilledVariables } from './filled-variables.ts';
import { demandGuarded } from './guarded-settings.ts';
import { bindMailboxes, mailboxOrders } from './mailboxes.ts';
import { demandOwnStorage } from './named-storage.ts';
import { demandOwnWorkflows } from './named-workflows.ts';
import { bindSftpServers } from './sftp-servers.ts';
import { addVersion, createProfile, readSettingsOf, todaysSettings } from './store.ts';
import { storedSettings } from './stored-settings.ts';

const findProfile = (tx: Transaction, kind: ProfileKind, id: string) =>
  tx.profile.findFirst({ where: { id, kind, deletedAt: null } });
type ListQuery = ReadQuery<KindRoutes['list']>;
type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

/** Counts the values inside two objects that differ: how far a profile is from its preset. */
function differences(one: unknown, other: unknown): number {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other ? 0 : 1;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].reduce(
    (sum, key) => sum + differences(left[key], right[key]),
    0,
  );
}

function basePresetOf(settings: Record<string, unknown>, locale: Locale): ProfileSummary['basePreset'] {
  const base = settings.basePreset as { key?: unknown; version?: unknown } | null | undefined;
  if (typeof base?.key !== 'string' || typeof base.version !== 'number') return null;
  const preset = presetOf(base.key);
  const named = { name: '', description: '', basePreset: null };
  return {
    key: base.key,
    name: preset ? presetName(preset, locale) : base.key,
    version: base.version,
    differences: preset ? differences({ ...settings, ...named }, { ...preset.profile, ...named }) : 0,
  };
}

/**
 * What uses a profile. Workflows: in their draft; a delivery target or a server that files are fetched from, which are used as they
 * are now, also in the version that is live. Of a cloud storage the delivery targets that put files into it, which need its account.
 */
const uses = Prisma.sql`
    with graphs as (
      select id, name, draft as graph, draft -> 'steps' as steps from workflows where deleted_at is null and not is_trial
      union all
      select workflow.id, workflow.name, version.definition, null
        from workflows workflow
        join workflow_versions version on version.workflow_id = workflow.id and version.no = workflow.published_no
       where workflow.deleted_at is null and not workflow.is_trial),
    named as (
      select id, name, step -> 'settings' ->> 'profileId' as profile from graphs, jsonb_array_elements(steps) as step
      union all
      select id, name, rule ->> 'profileId'
        from graphs, jsonb_array_elements(steps) as step, jsonb_path_query(step, '$.settings.rules[*]') as rule
      union all
      select id, name, graph ->> 'communicationProfileId' from graphs where steps is not null
      union all
      select id, name, target #>> '{}'
        from graphs, jsonb_path_query(graph, '$.steps[*].settings.deliveries[*].targetId') as target
      union all
      select id, name, connection #>> '{}'
        from graphs, jsonb_path_query(graph, '$.steps[*].settings.sources[*].settings.connectionId') as connection
      union all
      select target.id, target.name, version.settings ->> 'connectionId'
        from profiles target
        join profile_versions version on version.profile_id = target.id and version.no = target.current_no
       where target.kind = 'delivery' and target.deleted_at is null)
    select distinct profile as "profileId", id, name from named where profile is not null`;

/** Workflows and delivery targets by the profiles that they use. */
async function usersOf(tx: Transaction, ids: readonly string[]): Promise<Map<string, { id: string; name: string }[]>> {
  const rows = await tx.$queryRaw<{ profileId: string; id: string; name: string }[]>`
    select * from (${uses}) used where used."profileId" = any(${[...ids]}) order by used.name, used.id`;
  const users = new Map<string, { id: string; name: string }[]>();
  for (const { profileId, id, name } of rows) users.set(profileId, [...(users.get(profileId) ?? []), { id, name }]);
  return users;
}

/** Presets by their names in the reader's language, for the database to sort by. */
function presetsByName(locale: Locale): string[] {
  const names = new Intl.Collator(locale);
  return presets
    .map((preset) => ({ key: preset.key, name: presetName(preset, locale) }))
    .sort((one, other) => names.compare(one.name, other.name))
    .map(({ key }) => key);
}

const profileOrders = (locale: Locale): Record<(typeof profileSorts)[number], Order> => ({
  name: { by: Prisma.sql`listed.name` },
  organization: organizationOrder,
  usedBy: {
    join: Prisma.sql`
      left join (select used."profileId", string_agg(used.name, ', ' order by used.name, used.id) as names
                   from (${uses}) used group by used."profileId") used on used."profileId" = listed.id`,
    by: Prisma.sql`used.names`,
  },
  preset: { by: Prisma.sql`array_position(${presetsByName(locale)}::text[], listed.preset)` },
  version: { by: Prisma.sql`listed.version` },
  updated: { by: Prisma.sql`listed.updated` },
});

/** Of kinds whose lists have other columns. */
const ordersOfKind: Partial<Record<ProfileKind, Partial<Record<ProfileSort, Order>>>> = {
  cloudStorage: cloudStorageOrders,
  inboundEmail: mailboxOrders,
};

const profileRows = (kind: ProfileKind, { search, organizationId }: ListQuery): Prisma.Sql => Prisma.sql`
  select profile.id, profile.name, profile.current_no as version, profile.updated_at as updated,
         (select name from organizations where organizations.id = profile.organization_id) as organization,
         version.settings -> 'basePreset' ->> 'key' as preset
    from profiles profile
    join profile_versions version on version.profile_id = profile.id and version.no = profile.current_no
   where profile.kind = ${kind} and profile.deleted_at is null
     and ${isMadeFor(Prisma.sql`profile.organization_id`, organizationId)}
     and ${containsText([Prisma.sql`profile.name`], search)}`;

/** A page of the profiles of a kind. */
async function listProfiles(
  tx: Transaction,
  { kind, locale, query }: { kind: ProfileKind; locale: Locale; query: ListQuery },
): Promise<{ items: Profile[]; total: number }> {
  const orders: Partial<Record<ProfileSort, Order>> = ordersOfKind[kind] ?? profileOrders(locale);
  const order = orders[query.sort];
  if (!order) throw new Error(`${kind} is not sorted by ${query.sort}`);
  const { ids, total } = await sortedPage(tx, { rows: profileRows(kind, query), order }, query);
  const rows = inOrder(ids, await tx.profile.findMany({ where: { id: { in: ids } } }));
  return { items: await profilesOf(tx, rows, locale), total };
}

async function profilesOf(tx: Transaction, rows: readonly ProfileRow[], locale: Locale): Promise<Profile[]> {
  const ids = rows.map(({ id }) => id);
  const current = rows.map(({ id, currentNo }) => ({ profileId: id, no: currentNo }));
  const versions = current.length > 0 ? await tx.profileVersion.findMany({ where: { OR: current } }) : [];
  const users = await usersOf(tx, ids);
  const madeFor = await madeForOf(tx, rows);
  return rows.map((row) => {
    const stored = versions.find(({ profileId }) => profileId === row.id)?.settings ?? {};
    const kind = row.kind as ProfileKind;
    const settings = withSecretMarks(kind, todaysSettings(kind, stored), stored as Record<string, unknown>);
    return {
      id: row.id,
      kind,
      name: row.name,
      description: row.description,
      organization: madeFor(row.organizationId),
      version: row.currentNo,
      updatedAt: row.updatedAt.toISOString(),
      basePreset: basePresetOf(settings, locale),
      usedBy: users.get(row.id) ?? [],
      settings,
    };
  });
}

async function readProfile(tx: Transaction, kind: ProfileKind, id: string, locale: Locale): Promise<Profile> {
  const [profile] = await profilesOf(tx, [found(await findProfile(tx, kind, id))], locale);
  return found(profile);
}

async function demandFreeName(tx: Transaction, kind: ProfileKind, name: string, except?: string): Promise<void> {
  const other = await tx.profile.findFirst({
    where: {
      kind,
      deletedAt: null,
      name: { equals: name, mode: 'insensitive' },
      ...(except ? { id: { not: except } } : {}),
    },
  });
  if (other) throw problem('resource.nameTaken', { name }, 'name');
}

/** Kinds that have presets to start from. */
const presetsOfKind: Partial<Record<ProfileKind, (key: string) => { key: string; profile: object } | undefined>> = {
  preflight: presetOf,
  fix: fixPresetOf,
};

type KindRoutes = (typeof routes)[
  | 'archivingProfiles'
  | 'cloudStorages'
  | 'communicationProfiles'
  | 'deliveryTargets'
  | 'fixProfiles'
  | 'imposeProfiles'
  | 'mailboxes'
  | 'preflightProfiles'
  | 'proofingProfiles'
  | 'renamingProfiles'
  | 'retentionProfiles'
  | 'sftpServers'];

/** Makes a profile one organization's, or the whole house's, where no workflow and no delivery target of others uses it. */
async function assignProfile(
  tx: Transaction,
  caller: Caller,
  { row, given }: { row: ProfileRow; given: string | null | undefined },
): Promise<string | null> {
  const organizationId = await organizationOfChanged(tx, caller, { before: row.organizationId, given });
  if (organizationId === null || organizationId === row.organizationId) return organizationId;
  await demandNotOfAccounts(tx, caller, row.id);
  // Whoever begins to use it meanwhile waits, and then finds whose it is.
  await tx.$queryRaw`select 1 from profiles where id = ${row.id} for update`;
  const users = (await usersOf(tx, [row.id])).get(row.id) ?? [];
  const ofOthers = {
    where: {
      id: { in: users.map(({ id }) => id) },
      OR: [{ organizationId: null }, { organizationId: { not: organizationId } }],
    },
    select: { name: true },
    orderBy: { name: 'asc' },
  } as const satisfies Prisma.WorkflowFindManyArgs & Prisma.ProfileFindManyArgs;
  const others = [...(await tx.workflow.findMany(ofOthers)), ...(await tx.profile.findMany(ofOthers))];
  const names = others.map(({ name }) => name).join(', ');
  if (names !== '') throw problem('organization.profileUsedElsewhere', { names }, 'organizationId');
  return organizationId;
}

/** The six routes of a kind of profile; only the schema of the settings differs. */
function bindKind(
  bind: Bind,
  deps: ApiDeps,
  kind: ProfileKind,
  table: Pick<KindRoutes, 'list' | 'export' | 'get' | 'create' | 'update' | 'remove'>,
): void {
  bind(table.list, ({ caller, request, query }) =>
    asCaller(deps, caller, async (tx) => ({
      ...(await listProfiles(tx, { kind, locale: localeOf(request), query })),
      page: query.page,
      pageSize: query.pageSize,
    })),
  );

  bind(table.export, ({ caller, request, reply, query }) =>
    sendList(reply, {
      name: `profiles-${kind}`,
      columns: profileColumns,
      read: async (page) => {
        const asked = { kind, locale: localeOf(request), query: { ...query, ...page } };
        return (await asCaller(deps, caller, (tx) => listProfiles(tx, asked))).items;
      },
    }),
  );

  bind(table.get, ({ caller, request, params }) =>
    asCaller(deps, caller, (tx) => readProfile(tx, kind, params.id, localeOf(request))),
  );

  bind(table.create, async ({ caller, request, body }) => {
    const preset = body.presetKey ? presetsOfKind[kind]?.(body.presetKey) : undefined;
    const settings = await readSettingsOf(kind, { ...(preset?.profile ?? {}), ...body.settings });
    return asCaller(deps, caller, async (tx) => {
      await demandFreeName(tx, kind, body.name);
      const organizationId = await organizationOfNew(tx, caller, body.organizationId);
      await demandOwnWorkflows(tx, caller, { kind, organizationId, settings });
      await demandOwnStorage(tx, caller, { kind, organizationId, settings });
      await demandFilledVariables(tx, { kind, settings });
      const id = await createProfile(tx, caller, {
        kind,
        organizationId,
        name: body.name,
        description: body.description,
        settings: await withSecretId(tx, deps, {
          kind,
          subscriberId: caller.subscriberId,
          given: body.settings,
          settings,
        }),
        preset: preset?.key,
      });
      await audit(tx, request, { act: 'profile.create', object: id, after: { kind, name: body.name, organizationId } });
      return readProfile(tx, kind, id, localeOf(request));
    });
  });

  bind(table.update, ({ caller, request, params, body }) =>
    asCaller(deps, caller, async (tx) => {
      const row = found(await findProfile(tx, kind, params.id));
      const settings = await readSettingsOf(kind, body.settings);
      await demandFreeName(tx, kind, body.name, params.id);
      const organizationId = await assignProfile(tx, caller, { row, given: body.organizationId });
      const { count } = await tx.profile.updateMany({
        where: { id: params.id, currentNo: body.version },
        data: {
          name: body.name,
          description: body.description,
          organizationId,
          currentNo: { increment: 1 },
          updatedAt: new Date(),
        },
      });
      if (count === 0) throw problem('resource.conflict');
      const version = await tx.profileVersion.findFirst({ where: { profileId: params.id, no: body.version } });
      const stored = (version?.settings ?? {}) as Record<string, unknown>;
      const named = { kind, organizationId, settings, before: todaysSettings(kind, stored) };
      await demandOwnWorkflows(tx, caller, named);
      await demandOwnStorage(tx, caller, named);
      await demandFilledVariables(tx, named);
      await demandWordsOfAccounts(tx, deps, caller, { id: params.id, before: named.before, after: settings });
      demandGuarded(caller, kind, { ...body.settings, ...settings }, withSecretMarks(kind, stored, stored));
      const kept = await withSecretId(tx, deps, {
        kind,
        subscriberId: caller.subscriberId,
        given: body.settings,
        settings,
        stored,
      });
      await addVersion(tx, caller, params.id, body.version + 1, kept);
      // Whoever has put a connection right need not wait until it is tried again.
      if (isConnection(kind)) await retryInlets(tx, params.id);
      await audit(tx, request, {
        act: 'profile.update',
        object: params.id,
        ...(organizationId !== row.organizationId && { before: { organizationId: row.organizationId } }),
        after: {
          kind,
          name: body.name,
          version: body.version + 1,
          ...(organizationId !== row.organizationId && { organizationId }),
        },
      });
      return readProfile(tx, kind, params.id, localeOf(request));
    }),
  );

  bind(table.remove, ({ caller, request, params }) =>
    asCaller(deps, caller, async (tx) => {
      const row = found(await findProfile(tx, kind, params.id));
      const users = (await usersOf(tx, [params.id])).get(params.id) ?? [];
      if (users.length > 0) throw problem('resource.inUse', { names: users.map(({ name }) => name).join(', ') });
      await demandNotOfAccounts(tx, caller, params.id);
      await forgetSecret(tx, kind, await storedSettings(tx, kind, params.id));
      await tx.profile.update({ where: { id: params.id }, data: { deletedAt: new Date() }, select: { id: true } });
      await audit(tx, request, { act: 'profile.delete', object: params.id, before: { kind, name: row.name } });
      return {};
    }),
  );
}

export function bindProfiles(bind: Bind, deps: ApiDeps): void {
  bindKind(bind, deps, 'preflight', routes.preflightProfiles);
  bindKind(bind, deps, 'fix', routes.fixProfiles);
  bindKind(bind, deps, 'impose', routes.imposeProfiles);
  bindKind(bind, deps, 'proofing', routes.proofingProfiles);
  bindKind(bind, deps, 'renaming', routes.renamingProfiles);
  bindKind(bind, deps, 'communication', routes.communicationProfiles);
  bindCommunication(bind, deps);
  bindKind(bind, deps, 'retention', routes.retentionProfiles);
  bindKind(bind, deps, 'archiving', routes.archivingProfiles);
  bindKind(bind, deps, 'inboundEmail', routes.mailboxes);
  bindMailboxes(bind, deps);
  bindKind(bind, deps, 'cloudStorage', routes.cloudStorages);
  bindCloudStorages(bind, deps);
  bindKind(bind, deps, 'delivery', routes.deliveryTargets);
  bindDeliveryTargets(bind, deps);
  bindKind(bind, deps, 'sftpServer', routes.sftpServers);
  bindSftpServers(bind, deps);

  bind(routes.renamingProfiles.preview, async ({ caller, body }) => {
    demand(caller, 'sessions.view');
    const rules = renameProfileSchema.parse(await readSettingsOf('renaming', body.settings));
    return previewNames(deps.engine, contextOf(caller), rules);
  });

  bind(routes.preflightProfiles.presets, async ({ request }) =>
    presets.map((preset) => {
      const { key, version, group, profile } = preset;
      return { key, version, name: presetName(preset, localeOf(request)), group, settings: { ...profile } };
    }),
  );
  bind(routes.fixProfiles.presets, async ({ request }) =>
    fixPresets.map(({ key, version, profile }) => {
      const { name, text } = fixPresetWords(key, localeOf(request));
      return { key, version, name, description: text, settings: { ...profile } };
    }),
  );
}
