import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { type CloudState, cloudStorageSorts, type ProfileSummary } from '@pdf2press/contract';
import { cloudStorageRoutes } from '@pdf2press/contract/calls';
import { IconCloud, IconCopy, IconEye, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { confirm } from '../frame/confirm.ts';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { listState, Screen } from '../frame/screen.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';
import { formatAgo, formatDue } from '../language/formats.ts';
import { MadeForFilter, madeForQuery, useMadeForColumn } from '../organizations/made-for-list.tsx';

/** What is shown changes by itself; asked for as often as cloud folders are looked into. */
const refreshMilliseconds = 15_000;
const path = '/cloud-storage';

/** The cloud storages, and how the looking into each of them goes. */
export function CloudStoragesScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const address = useListAddress();
  const query = { ...listQuery(address), ...sortQuery(address, cloudStorageSorts), ...madeForQuery(address) };
  const list = useCall(cloudStorageRoutes.list, { query }, { placeholderData: keepPreviousData });
  const { data: states } = useCall(cloudStorageRoutes.states, {}, { refetchInterval: refreshMilliseconds });
  const byId = useMemo(() => new Map((states ?? []).map((state) => [state.id, state])), [states]);
  const mayManage = may('cloudStorage.manage');
  useShortcuts(
    'keys.list',
    mayManage ? [{ keys: 'n', label: 'keys.new', run: () => void navigate(`${path}/new`) }] : [],
  );
  const make = mayManage && (
    <Button component={Link} to={`${path}/new`} leftSection={<IconPlus size={16} />}>
      {t('cloud.new')}
    </Button>
  );
  const madeFor = useMadeForColumn();
  const remove = useRemoval();
  const mayDelete = may('cloudStorage.delete');
  return (
    <Screen
      title={t('nav.cloudStorage')}
      actions={
        <>
          <ExportButton list={cloudStorageRoutes.list} query={query} />
          {make}
        </>
      }
      toolbar={
        <Group>
          <ListSearch address={address} label={t('cloud.search')} />
          <MadeForFilter address={address} />
        </Group>
      }
      state={listState(list, address, {
        icon: IconCloud,
        title: t('cloud.empty'),
        text: t('cloud.emptyText'),
        action: make,
      })}
    >
      <DataTable
        label={t('nav.cloudStorage')}
        rows={list.data?.items ?? []}
        idOf={({ id }) => id}
        address={address}
        onDelete={mayDelete ? (storage) => void remove(storage) : undefined}
        name={{
          label: t('field.name'),
          sort: 'name' satisfies Sort,
          of: ({ name }) => name,
          to: ({ id }) => `${path}/${mayManage ? 'edit' : 'view'}/${encodeURIComponent(id)}`,
          below: ({ description }) => description,
        }}
        columns={[...madeFor(t), ...columnsOf(t, byId)]}
        actions={{
          label: t('list.actions'),
          of: (storage) => (
            <RowMenu
              name={storage.name}
              acts={[
                mayManage
                  ? { label: t('common.edit'), icon: IconPencil, to: `${path}/edit/${storage.id}` }
                  : { label: t('common.view'), icon: IconEye, to: `${path}/view/${storage.id}` },
                mayManage && { label: t('common.copyOf'), icon: IconCopy, to: `${path}/copy/${storage.id}` },
                mayDelete && {
                  label: t('common.delete'),
                  icon: IconTrash,
                  isDangerous: true,
                  act: () => void remove(storage),
                },
              ]}
            />
          ),
        }}
      />
      <ListPager address={address} total={list.data?.total ?? 0} />
    </Screen>
  );
}

/** Deletes a cloud storage after a question. */
function useRemoval() {
  const { t } = useTranslation();
  return async ({ id, name }: ProfileSummary) => {
    const isSure = await confirm({
      title: t('profiles.deleteTitle', { name }),
      text: t('cloud.deleteText'),
      act: t('common.delete'),
      isDangerous: true,
    });
    if (!isSure) return;
    try {
      await call(cloudStorageRoutes.remove, { params: { id } });
      notify.success(t('common.deleted', { name }));
    } catch (error) {
      notify.failure(error);
    }
    await invalidate(cloudStorageRoutes.list, cloudStorageRoutes.states);
  };
}

type Sort = (typeof cloudStorageSorts)[number];

const columnsOf = (
  t: TFunction,
  states: ReadonlyMap<string, CloudState>,
): readonly DataColumn<ProfileSummary, Sort>[] => [
  {
    key: 'account',
    label: t('cloud.account'),
    sort: 'account',
    isExtra: true,
    cell: ({ id }) => {
      const state = states.get(id);
      if (!state) return null;
      return (
        <Stack gap={0}>
          <Text size="sm">{t(`cloud.provider.${state.provider}`)}</Text>
          {state.account && (
            <Text size="sm" c="dimmed">
              {state.account}
            </Text>
          )}
        </Stack>
      );
    },
  },
  { key: 'state', sort: 'state', label: t('cloud.state'), cell: ({ id }) => <State state={states.get(id)} /> },
  {
    key: 'lastLooked',
    label: t('cloud.lastLooked'),
    sort: 'lastLooked',
    isExtra: true,
    cell: ({ id }) => {
      const at = states.get(id)?.lastLookedAt;
      return at ? <Ago at={at} /> : <Text size="sm">{t('cloud.never')}</Text>;
    },
  },
];

const pauses = {
  off: { word: 'cloud.off', color: 'neutral' },
  connection: { word: 'cloud.notConnected', color: 'warning' },
  folders: { word: 'cloud.noFolders', color: 'warning' },
} as const;

/** A word for how a cloud storage does, and below it why it does not. */
function State({ state }: { state: CloudState | undefined }) {
  const { t } = useTranslation();
  if (!state) return null;
  const { paused, failing, lastLookedAt, nextLookAt } = state;
  if (paused === 'workflow') return <Text size="sm">{t('cloud.noWorkflow')}</Text>;
  if (paused) return <StateBadge color={pauses[paused].color}>{t(pauses[paused].word)}</StateBadge>;
  if (!failing)
    return (
      <StateBadge color={lastLookedAt ? 'success' : 'info'}>
        {t(lastLookedAt ? 'cloud.works' : 'cloud.waiting')}
      </StateBadge>
    );
  const isSignIn = failing.code === 'source.signInNeeded';
  return (
    <Stack gap={2} align="start">
      <StateBadge color="error">
        {isSignIn ? t('cloud.signInNeeded') : t('cloud.failingSince', { when: formatAgo(failing.since) })}
      </StateBadge>
      <Text size="sm">{failing.message}</Text>
      {isSignIn && (
        // Above the link of the row, which covers it.
        <Anchor component={Link} size="sm" pos="relative" style={{ zIndex: 2 }} to={`${path}/edit/${state.id}`}>
          {t('cloud.reconnect')}
        </Anchor>
      )}
      {!isSignIn && nextLookAt && (
        <Text size="xs" c="dimmed">
          {t('cloud.nextTry', { when: formatDue(nextLookAt) })}
        </Text>
      )}
    </Stack>
  );
}

const StateBadge = ({ color, children }: { color: string; children: string }) => (
  <Badge variant="light" tt="none" fw={550} color={color}>
    {children}
  </Badge>
);
