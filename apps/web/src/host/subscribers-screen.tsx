import { Badge, Button, Group } from '@mantine/core';
import {
  type HostSort,
  type HostSubscriber,
  hostRoutes,
  hostSorts,
  hostStates,
  limitLevel,
  type QuotaKey,
} from '@pdf2press/contract';
import { IconBuildingCommunity, IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { confirm } from '../frame/confirm.ts';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListFilter } from '../frame/list-filter.tsx';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { listState, Screen } from '../frame/screen.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';
import { formatNumber, formatSize } from '../language/formats.ts';

const pathTo = (id: string) => `/host/edit/${encodeURIComponent(id)}`;

/** The companies that the installation serves. */
export function SubscribersScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const address = useListAddress();
  const states = hostStates.filter((state) => address.all('states').includes(state));
  const query = {
    ...listQuery(address),
    ...sortQuery(address, hostSorts),
    ...(states.length > 0 && { states: [...states] }),
  };
  const list = useCall(hostRoutes.list, { query }, { placeholderData: keepPreviousData });
  const state = listState(list, address, { icon: IconBuildingCommunity, title: t('host.empty') });
  useShortcuts('keys.list', [{ keys: 'n', label: 'keys.new', run: () => void navigate('/host/new') }]);

  const suspend = async ({ id, name }: HostSubscriber) => {
    const isSure = await confirm({
      title: t('host.suspendTitle', { name }),
      text: t('host.suspendText'),
      act: t('host.suspend'),
      isDangerous: true,
    });
    if (!isSure) return;
    await call(hostRoutes.suspend, { params: { id } }).then(
      () => notify.success(t('host.suspendedNow', { name })),
      notify.failure,
    );
    await invalidate(hostRoutes.list, hostRoutes.get);
  };
  const resume = async ({ id, name }: HostSubscriber) => {
    await call(hostRoutes.resume, { params: { id } }).then(
      () => notify.success(t('host.resumedNow', { name })),
      notify.failure,
    );
    await invalidate(hostRoutes.list, hostRoutes.get);
  };
  const actsOf = (one: HostSubscriber) => [
    { label: t('common.edit'), icon: IconPencil, to: pathTo(one.id) },
    one.isActive
      ? {
          label: t('host.suspend'),
          icon: IconPlayerPause,
          isDangerous: true,
          refusal: one.isOwn ? t('host.ownSubscriber') : null,
          act: () => void suspend(one),
        }
      : { label: t('host.resume'), icon: IconPlayerPlay, act: () => void resume(one) },
  ];
  return (
    <Screen
      title={t('nav.host')}
      actions={
        <>
          <ExportButton list={hostRoutes.list} query={query} />
          <Button component={Link} to="/host/new" leftSection={<IconPlus size={16} />}>
            {t('host.new')}
          </Button>
        </>
      }
      toolbar={
        <Group>
          <ListSearch address={address} label={t('host.search')} />
          <ListFilter
            address={address}
            name="states"
            label={t('field.status')}
            options={hostStates.map((value) => ({ value, label: t(`host.${value}`) }))}
          />
        </Group>
      }
      state={state}
    >
      <DataTable
        label={t('nav.host')}
        rows={list.data?.items ?? []}
        idOf={({ id }) => id}
        address={address}
        name={{
          label: t('field.name'),
          sort: 'name' satisfies HostSort,
          of: ({ name }) => name,
          to: ({ id }) => pathTo(id),
          below: ({ plan }) => plan.name,
        }}
        columns={columnsOf(t)}
        actions={{ label: t('list.actions'), of: (one) => <RowMenu name={one.name} acts={actsOf(one)} /> }}
      />
      <ListPager address={address} total={list.data?.total ?? 0} />
    </Screen>
  );
}

const shown = {
  sessionsPerMonth: formatNumber,
  storageBytes: formatSize,
  users: formatNumber,
} as const satisfies Partial<Record<QuotaKey, (value: number) => string>>;
type Measured = keyof typeof shown;

/** What is used, and of how much; a limit that is near is named in words as well as in colour. */
function Used({ of: { usage, plan }, quota, t }: { of: HostSubscriber; quota: Measured; t: TFunction }) {
  const limit = plan.quotas[quota];
  const used = shown[quota](usage[quota]);
  const level = limitLevel(usage[quota], limit);
  if (limit === null) return <span className="tabular">{used}</span>;
  const text = t('plan.usedOf', { used, limit: shown[quota](limit) });
  if (level === 'free') return <span className="tabular">{text}</span>;
  return (
    <Badge variant="light" tt="none" fw={550} miw="max-content" color={level === 'near' ? 'warning' : 'error'}>
      {text} · {t(`plan.${level}`)}
    </Badge>
  );
}

const columnsOf = (t: TFunction): readonly DataColumn<HostSubscriber>[] => [
  {
    key: 'state',
    sort: 'state' satisfies HostSort,
    label: t('field.status'),
    cell: ({ isActive }) => (
      <Badge variant="light" tt="none" fw={550} miw="max-content" color={isActive ? 'success' : 'neutral'}>
        {t(isActive ? 'host.active' : 'host.suspended')}
      </Badge>
    ),
  },
  ...(Object.keys(shown) as Measured[]).map((quota) => ({
    key: quota,
    sort: quota satisfies HostSort,
    label: t(`plan.quota.${quota}`),
    isExtra: true,
    cell: (one: HostSubscriber) => <Used of={one} quota={quota} t={t} />,
  })),
  {
    key: 'createdAt',
    sort: 'createdAt' satisfies HostSort,
    label: t('field.created'),
    isExtra: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];
