import { Badge, Button, ColorSwatch, Group } from '@mantine/core';
import { type OrganizationSort, type OrganizationSummary, organizationSorts } from '@pdf2press/contract';
import { organizationRoutes } from '@pdf2press/contract/calls';
import { IconBuilding, IconCopy, IconExternalLink, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { type DataColumn, DataTable } from '../frame/data-table.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { type ListAddress, listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListFilter } from '../frame/list-filter.tsx';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { listState, Screen } from '../frame/screen.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';
import { formatNumber } from '../language/formats.ts';
import { deleteOrganization } from './delete-organization.ts';

const pageStates = ['public', 'private', 'none'] as const;
type PageState = (typeof pageStates)[number];
const pageStateOf = ({ isPublic, hasCode }: OrganizationSummary): PageState =>
  isPublic ? (hasCode ? 'private' : 'public') : 'none';
const stateColours = { public: 'success', private: 'info', none: 'neutral' } as const;

const formPath = (action: string, id: string) => `/organization/${action}/${encodeURIComponent(id)}`;

/** Sorting and filters of the address, as the server knows them; what it does not know is left out. */
const queryOf = (address: ListAddress) => {
  const pages = pageStates.filter((state) => address.all('pages').includes(state));
  return {
    ...listQuery(address),
    ...sortQuery(address, organizationSorts),
    ...(pages.length > 0 && { pages: [...pages] }),
  };
};

export function OrganizationsScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const address = useListAddress();
  const query = queryOf(address);
  const list = useCall(organizationRoutes.list, { query }, { placeholderData: keepPreviousData });
  const navigate = useNavigate();
  const mayManage = may('organizations.manage');
  const mayEdit = mayManage || may('organizations.uploadPage.manage');
  useShortcuts(
    'keys.list',
    mayManage ? [{ keys: 'n', label: 'keys.new', run: () => void navigate('/organization/new') }] : [],
  );
  const remove = async (row: OrganizationSummary) => {
    try {
      if (await deleteOrganization(t, row)) notify.success(t('common.deleted', { name: row.name }));
    } catch (error) {
      notify.failure(error);
    }
    await invalidate(organizationRoutes.list);
  };
  return (
    <Screen
      title={t('nav.organizations')}
      actions={
        <>
          <ExportButton list={organizationRoutes.list} query={query} />
          {mayManage && (
            <Button component={Link} to="/organization/new" leftSection={<IconPlus size={16} />}>
              {t('organizations.new')}
            </Button>
          )}
        </>
      }
      toolbar={
        <Group>
          <ListSearch address={address} label={t('organizations.search')} />
          <ListFilter
            address={address}
            name="pages"
            label={t('organizations.page')}
            options={pageStates.map((value) => ({ value, label: t(`organizations.pageState.${value}`) }))}
          />
        </Group>
      }
      state={listState(list, address, {
        icon: IconBuilding,
        title: t('organizations.empty'),
        text: t('organizations.emptyText'),
      })}
    >
      <DataTable
        label={t('nav.organizations')}
        rows={list.data?.items ?? []}
        idOf={(row) => row.id}
        address={address}
        name={{
          label: t('field.name'),
          sort: 'name' satisfies OrganizationSort,
          of: (row) => row.name,
          to: (row) => formPath(mayEdit ? 'edit' : 'view', row.id),
          before: (row) => <Mark row={row} />,
        }}
        columns={columnsOf(t)}
        onDelete={may('organizations.delete') ? (row) => void remove(row) : undefined}
        actions={{
          label: t('list.actions'),
          of: (row) => (
            <RowMenu
              name={row.name}
              acts={[
                mayEdit && { label: t('common.edit'), icon: IconPencil, to: formPath('edit', row.id) },
                mayManage && { label: t('common.copyOf'), icon: IconCopy, to: formPath('copy', row.id) },
                row.isPublic &&
                  row.address !== null && {
                    label: t('organizations.openPage'),
                    icon: IconExternalLink,
                    act: () => void window.open(row.address ?? '', '_blank', 'noopener'),
                  },
                may('organizations.delete') && {
                  label: t('common.delete'),
                  icon: IconTrash,
                  isDangerous: true,
                  act: () => void remove(row),
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

/** The logo, else a patch of the colour. */
function Mark({ row }: { row: OrganizationSummary }) {
  if (row.pageLogo)
    return (
      <img
        src={`/api/logos/${row.pageLogo}`}
        alt=""
        style={{ blockSize: 20, maxInlineSize: 48, objectFit: 'contain', background: '#fff', borderRadius: 3 }}
      />
    );
  return <ColorSwatch size={16} color={row.color || 'var(--p2p-hairline)'} withShadow={false} aria-hidden />;
}

const columnsOf = (t: TFunction): readonly DataColumn<OrganizationSummary>[] => [
  {
    key: 'page',
    label: t('organizations.page'),
    cell: (row) => (
      <Badge miw="max-content" variant="light" tt="none" fw={550} color={stateColours[pageStateOf(row)]}>
        {t(`organizations.pageState.${pageStateOf(row)}`)}
      </Badge>
    ),
  },
  {
    key: 'workflows',
    sort: 'workflows',
    isExtra: true,
    label: t('nav.workflows'),
    cell: (row) => formatNumber(row.workflowCount),
  },
  {
    key: 'members',
    sort: 'members',
    label: t('organizations.members'),
    isExtra: true,
    cell: (row) => formatNumber(row.memberCount),
  },
  {
    key: 'sessions',
    sort: 'sessions',
    label: t('nav.sessions'),
    isExtra: true,
    cell: (row) => formatNumber(row.sessionCount),
  },
  {
    key: 'createdAt',
    sort: 'createdAt',
    label: t('field.created'),
    isExtra: true,
    cell: (row) => <Ago at={row.createdAt} />,
  },
];
