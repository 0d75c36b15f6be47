import { Button, Group, Text } from '@mantine/core';
import { isConnection, type ProfileSummary, profileSorts } from '@pdf2press/contract';
import type { preflightProfileRoutes } from '@pdf2press/contract/calls';
import { IconCopy, IconDownload, IconEye, IconListCheck, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { confirm } from '../frame/confirm.ts';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { JsonFileButton } from '../frame/json-file-button.tsx';
import { listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { listState, Screen } from '../frame/screen.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';
import { MadeForFilter, madeForQuery, useMadeForColumn } from '../organizations/made-for-list.tsx';
import { useMadeForQuestion } from '../organizations/made-for-question.tsx';
import { exportProfile, importProfile } from './carry-profile.ts';

/** The kinds of profile that steps of a workflow use. */
export type UsedKind =
  | 'preflight'
  | 'fix'
  | 'impose'
  | 'proofing'
  | 'communication'
  | 'renaming'
  | 'retention'
  | 'delivery'
  | 'sftpServer';
/** The kinds of profile whose routes have this shape. */
export type ListedKind = UsedKind | 'archiving';
export type ProfileRoutes = Pick<typeof preflightProfileRoutes, 'list' | 'get' | 'create' | 'update' | 'remove'>;

interface Props {
  kind: ListedKind;
  path: string;
  routes: ProfileRoutes;
  /** What stands above the list. */
  above?: ReactNode;
  /** What is lost with a profile, where that is not the usual. */
  deleteText?: string;
}

/** The profiles of a kind. */
export function ProfilesScreen({ kind, path, routes, above, deleteText }: Props) {
  // What has a secret is no use in a file without it, and is used as it is now, not as it was published.
  const isCarried = !isConnection(kind);
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const address = useListAddress();
  const query = { ...listQuery(address), ...sortQuery(address, profileSorts), ...madeForQuery(address) };
  const list = useCall(routes.list, { query }, { placeholderData: keepPreviousData });
  const mayManage = may(`${kind}.manage`);
  useShortcuts(
    'keys.list',
    mayManage ? [{ keys: 'n', label: 'keys.new', run: () => void navigate(`${path}/new`) }] : [],
  );
  const imported = useMadeForQuestion((file, organizationId) => importProfile(t, routes, file, organizationId));
  const madeFor = useMadeForColumn();
  const make = mayManage && (
    <>
      {isCarried && <JsonFileButton label={t('profiles.import')} onChoose={imported.take} />}
      <Button component={Link} to={`${path}/new`} leftSection={<IconPlus size={16} />}>
        {t('profiles.new')}
      </Button>
    </>
  );
  const state = listState(list, address, {
    icon: IconListCheck,
    title: t(`profiles.${kind}.empty`),
    text: t(`profiles.${kind}.text`),
    action: make,
  });

  const remove = useRemoval(
    routes,
    deleteText ?? t(isCarried ? 'profiles.deleteText' : 'profiles.deleteConnectionText'),
  );
  return (
    <Screen
      title={t(`nav.${kind}`)}
      actions={
        <>
          <ExportButton list={routes.list} query={query} />
          {make}
        </>
      }
      toolbar={
        <>
          {above}
          <Group>
            <ListSearch address={address} label={t('profiles.search')} />
            <MadeForFilter address={address} />
          </Group>
        </>
      }
      state={state}
    >
      <DataTable
        label={t(`nav.${kind}`)}
        rows={list.data?.items ?? []}
        idOf={(profile) => profile.id}
        address={address}
        onDelete={may(`${kind}.delete`) ? (profile) => void remove(profile) : undefined}
        name={{
          label: t('field.name'),
          sort: 'name' satisfies Sort,
          of: (profile) => profile.name,
          to: (profile) => `${path}/${mayManage ? 'edit' : 'view'}/${encodeURIComponent(profile.id)}`,
          below: (profile) => profile.description,
        }}
        columns={[...madeFor(t), ...columnsOf(t).filter(({ key }) => isCarried || key !== 'preset')]}
        actions={{
          label: t('list.actions'),
          of: (profile) => (
            <RowMenu
              name={profile.name}
              acts={[
                mayManage
                  ? { label: t('common.edit'), icon: IconPencil, to: `${path}/edit/${profile.id}` }
                  : { label: t('common.view'), icon: IconEye, to: `${path}/view/${profile.id}` },
                mayManage && { label: t('common.copyOf'), icon: IconCopy, to: `${path}/copy/${profile.id}` },
                isCarried && {
                  label: t('profiles.export'),
                  icon: IconDownload,
                  act: () => void exportProfile(routes, kind, profile),
                },
                may(`${kind}.delete`) && {
                  label: t('common.delete'),
                  icon: IconTrash,
                  isDangerous: true,
                  refusal: refusalOf(profile, t),
                  act: () => void remove(profile),
                },
              ]}
            />
          ),
        }}
      />
      <ListPager address={address} total={list.data?.total ?? 0} />
      {imported.dialog}
    </Screen>
  );
}

/** Why a profile cannot be deleted; null when it can. */
const refusalOf = (profile: ProfileSummary, t: TFunction): string | null =>
  profile.usedBy.length > 0 ? t('resource.inUse', { names: profile.usedBy.map(({ name }) => name).join(', ') }) : null;

/** Deletes a profile after a question, or says why it cannot be deleted. */
function useRemoval(routes: ProfileRoutes, text: string) {
  const { t } = useTranslation();
  return async (profile: ProfileSummary) => {
    const refusal = refusalOf(profile, t);
    if (refusal) return notify.info(refusal);
    const isSure = await confirm({
      title: t('profiles.deleteTitle', { name: profile.name }),
      text,
      act: t('common.delete'),
      isDangerous: true,
    });
    if (!isSure) return;
    try {
      await call(routes.remove, { params: { id: profile.id } });
      notify.success(t('common.deleted', { name: profile.name }));
    } catch (error) {
      notify.failure(error);
    }
    await invalidate(routes.list);
  };
}

type Sort = (typeof profileSorts)[number];

const columnsOf = (t: TFunction): readonly DataColumn<ProfileSummary, Sort>[] => [
  {
    key: 'usedBy',
    label: t('profiles.usedBy'),
    sort: 'usedBy',
    cell: (profile) => (
      <Text size="sm" c={profile.usedBy.length > 0 ? '' : 'dimmed'}>
        {profile.usedBy.map((workflow) => workflow.name).join(', ') || t('profiles.unused')}
      </Text>
    ),
  },
  {
    key: 'preset',
    label: t('profiles.preset'),
    sort: 'preset',
    isExtra: true,
    cell: (profile) => profile.basePreset?.name ?? '',
  },
  { key: 'version', label: t('profiles.version'), sort: 'version', isExtra: true, cell: (profile) => profile.version },
  {
    key: 'updated',
    label: t('field.changed'),
    sort: 'updated',
    isExtra: true,
    cell: (profile) => <Ago at={profile.updatedAt} />,
  },
];
