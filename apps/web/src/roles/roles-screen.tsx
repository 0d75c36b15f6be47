import { Badge, Button, Group } from '@mantine/core';
import { permissions, type Role, type RoleSort, roleSorts } from '@pdf2press/contract';
import { roleRoutes } from '@pdf2press/contract/calls';
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { DataTable } from '../frame/data-table.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';

export function RolesScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const address = useListAddress();
  const query = { ...listQuery(address), ...sortQuery(address, roleSorts) };
  const list = useCall(roleRoutes.list, { query }, { placeholderData: keepPreviousData });
  const mayManage = may('roles.manage');
  const navigate = useNavigate();
  useShortcuts('keys.list', mayManage ? [{ keys: 'n', label: 'keys.new', run: () => void navigate('/role/new') }] : []);
  const refusalOf = (role: Role) => (role.isStatic ? t('resource.static') : null);
  const remove = async (role: Role) => {
    const refusal = refusalOf(role);
    if (refusal) return notify.info(refusal);
    const isSure = await confirm({
      title: t('roles.deleteTitle', { name: role.name }),
      text: t('roles.deleteText', { count: role.userCount }),
      act: t('common.delete'),
      isDangerous: true,
      ...(role.userCount > 0 ? { typed: role.name } : {}),
    });
    if (!isSure) return;
    try {
      await call(roleRoutes.remove, { params: { id: role.id } });
      notify.success(t('common.deleted', { name: role.name }));
    } catch (error) {
      notify.failure(error);
    }
    await invalidate(roleRoutes.list);
  };
  return (
    <Screen
      title={t('nav.roles')}
      actions={
        <>
          <ExportButton list={roleRoutes.list} query={query} />
          {mayManage && (
            <Button component={Link} to="/role/new" leftSection={<IconPlus size={16} />}>
              {t('roles.new')}
            </Button>
          )}
        </>
      }
      toolbar={
        <Group>
          <ListSearch address={address} label={t('roles.search')} />
        </Group>
      }
      state={list.data?.items.length === 0 ? { kind: 'noMatch', onClear: address.clear } : stateOf(list)}
    >
      <DataTable
        label={t('nav.roles')}
        rows={list.data?.items ?? []}
        idOf={(role) => role.id}
        address={address}
        onDelete={may('roles.delete') ? (role) => void remove(role) : undefined}
        name={{
          label: t('field.name'),
          sort: 'name' satisfies RoleSort,
          of: (role) => role.name,
          to: (role) => `/role/edit/${encodeURIComponent(role.id)}`,
        }}
        columns={[
          {
            key: 'marks',
            label: t('roles.kind'),
            sort: 'kind' satisfies RoleSort,
            isExtra: true,
            cell: (role) => (
              <Group gap={6}>
                {role.isDefault && (
                  <Badge variant="light" tt="none" fw={550}>
                    {t('roles.default')}
                  </Badge>
                )}
                {role.requiresSecondFactor && (
                  <Badge variant="light" color="success" tt="none" fw={550}>
                    {t('roles.secondFactor')}
                  </Badge>
                )}
                {role.isStatic && (
                  <Badge variant="light" color="neutral" tt="none" fw={550}>
                    {t('roles.static')}
                  </Badge>
                )}
              </Group>
            ),
          },
          {
            key: 'permissions',
            label: t('roles.permissions'),
            sort: 'permissions' satisfies RoleSort,
            cell: (role) => `${role.permissions.length} / ${permissions.length}`,
          },
          { key: 'users', label: t('nav.users'), sort: 'users' satisfies RoleSort, cell: (role) => role.userCount },
        ]}
        actions={{
          label: t('list.actions'),
          of: (role) => (
            <RowMenu
              name={role.name}
              acts={[
                mayManage && { label: t('common.edit'), icon: IconPencil, to: `/role/edit/${role.id}` },
                mayManage && { label: t('common.copyOf'), icon: IconCopy, to: `/role/copy/${role.id}` },
                may('roles.delete') && {
                  label: t('common.delete'),
                  icon: IconTrash,
                  isDangerous: true,
                  refusal: refusalOf(role),
                  act: () => void remove(role),
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
